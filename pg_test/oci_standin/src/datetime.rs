//! Dates and timestamps: PostgreSQL's ISO text, OCI's 8-byte date and its descriptors.

use std::fmt;

use parking_lot::Mutex;

use crate::abi::{self, Pointer, Status};
use crate::buffer;
use crate::handle;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateTime {
    pub year: i16,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub nanosecond: u32,
    /// Offset of the time zone, both of the same sign.
    pub zone_hour: i8,
    pub zone_minute: i8,
}

impl DateTime {
    /// Reads `2024-01-31 13:45:00.5+02`, with or without time, fraction and zone.
    pub fn parse(text: &str) -> Option<Self> {
        let (text, era) = match text.strip_suffix(" BC") {
            Some(text) => (text, -1),
            None => (text, 1),
        };
        let (date, time) = text.split_once(' ').unwrap_or((text, "00:00:00"));
        let (time, zone) = match time.find(['+', '-']) {
            Some(at) => time.split_at(at),
            None => (time, "+00"),
        };
        let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
        let mut date = date.split('-');
        let mut clock = clock.split(':');
        let mut offset = zone.get(1..)?.split(':');
        let sign = if zone.starts_with('-') { -1 } else { 1 };
        Some(Self {
            year: era * date.next()?.parse::<i16>().ok()?,
            month: date.next()?.parse().ok()?,
            day: date.next()?.parse().ok()?,
            hour: clock.next()?.parse().ok()?,
            minute: clock.next()?.parse().ok()?,
            second: clock.next()?.parse().ok()?,
            nanosecond: format!("{fraction:0<9}").get(..9)?.parse().ok()?,
            zone_hour: sign * offset.next()?.parse::<i8>().ok()?,
            zone_minute: sign * offset.next().unwrap_or("0").parse::<i8>().ok()?,
        })
    }

    /// Reads OCIDate: year, then month, day, hour, minute, second in a byte each.
    pub fn from_date_bytes(bytes: &[u8; 8]) -> Self {
        Self {
            year: i16::from_ne_bytes([bytes[0], bytes[1]]),
            month: bytes[2],
            day: bytes[3],
            hour: bytes[4],
            minute: bytes[5],
            second: bytes[6],
            ..Self::default()
        }
    }

    pub fn to_date_bytes(self) -> [u8; 8] {
        let [low, high] = self.year.to_ne_bytes();
        [
            low,
            high,
            self.month,
            self.day,
            self.hour,
            self.minute,
            self.second,
            0,
        ]
    }

    /// The text with the offset of the time zone.
    pub fn with_zone(&self) -> String {
        let sign = if self.zone_hour < 0 || self.zone_minute < 0 {
            '-'
        } else {
            '+'
        };
        let (hour, minute) = (
            self.zone_hour.unsigned_abs(),
            self.zone_minute.unsigned_abs(),
        );
        let (text, era) = match self.to_string().strip_suffix(" BC") {
            Some(text) => (text.to_owned(), " BC"),
            None => (self.to_string(), ""),
        };
        format!("{text}{sign}{hour:02}:{minute:02}{era}")
    }
}

impl fmt::Display for DateTime {
    /// PostgreSQL's text, to the microsecond, without zone.
    fn fmt(&self, output: &mut fmt::Formatter) -> fmt::Result {
        write!(
            output,
            "{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:06}",
            self.year.unsigned_abs(),
            self.month,
            self.day,
            self.hour,
            self.minute,
            self.second,
            self.nanosecond / 1000
        )?;
        if self.year < 0 {
            output.write_str(" BC")
        } else {
            Ok(())
        }
    }
}

/// # Safety
/// `descriptor` is a date descriptor of this library, the others can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIDateTimeGetDate(
    _environment: Pointer,
    _error: Pointer,
    descriptor: Pointer,
    year: *mut i16,
    month: *mut u8,
    day: *mut u8,
) -> Status {
    // SAFETY: as above.
    let Ok(value) = (unsafe { handle::get::<Mutex<DateTime>>(descriptor) }) else {
        return abi::INVALID_HANDLE;
    };
    let value = value.lock();
    // SAFETY: as above.
    unsafe {
        *year = value.year;
        *month = value.month;
        *day = value.day;
    }
    abi::SUCCESS
}

