//! The JSON body of a template. What was typed is sent as it is, so that the service can refuse it.

use link_types::form_submission::LinkSiteForm;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Null.
    Null,
    /// True or false.
    Flag(bool),
    /// A number.
    Number(u32),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// An object.
    Map(Vec<(String, Self)>),
    /// The form of a link template, which the editor passes on.
    Form(Box<LinkSiteForm>),
}

impl Value {
    /// Returns an object.
    pub fn map<const N: usize>(fields: [(&str, Self); N]) -> Self {
        Self::Map(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Number(number) => serializer.serialize_u32(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Map(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
            Self::Form(form) => form.serialize(serializer),
        }
    }
}
