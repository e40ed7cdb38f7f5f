//! Text that must not be printed or sent by accident.

use core::fmt;

/// A secret or personal text received over the wire.
///
/// `Debug` prints only a placeholder, and `Display` and `Serialize` are not implemented. To use the text, call
/// [`Sensitive::expose`] at the one place where it leaves the process. Dropping the value overwrites its memory.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Sensitive(String);

impl Sensitive {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Sensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sensitive(…)")
    }
}

impl Drop for Sensitive {
    fn drop(&mut self) {
        let mut bytes = core::mem::take(&mut self.0).into_bytes();
        bytes.fill(0);
        core::hint::black_box(&bytes);
    }
}

impl<'de> serde::Deserialize<'de> for Sensitive {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

#[cfg(feature = "schema")]
string_schema!(Sensitive, "Secret text. Never returned in a response.", None, "…");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_the_text() {
        assert_eq!(format!("{:?}", Some(Sensitive::new("hunter2"))), "Some(Sensitive(…))");
    }
}
