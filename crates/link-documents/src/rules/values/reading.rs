//! A value, as read.

/// A value, as read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// In wire format. A period has two dates, separated by a slash.
    pub text: String,
    /// The confidence.
    pub confidence: f32,
}
