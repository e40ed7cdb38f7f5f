//! A person creates an archive to upload files into.

use crate::change::{Change, Row};
use crate::documents::archive::{
    Archive, IllegalArchiveTransitionError, NewArchive, UploadQuota, UploadUsage,
};
use crate::kernel::context::Context;
use crate::linking::link::LinkSession;

/// Stored state that a new archive is checked against.
pub struct StoredUploads<'a> {
    /// Session in which the archive is created.
    pub session: &'a LinkSession,
    /// Archives of the session's attempt.
    pub archives: Vec<Archive>,
    /// Recent uploads of the user.
    pub usage: UploadUsage,
    /// Upload quota of the user.
    pub quota: UploadQuota,
}

/// Creates an archive, and marks its consent template as cited. Returns the archive, and everything that must be
/// written. If the session repeats a request whose archive still has no files, returns that archive and an empty
/// change.
///
/// # Errors
///
/// [`IllegalArchiveTransitionError::QuotaExceeded`] if the user has created the maximum number of archives for a day.
pub fn begin_archive(
    stored: StoredUploads<'_>,
    new: NewArchive,
    context: &mut Context,
) -> Result<(Archive, Change), IllegalArchiveTransitionError> {
    let StoredUploads { session, archives, usage, quota } = stored;
    let now = context.now();
    let open_for = now.wall().since(session.created_at);
    if let Some(again) = archives.into_iter().find(|it| it.is_begun_by(&new, now.tenant(), open_for)) {
        return Ok((again, Change::default()));
    }
    let cited = Row::ConsentCited(new.consent.receipt.consent_template_id.clone());
    let (archive, begun) = Archive::begin(new, usage, quota, context)?;
    Ok((archive, begun.then(Change::row(cited))))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use link_types::archive::ArchiveType;

    use super::*;
    use crate::fixture;

    fn begin_with(
        session: &LinkSession,
        archives: Vec<Archive>,
        archive_type: ArchiveType,
        usage: UploadUsage,
    ) -> Result<(Archive, Change), IllegalArchiveTransitionError> {
        let mut context = fixture::context_after(Duration::from_secs(1));
        let new = NewArchive {
            owner: session.owner.clone(),
            user_id: session.user_id.clone(),
            attempt_id: session.attempt_id.clone(),
            visit_id: None,
            archive_type,
            consent: fixture::consent(context.now().tenant()),
        };
        let quota = UploadQuota { files: 2, bytes: 1_000 };
        begin_archive(StoredUploads { session, archives, usage, quota }, new, &mut context)
    }

    #[test]
    fn new_archive_cites_its_consent_template() {
        let session = fixture::session();
        let (archive, change) =
            begin_with(&session, Vec::new(), ArchiveType::Payslip, UploadUsage::default()).unwrap();
        assert!(change.rows.contains(&Row::Archive(Box::new(archive))));
        assert!(change.rows.contains(&Row::ConsentCited(fixture::receipt().consent_template_id)));
    }

    #[test]
    fn repeated_request_returns_the_first_archive() {
        let (session, none) = (fixture::session(), UploadUsage::default());
        let (first, _) = begin_with(&session, Vec::new(), ArchiveType::Payslip, none).unwrap();
        let again = begin_with(&session, vec![first.clone()], ArchiveType::Payslip, none).unwrap();
        assert_eq!(again, (first.clone(), Change::default()));
        let (other, change) = begin_with(&session, vec![first], ArchiveType::Identification, none).unwrap();
        assert_eq!(other.archive_type, ArchiveType::Identification);
        assert_ne!(change, Change::default());
    }

    #[test]
    fn archive_over_the_quota_is_rejected() {
        let usage = UploadUsage { archives: 2, ..UploadUsage::default() };
        let refused = begin_with(&fixture::session(), Vec::new(), ArchiveType::Payslip, usage);
        assert_eq!(refused, Err(IllegalArchiveTransitionError::QuotaExceeded));
    }
}
