//! Oracle's NUMBER: a length byte, an exponent byte and up to 20 digits of base 100.
//!
//! Negative numbers keep their digits as complement, so that numbers compare as bytes.

/// The size of a NUMBER in a buffer, with its length byte.
pub const SIZE: usize = 22;

const MAX_DIGITS: usize = 20;
const ZERO: u8 = 0x80;
const POSITIVE_BIAS: i32 = 193;
const NEGATIVE_BIAS: i32 = 62;
const NEGATIVE_END: u8 = 102;

/// A decimal text as NUMBER; None when it is no number or too large.
pub fn encode(text: &str) -> Option<[u8; SIZE]> {
    let (negative, digits, point) = decimal_digits(text)?;
    let mut number = [0; SIZE];
    if digits.is_empty() {
        number[..2].copy_from_slice(&[1, ZERO]);
        return Some(number);
    }
    let (mut pairs, exponent) = pairs_of(digits, point);
    pairs.truncate(MAX_DIGITS);
    while pairs.last() == Some(&0) {
        pairs.pop();
    }
    if !(-65..=62).contains(&exponent) {
        return None;
    }
    let mut length = pairs.len() + 1;
    if negative {
        number[1] = u8::try_from(NEGATIVE_BIAS - exponent).ok()?;
        for (place, pair) in number[2..].iter_mut().zip(&pairs) {
            *place = 101 - pair;
        }
        if pairs.len() < MAX_DIGITS {
            number[2 + pairs.len()] = NEGATIVE_END;
            length += 1;
        }
    } else {
        number[1] = u8::try_from(POSITIVE_BIAS + exponent).ok()?;
        for (place, pair) in number[2..].iter_mut().zip(&pairs) {
            *place = pair + 1;
        }
    }
    number[0] = u8::try_from(length).ok()?;
    Some(number)
}

/// Sign, significant digits and the place of the decimal point of a decimal text.
fn decimal_digits(text: &str) -> Option<(bool, Vec<u8>, i32)> {
    let text = text.trim();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i16>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let written = whole.bytes().chain(fraction.bytes());
    if mantissa.len() == usize::from(mantissa.contains('.')) {
        return None;
    }
    let mut digits = Vec::new();
    for byte in written {
        digits.push(char::from(byte).to_digit(10)? as u8);
    }
    let leading = digits.iter().take_while(|digit| **digit == 0).count();
    digits.drain(..leading);
    while digits.last() == Some(&0) {
        digits.pop();
    }
    let point =
        i32::try_from(whole.len()).ok()? + i32::from(exponent) - i32::try_from(leading).ok()?;
    Some((negative, digits, point))
}

/// Digits of base 100 and their exponent.
fn pairs_of(mut digits: Vec<u8>, mut point: i32) -> (Vec<u8>, i32) {
    if point.rem_euclid(2) == 1 {
        digits.insert(0, 0);
        point += 1;
    }
    if digits.len() % 2 == 1 {
        digits.push(0);
    }
    let pairs = digits
        .chunks(2)
        .map(|pair| pair[0] * 10 + pair[1])
        .collect();
    (pairs, point / 2 - 1)
}

/// A NUMBER as decimal text without exponent.
pub fn decode(number: &[u8; SIZE]) -> String {
    let length = usize::from(number[0]).min(SIZE - 1);
    if length < 2 || number[1] == ZERO {
        return "0".to_owned();
    }
    let negative = number[1] & 0x80 == 0;
    let head = i32::from(number[1]);
    let (exponent, pairs): (i32, Vec<u8>) = if negative {
        let pairs = number[2..=length]
            .iter()
            .take_while(|pair| **pair != NEGATIVE_END);
        (
            NEGATIVE_BIAS - head,
            pairs.map(|pair| 101u8.saturating_sub(*pair)).collect(),
        )
    } else {
        let pairs = number[2..=length].iter();
        (
            head - POSITIVE_BIAS,
            pairs.map(|pair| pair.saturating_sub(1)).collect(),
        )
    };
    let digits: String = pairs.iter().map(|pair| format!("{pair:02}")).collect();
    let text = place_point(&digits, (exponent + 1) * 2);
    if negative { format!("-{text}") } else { text }
}

/// Digits with the decimal point after the first `point` of them.
fn place_point(digits: &str, point: i32) -> String {
    let Ok(point) = usize::try_from(point) else {
        let zeros = "0".repeat(point.unsigned_abs() as usize);
        return format!("0.{zeros}{}", digits.trim_end_matches('0'));
    };
    let padded = format!("{digits:0<point$}");
    let (whole, fraction) = padded.split_at(point);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were() {
        for text in [
            "0",
            "1",
            "-1",
            "10",
            "99",
            "100",
            "123456789",
            "-123.45",
            "0.5",
            "0.05",
            "0.001",
            "-0.00012",
            "999999999999999999",
            "-9223372036854775808",
            "12345678901234567890123456789012345678",
            "1.1",
            "100.001",
        ] {
            let number = encode(text).unwrap();
            assert_eq!(decode(&number), text);
        }
    }

    #[test]
    fn bytes_are_those_of_oracle() {
        // DUMP(n) in Oracle's documentation: 0 is 128, 1 is 193,2, -1 is 62,100,102.
        assert_eq!(encode("0").unwrap()[..2], [1, 128]);
        assert_eq!(encode("1").unwrap()[..3], [2, 193, 2]);
        assert_eq!(encode("-1").unwrap()[..4], [3, 62, 100, 102]);
        assert_eq!(encode("123.45").unwrap()[..5], [4, 194, 2, 24, 46]);
    }

    #[test]
    fn exponents_and_signs_are_read() {
        assert_eq!(decode(&encode("+1.5e3").unwrap()), "1500");
        assert_eq!(decode(&encode(" 2E-2 ").unwrap()), "0.02");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", ".", "abc", "1x", "NaN", "1e200"] {
            assert_eq!(encode(text), None, "{text}");
        }
    }
}
