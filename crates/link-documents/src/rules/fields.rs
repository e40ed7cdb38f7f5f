//! The labels of values, by kind of document. They are in plain form (lower case, no accents), in Spanish, English and
//! Filipino.

mod field;
mod kinds;
mod shared;

pub(crate) use field::Field;
pub(crate) use kinds::fields;
