//! Identifier of a signal.

use super::SignalKind;
use crate::{
    UnknownWordError,
    id::{InvalidIdError, common, hex, is_hex},
};

/// Identifier of a signal. Each kind of signal has its own prefix (`resources.md`, "Record, signals").
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignalId(String);

impl SignalId {
    /// Builds an identifier from the kind of the signal and the 16 bytes of a UUIDv7.
    pub fn from_bytes(kind: SignalKind, bytes: [u8; 16]) -> Self {
        Self(format!("{}{}", kind.prefix(), hex(bytes)))
    }

    /// Returns the kind of signal that the id's prefix belongs to.
    ///
    /// # Errors
    ///
    /// [`UnknownWordError`] if the prefix is unknown. Ids that were parsed or built by [`SignalId::from_bytes`] never cause
    /// it.
    pub fn kind(&self) -> Result<SignalKind, UnknownWordError> {
        kind_of(&self.0).map(|(kind, _)| kind).ok_or(UnknownWordError)
    }

    fn check(text: &str) -> Result<(), InvalidIdError> {
        match kind_of(text) {
            Some((_, rest)) if is_hex(rest) => Ok(()),
            Some(_) | None => Err(InvalidIdError { expected: "a signal's prefix and 32 hex digits" }),
        }
    }
}

/// Splits off the prefix. No prefix is the start of another, because each ends with its only hyphen.
fn kind_of(text: &str) -> Option<(SignalKind, &str)> {
    SignalKind::ALL.iter().find_map(|kind| Some((*kind, text.strip_prefix(kind.prefix())?)))
}

/// Returns the regular expression of all signal ids.
#[cfg(feature = "schema")]
fn pattern() -> String {
    let prefixes: Vec<_> = SignalKind::ALL.iter().map(|kind| kind.prefix().trim_end_matches('-')).collect();
    format!("^({})-[0-9a-f]{{32}}$", prefixes.join("|"))
}

common!(SignalId, "fp-0192f0c1a2b37c4d8e5f60718293a4b5", &pattern());
