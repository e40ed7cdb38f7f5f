//! The error of a task: what failed, why, and what to do.

use std::fmt;

/// The result of a task or a step.
pub type Outcome<T = ()> = Result<T, Failure>;

/// A failure that a person can act on.
#[derive(Debug)]
pub struct Failure {
    what: String,
    why: Option<String>,
    advice: Option<String>,
}

impl Failure {
    /// Creates a failure that says what failed.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), why: None, advice: None }
    }

    /// Adds the cause.
    pub fn why(mut self, why: impl fmt::Display) -> Self {
        self.why = Some(why.to_string());
        self
    }

    /// Adds what the reader can do.
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error: {}", self.what)?;
        if let Some(why) = &self.why {
            write!(f, "\n  Cause: {}", why.trim_end().replace('\n', "\n         "))?;
        }
        if let Some(advice) = &self.advice {
            write!(f, "\n  Fix:   {}", advice.trim_end().replace('\n', "\n         "))?;
        }
        Ok(())
    }
}

/// Converts any error into a [`Failure`].
pub trait OrFail<T> {
    /// Adds what failed; the error becomes the cause.
    ///
    /// # Errors
    /// If `self` is an error.
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
    fn failure_shows_what_why_and_advice() {
        let failure = Failure::new("Port 8788 is in use").why("another demo\nruns").advice("pass --port");
        assert_eq!(
            failure.to_string(),
            "Error: Port 8788 is in use\n  Cause: another demo\n         runs\n  Fix:   pass --port"
        );
    }
}