/// # Safety
/// `descriptor` is a date descriptor of this library, the others can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIDateTimeGetTime(
    _environment: Pointer,
    _error: Pointer,
    descriptor: Pointer,
    hour: *mut u8,
    minute: *mut u8,
    second: *mut u8,
    nanosecond: *mut u32,
) -> Status {
    // SAFETY: as above.
    let Ok(value) = (unsafe { handle::get::<Mutex<DateTime>>(descriptor) }) else {
        return abi::INVALID_HANDLE;
    };
    let value = value.lock();
    // SAFETY: as above.
    unsafe {
        *hour = value.hour;
        *minute = value.minute;
        *second = value.second;
        *nanosecond = value.nanosecond;
    }
    abi::SUCCESS
}

/// # Safety
/// `descriptor` is a date descriptor of this library, the others can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIDateTimeGetTimeZoneOffset(
    _environment: Pointer,
    _error: Pointer,
    descriptor: Pointer,
    hour: *mut i8,
    minute: *mut i8,
) -> Status {
    // SAFETY: as above.
    let Ok(value) = (unsafe { handle::get::<Mutex<DateTime>>(descriptor) }) else {
        return abi::INVALID_HANDLE;
    };
    let value = value.lock();
    // SAFETY: as above.
    unsafe {
        *hour = value.zone_hour;
        *minute = value.zone_minute;
    }
    abi::SUCCESS
}

/// # Safety
/// `descriptor` is a date descriptor of this library; `zone` has `zone_length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIDateTimeConstruct(
    _environment: Pointer,
    _error: Pointer,
    descriptor: Pointer,
    year: i16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    nanosecond: u32,
    zone: *const u8,
    zone_length: usize,
) -> Status {
    // SAFETY: as above.
    let Ok(value) = (unsafe { handle::get::<Mutex<DateTime>>(descriptor) }) else {
        return abi::INVALID_HANDLE;
    };
    // SAFETY: as above.
    let zone = String::from_utf8_lossy(unsafe { buffer::bytes(zone, zone_length) });
    let (zone_hour, zone_minute) = parse_offset(&zone).unwrap_or((0, 0));
    *value.lock() = DateTime {
        year,
        month,
        day,
        hour,
        minute,
        second,
        nanosecond,
        zone_hour,
        zone_minute,
    };
    abi::SUCCESS
}

/// Reads `+02:00`.
fn parse_offset(zone: &str) -> Option<(i8, i8)> {
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hour, minute) = zone.trim_start_matches(['+', '-']).split_once(':')?;
    let minute = minute.trim_end_matches('\0');
    Some((
        sign * hour.parse::<i8>().ok()?,
        sign * minute.parse::<i8>().ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_postgresql_are_read_and_written() {
        let value = DateTime::parse("2024-01-31 13:45:09.123456-03:30").unwrap();
        assert_eq!(
            (value.nanosecond, value.zone_hour, value.zone_minute),
            (123_456_000, -3, -30)
        );
        assert_eq!(value.to_string(), "2024-01-31 13:45:09.123456");
        assert_eq!(value.with_zone(), "2024-01-31 13:45:09.123456-03:30");
        assert_eq!(
            DateTime::parse("2024-01-31").unwrap().to_string(),
            "2024-01-31 00:00:00.000000"
        );
    }

    #[test]
    fn years_before_christ_are_negative() {
        let value = DateTime::parse("0044-03-15 12:00:00 BC").unwrap();
        assert_eq!(value.year, -44);
        assert_eq!(value.to_string(), "0044-03-15 12:00:00.000000 BC");
    }

    #[test]
    fn date_bytes_come_back() {
        let value = DateTime::parse("1999-12-31 23:59:58").unwrap();
        assert_eq!(DateTime::from_date_bytes(&value.to_date_bytes()), value);
    }

    #[test]
    fn other_texts_are_no_dates() {
        assert_eq!(DateTime::parse("infinity"), None);
    }
}
