//! Checks of JSON bodies before they are deserialized.

pub mod json;
pub mod schema;
