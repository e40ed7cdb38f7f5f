//! Writing [`Sensitive`] text, for bodies that the store seals and for nothing else.

use link_types::Sensitive;
use serde::{Deserialize, Deserializer, Serializer};

/// Serialises one secret. Use it only in a type whose one serialised form is a sealed body.
pub(crate) fn serialize<S: Serializer>(text: &Sensitive, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text.expose())
}

/// Reads back what [`serialize`] wrote.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Sensitive, D::Error> {
    Sensitive::deserialize(deserializer)
}

/// The same for an optional secret.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Sensitive, Serializer};

    /// Serialises a secret that may be absent.
    pub(crate) fn serialize<S: Serializer>(
        text: &Option<Sensitive>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match text {
            Some(text) => serializer.serialize_some(text.expose()),
            None => serializer.serialize_none(),
        }
    }

    /// Reads back what [`serialize`] wrote.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Sensitive>, D::Error> {
        Option::<Sensitive>::deserialize(d)
    }
}
