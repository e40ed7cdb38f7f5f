//! Text that must not be printed or sent by accident.

use core::fmt;

/// A secret or personal text as it arrives on the wire.
///
/// `Debug` shows only that something is there, there is no `Display` and no `Serialize`: whoever needs the text calls
/// [`Sensitive::expose`] at the one place where it leaves. The memory is overwritten when the value is dropped.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Sensitive(String);

impl Sensitive {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
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
string_schema!(Sensitive, "A secret; never returned.", None, "…");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_nothing_of_the_text() {
        assert_eq!(format!("{:?}", Some(Sensitive::new("hunter2"))), "Some(Sensitive(…))");
    }
}
