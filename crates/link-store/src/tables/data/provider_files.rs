//! Files of documents that a provider issued: sealed with their account's key, like the source's name for them.

use std::collections::{BTreeMap, BTreeSet};

use link_domain::data::provider_file::{FileBytes, FileReference, ProviderFile};
use link_domain::kernel::owner::Owner;
use link_types::id::{AccountId, DocumentId};

use crate::keys::{Key, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{columns, params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "provider_files";

columns! {
    /// A document, and the sealed name that the source has for its file.
    reference_columns => struct ReferenceColumns { document_id, reference }
}
const REFERENCE: ReferenceColumns = ReferenceColumns::after(0);

statements! {
    PUT = "INSERT INTO provider_files (document_id, account_id, reference, body) VALUES (?1, ?2, ?3, ?4) \
           ON CONFLICT (document_id) DO UPDATE SET reference = excluded.reference, body = excluded.body";
    FIND = "SELECT f.body FROM provider_files f JOIN accounts a ON a.id = f.account_id \
            WHERE f.document_id = ?1 AND f.account_id = ?2 AND a.tenant_id = ?3 AND a.mode = ?4";
    DOCUMENTS = "SELECT document_id FROM provider_files WHERE account_id = ?1";
    REFERENCES = concat!("SELECT ", reference_columns!(""), " FROM provider_files WHERE account_id = ?1");
    DELETE_OF_SCOPE = "DELETE FROM provider_files WHERE account_id = ?1";
}

/// Storage location of a sealed file.
fn body_of(document: &DocumentId) -> Location<'_> {
    Location { table: TABLE, id: document.as_str() }
}

/// Storage id of a sealed file reference.
fn place_of_reference(document: &DocumentId) -> String {
    format!("{document}/reference")
}

fn open_reference(key: &Key, document: &DocumentId, sealed: &[u8]) -> Result<FileReference, StoreError> {
    let clear = key.open(Location { table: TABLE, id: &place_of_reference(document) }, sealed)?;
    let text = std::str::from_utf8(&clear).ok().and_then(FileReference::new);
    text.ok_or_else(|| StoreError::undecodable(TABLE, "a reference is empty, too long or not text"))
}

resource! {
    /// Files of documents that a provider issued.
    ProviderFiles, provider_files
}

impl<'c, S: ReadSession<'c>> ProviderFiles<'_, S> {
    /// Returns the file of an account's document. `None` if there is none, or its account is erased.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(
        &mut self,
        owner: &Owner,
        account: &AccountId,
        document: &DocumentId,
    ) -> Result<Option<FileBytes>, StoreError> {
        let values = params![document.as_str(), account.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        let Some(sealed) = self.session().find(&FIND, values, |row| row.bytes(0))? else { return Ok(None) };
        let key = match self.0.reader().scope_key(account.as_str()) {
            Err(StoreError::Erased) => return Ok(None),
            key => key?,
        };
        let clear = key.open(body_of(document), &sealed)?;
        FileBytes::new(clear.to_vec())
            .map(Some)
            .ok_or_else(|| StoreError::undecodable(TABLE, "a file has no known format"))
    }

    /// Returns the documents of an account that have a file.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn documents(&mut self, account: &AccountId) -> Result<BTreeSet<DocumentId>, StoreError> {
        let found =
            self.session().query(&DOCUMENTS, params![account.as_str()], |row| parse(TABLE, row.str(0)?));
        Ok(found?.into_iter().collect())
    }

    /// Returns the source's names for the files of an account, by document.
    ///
    /// # Errors
    ///
    /// [`StoreError::Erased`] if the account is erased, and [`StoreError`] if the database cannot be read.
    pub fn references(
        &mut self,
        account: &AccountId,
    ) -> Result<BTreeMap<DocumentId, FileReference>, StoreError> {
        let found = self.session().query(&REFERENCES, params![account.as_str()], |row| {
            let document = parse::<DocumentId>(TABLE, row.str(REFERENCE.document_id)?)?;
            Ok((document, row.bytes(REFERENCE.reference)?))
        })?;
        if found.is_empty() {
            return Ok(BTreeMap::new());
        }
        let key = self.0.reader().scope_key(account.as_str())?;
        let opened = found.into_iter().map(|(document, sealed)| {
            let reference = open_reference(&key, &document, &sealed)?;
            Ok((document, reference))
        });
        opened.collect()
    }
}

impl ProviderFiles<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, file: &ProviderFile) -> Result<(), StoreError> {
        let ProviderFile { document_id, account_id, reference, content } = file;
        let key = self.0.scope_key(account_id.as_str())?;
        let place = place_of_reference(document_id);
        let reference = key.seal(Location { table: TABLE, id: &place }, reference.as_str().as_bytes())?;
        let body = key.seal(body_of(document_id), content.as_slice())?;
        let row = params![document_id.as_str(), account_id.as_str(), &reference, &body];
        self.session().execute_later(&PUT, row)
    }

    pub(crate) fn delete_of_scope(&mut self, scope: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_SCOPE, params![scope])
    }
}
