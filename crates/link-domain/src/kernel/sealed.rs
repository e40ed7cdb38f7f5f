//! Serialization of [`Sensitive`] text, only for bodies that the store encrypts.

use link_types::Sensitive;
use serde::{Deserialize, Deserializer, Serializer};

/// Serializes a secret. Use it only in a type that is serialized only in encrypted form.
pub(crate) fn serialize<S: Serializer>(text: &Sensitive, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text.expose())
}

/// Deserializes the output of [`serialize`].
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Sensitive, D::Error> {
    Sensitive::deserialize(deserializer)
}

/// The same for an optional secret.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Sensitive, Serializer};

    /// Serializes an optional secret.
    pub(crate) fn serialize<S: Serializer>(
        text: &Option<Sensitive>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match text {
            Some(text) => serializer.serialize_some(text.expose()),
            None => serializer.serialize_none(),
        }
    }

    /// Deserializes the output of [`serialize`].
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Sensitive>, D::Error> {
        Option::<Sensitive>::deserialize(d)
    }
}
