//! Cursors of the lists and signed URLs of the documents in the payload of an event.

use std::collections::BTreeSet;

use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::source::Source;
use link_domain::kernel::stored_at::StoredAt;
use link_domain::notifications::event::{FILE_URL_LIFE, LastItem, PayloadLinks};
use link_store::{Label, ListCursors, Tx};
use link_types::data::DataPointKind;
use link_types::id::DocumentId;

use super::archives::file_address::FileAddress;
use crate::app::App;
use crate::http::problem::ApiResult;

/// The links of payloads about one source.
pub struct EventLinks {
    cursors: ListCursors,
    owner: Owner,
    base: String,
    key: [u8; 32],
    now: Wall,
    with_file: BTreeSet<DocumentId>,
}

impl EventLinks {
    /// Creates the links of a payload that is built now.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn of(app: &App, tx: &mut Tx<'_>, (owner, source): (&Owner, &Source), now: Wall) -> ApiResult<Self> {
        let with_file = match source {
            Source::Account(account) => tx.provider_files().documents(account)?,
            Source::Archive(_) | Source::Upload(_) => BTreeSet::new(),
        };
        let (cursors, key) = (tx.page_cursors(owner), tx.derived_key(Label::Export));
        let (owner, base) = (owner.clone(), app.files_base(owner.mode));
        Ok(Self { cursors, owner, base, key, now, with_file })
    }
}

impl PayloadLinks for EventLinks {
    fn after(&self, kind: DataPointKind, source_id: &str, last: LastItem<'_>) -> String {
        self.cursors.after(kind, source_id, last)
    }

    fn has_file(&self, document: &DocumentId) -> bool {
        self.with_file.contains(document)
    }

    fn file_url(&self, file: &StoredAt) -> Option<String> {
        let address = FileAddress { owner: self.owner.clone(), file: file.clone() };
        Some(format!("{}{}", self.base, address.signed(&self.key, self.now, FILE_URL_LIFE)))
    }
}
