//! The forms of hosted link sites: their definition checked, an answer checked against it, the submission.
//! ([`crate::form`] is about login forms.)

mod definition;
mod submission;

pub use definition::{FieldFault, FieldFaultKind, faults, site_of};
pub use submission::{AnswerFault, FORM_RETENTION, FormContent, FormSubmission};
