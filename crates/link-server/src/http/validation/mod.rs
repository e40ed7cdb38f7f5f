//! Checks of JSON bodies before they are deserialized.

pub mod hints;
pub mod json;
pub mod schema;
