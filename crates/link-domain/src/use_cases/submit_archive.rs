//! A person submits an archive.

use crate::archive::{Archive, ArchiveInput, IllegalTransition};
use crate::change::Change;
use crate::context::Context;

/// Submits an archive. A client that lost the response submits again: it gets the archive, and nothing changes.
///
/// # Errors
///
/// [`IllegalTransition`] if the archive cannot be submitted. Nothing must be written then.
pub fn submit_archive(
    archive: Archive,
    context: &mut Context,
) -> Result<(Archive, Change), IllegalTransition> {
    match archive.clone().apply(ArchiveInput::Submit, context) {
        Err(IllegalTransition::AlreadySubmitted) => Ok((archive, Change::default())),
        submitted => submitted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn archive_is_submitted_once() {
        let mut context = fixture::context();
        let archive = fixture::uploaded_archive(&mut context);
        let (submitted, change) = submit_archive(archive, &mut context).unwrap();
        assert!(submitted.submitted_at.is_some());
        assert_eq!(change.events.len(), 2, "ARCHIVE_STARTED and TASK_STARTED");
        let again = submit_archive(submitted.clone(), &mut context);
        assert_eq!(again, Ok((submitted, Change::default())));
    }
}
