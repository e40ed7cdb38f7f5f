//! A value, as read.

use link_types::archive::ExtractionFaultCode;

use crate::page::Place;

/// A field's name, value and page.
pub(crate) type Named = (&'static str, Reading, u16);

/// A value, as read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// In wire format. A period has two dates, separated by a slash.
    pub text: String,
    /// The confidence.
    pub confidence: f32,
    /// Where its words are. `None` if it was not read but derived.
    pub place: Option<Place>,
    /// Where its label is, if it has one.
    pub label: Option<Place>,
    /// Why it is in doubt.
    pub fault: Option<ExtractionFaultCode>,
}
