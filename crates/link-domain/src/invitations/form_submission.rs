//! Forms of hosted link sites: validating a form's definition, validating answers, storing submissions.
//! ([`crate::linking::login_form`] is about login forms.)

mod definition;
mod form_texts;
mod submission;
mod transition;

pub use definition::{FieldErrorKind, FieldFault, faults, site_of};
pub use form_texts::FormTexts;
pub use submission::{AnswerFault, FORM_RETENTION, FormContent, FormSubmission};
