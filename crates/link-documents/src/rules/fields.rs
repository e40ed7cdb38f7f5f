//! The labels of values, by kind of document. They are in plain form (lower case, no accents), in Spanish, English and
//! Filipino.

mod kinds;
mod shared;

pub(crate) use kinds::fields;

use crate::rules::values::Value;

/// A field and its labels.
#[derive(Debug)]
pub(crate) struct Field {
    /// Its name on the wire. `period` is replaced by `startDate` and `endDate`.
    pub name: &'static str,
    /// The form of its value.
    pub value: Value,
    /// Its labels.
    pub labels: &'static [&'static str],
}

/// Creates a field.
const fn field(name: &'static str, value: Value, labels: &'static [&'static str]) -> Field {
    Field { name, value, labels }
}
