//! Invitations, forms and their submissions.

pub mod form_submission;
pub mod invite;
