//! Counts and prints what passed and what failed.

use std::time::Instant;

#[derive(Default)]
pub struct Report {
    passed: usize,
    failed: usize,
    failures: Vec<String>,
    step: String,
    since: Option<Instant>,
    closing: Vec<String>,
}

impl Report {
    pub fn begin(&mut self, step: &str, about: &str) {
        println!("{step}: {about}");
        step.clone_into(&mut self.step);
        self.since = Some(Instant::now());
    }

    /// The next test began then: of tests that run at the same time, each has a time of its own.
    pub fn began(&mut self, when: Instant) {
        self.since = Some(when);
    }

    /// One test that passed, with a line of its own.
    pub fn passed(&mut self, name: &str) {
        self.passed += 1;
        println!("  ok      {name}{}", self.seconds());
    }

    /// Many tests that passed, with one line for all.
    pub fn passed_many(&mut self, name: &str, count: usize) {
        self.passed += count;
        println!("  ok      {name}: {count} tests{}", self.seconds());
    }

    pub fn failed(&mut self, name: &str, text: &str) {
        self.failed += 1;
        self.failures.push(format!("{}: {name}", self.step));
        println!("  FAILED  {name}{}", self.seconds());
        for line in text.trim_end().lines() {
            println!("          {line}");
        }
    }

    /// What a step says of itself when everything is over.
    pub fn closing(&mut self, line: String) {
        self.closing.push(line);
    }

    /// Prints the closing lines; whether nothing failed. The count is last, or, of one step, what it says of itself.
    pub fn end(&self, one_step: bool) -> bool {
        let count = format!("{} passed, {} failed", self.passed, self.failed);
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        if one_step {
            println!("{count}");
        }
        for line in &self.closing {
            println!("{line}");
        }
        if !one_step {
            println!("{count}");
        }
        self.failed == 0
    }

    /// Seconds since the line before, when worth telling.
    fn seconds(&mut self) -> String {
        let taken = self
            .since
            .replace(Instant::now())
            .map(|since| since.elapsed().as_secs_f64());
        taken
            .filter(|taken| *taken >= 0.1)
            .map_or_else(String::new, |taken| format!(" ({taken:.1} s)"))
    }
}
