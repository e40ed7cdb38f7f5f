//! Text that a person typed into an open (not secret) field.

use std::fmt;

/// Typed text. It is personal data, so `Debug` shows only its length. Never contains a password or a code.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Typed(String);

impl Typed {
    /// Wraps a typed text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the text is empty or only spaces.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Typed({} bytes)", self.0.len())
    }
}
