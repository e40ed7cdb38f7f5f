//! The body of a data point of any kind.

use serde::{Deserialize as _, Deserializer, Serialize};

use super::*;
use crate::{
    id::*,
    time::{Date, Month},
};

/// Properties of a body, which its file defines.
pub trait Body {
    /// Response to a lookup by id, as JSON.
    #[cfg(feature = "schema")]
    const EXAMPLE: &'static str;

    /// Returns the date that the data point refers to.
    fn date(&self) -> Option<Date> {
        None
    }

    /// Returns the month that the data point refers to.
    fn month(&self) -> Option<Month> {
        self.date().map(Date::month)
    }

    /// Returns what identifies the data point at its source, among those of its kind. Empty if a source has at most one.
    fn natural_key(&self) -> Vec<Option<String>> {
        Vec::new()
    }
}

macro_rules! bodies {
    ($($kind:ident $Body:ident $key:ident $doc:literal {
        ($Stored:ty) $Id:ident $prefix:literal, $($rest:tt)*
    })*) => {
        /// Body of a data point of any kind. It is stored and sent without a tag; [`DataPointBody::kind`] returns the kind.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        #[expect(missing_docs, reason = "each variant is the data point of its name")]
        pub enum DataPointBody {
            $($Body($Stored)),+
        }

        impl DataPointBody {
            /// Returns the kind of this body.
            pub const fn kind(&self) -> DataPointKind {
                match self {
                    $(Self::$Body(_) => DataPointKind::$kind),+
                }
            }

            /// Returns the id of the data point.
            pub fn id(&self) -> String {
                match self {
                    $(Self::$Body(it) => it.id.to_string()),+
                }
            }

            /// Returns the body with its id replaced by one built from these bytes.
            #[must_use]
            pub fn with_id(mut self, bytes: [u8; 16]) -> Self {
                match &mut self {
                    $(Self::$Body(it) => it.id = $Id::from_bytes(bytes)),+
                }
                self
            }

            /// Returns the body with the id of another one of the same kind.
            #[must_use]
            pub fn with_id_of(mut self, other: &Self) -> Self {
                match (&mut self, other) {
                    $((Self::$Body(it), Self::$Body(other)) => it.id = other.id.clone(),)+
                    _ => {}
                }
                self
            }

            /// Decodes the body of a kind.
            ///
            /// # Errors
            /// If the input does not have the shape of the kind.
            pub fn decode<'de, D: Deserializer<'de>>(kind: DataPointKind, input: D) -> Result<Self, D::Error> {
                match kind {
                    $(DataPointKind::$kind => <$Stored>::deserialize(input).map(Self::$Body)),+
                }
            }

            /// Returns the date that the data point refers to.
            pub fn date(&self) -> Option<Date> {
                match self {
                    $(Self::$Body(it) => it.date()),+
                }
            }

            /// Returns the month that the data point refers to.
            pub fn month(&self) -> Option<Month> {
                match self {
                    $(Self::$Body(it) => it.month()),+
                }
            }

            /// Returns what identifies the data point at its source, among those of its kind. Empty if a source has at most
            /// one.
            pub fn natural_key(&self) -> Vec<Option<String>> {
                match self {
                    $(Self::$Body(it) => it.natural_key()),+
                }
            }
        }

        $(impl From<$Body> for DataPointBody {
            fn from(body: $Body) -> Self {
                Self::$Body(body.into())
            }
        })+
    };
}

crate::data_points!(all bodies);
