//! Text that a person typed into an open (not secret) field.

use std::fmt;

/// What a person typed: personal data, so its `Debug` shows only the length. Never holds a password or a code.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Typed(String);

impl Typed {
    /// Wraps what was typed.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the input's value or a check.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Nothing was typed, or only spaces.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Typed({} bytes)", self.0.len())
    }
}
