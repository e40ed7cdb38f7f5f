//! Revisions of a tenant's configuration: two people who edit the same one do not overwrite each other.

use serde::Serialize;

use crate::kernel::digest::{Digest32, hex};

/// Number of bytes of the digest in a revision.
const REVISION_BYTES: usize = 8;

/// Error for a change of a configuration that another change came before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The template was changed since you read it. Read it again, and repeat your change.")]
pub struct ChangedError;

/// A configuration that shows its own revision.
pub trait Revised: Serialize + Clone {
    /// Returns the field with the revision, which is empty in stored rows.
    fn revision_mut(&mut self) -> &mut String;

    /// Returns the revision: part of the digest of everything else.
    fn revision(&self) -> String {
        let mut plain = self.clone();
        plain.revision_mut().clear();
        digest(&plain)
    }

    /// Returns the configuration as REST shows it.
    #[must_use]
    fn with_revision(mut self) -> Self {
        *self.revision_mut() = self.revision();
        self
    }

    /// Checks that a change is about the configuration as it is.
    ///
    /// # Errors
    /// [`ChangedError`] if it was changed since.
    fn check_revision(&self, sent: Option<&str>) -> Result<(), ChangedError> {
        if sent.is_some_and(|it| it != self.revision()) { Err(ChangedError) } else { Ok(()) }
    }
}

/// Returns part of the digest of a configuration's JSON form.
pub fn digest(configuration: &impl Serialize) -> String {
    // A configuration has no map whose keys are not text, so it always has a JSON form.
    let json = serde_json::to_string(configuration).unwrap_or_default();
    hex(&Digest32::from_text(&json).as_bytes()[..REVISION_BYTES])
}

impl Revised for link_types::template::LinkTemplate {
    fn revision_mut(&mut self) -> &mut String {
        &mut self.revision
    }
}

impl Revised for link_types::template::ConsentTemplate {
    fn revision_mut(&mut self) -> &mut String {
        &mut self.revision
    }
}

impl Revised for link_types::invite_template::InviteTemplate {
    fn revision_mut(&mut self) -> &mut String {
        &mut self.revision
    }
}
