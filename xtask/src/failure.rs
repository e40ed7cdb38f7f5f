//! What a task says when it cannot go on: what went wrong, why, and what to do about it.

use std::fmt;

/// The outcome of a task or of a step in it.
pub type Outcome<T = ()> = Result<T, Failure>;

/// A failure a person can act on.
#[derive(Debug)]
pub struct Failure {
    what: String,
    why: Option<String>,
    advice: Option<String>,
}

impl Failure {
    /// Names what went wrong.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), why: None, advice: None }
    }

    /// Adds the cause.
    pub fn why(mut self, why: impl fmt::Display) -> Self {
        self.why = Some(why.to_string());
        self
    }

    /// Adds what the reader can do about it.
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.what)?;
        if let Some(why) = &self.why {
            write!(f, "\n  why: {}", why.trim_end().replace('\n', "\n       "))?;
        }
        if let Some(advice) = &self.advice {
            write!(f, "\n  do:  {}", advice.trim_end().replace('\n', "\n       "))?;
        }
        Ok(())
    }
}

/// Turns any error into a [`Failure`] that says what was being done.
pub trait OrFail<T> {
    /// Names what was being done when the error came.
    fn or_fail(self, what: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T, E: fmt::Display> OrFail<T> for Result<T, E> {
    fn or_fail(self, what: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| Failure::new(what()).why(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_why_and_what_to_do() {
        let failure = Failure::new("port 8788 is busy").why("another demo\nruns").advice("pass --port");
        assert_eq!(
            failure.to_string(),
            "error: port 8788 is busy\n  why: another demo\n       runs\n  do:  pass --port"
        );
    }
}
