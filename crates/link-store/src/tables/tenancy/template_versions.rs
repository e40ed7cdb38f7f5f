//! Versions of link, consent and invite templates: a tenant's configuration, unencrypted. The newest ones of each are kept.

use link_domain::kernel::owner::Owner;
use link_domain::tenancy::template_version::{MAX_VERSIONS, TemplateBody, TemplateVersion};
use link_types::time::Timestamp;

use crate::body::{decode, encode};
use crate::reader::ReadSession;
use crate::sql::{Row, params, statements};
use crate::tables::resource::resource;
use crate::tables::small;
use crate::{StoreError, Tx};

const TABLE: &str = "template_versions";

statements! {
    PUT = "INSERT INTO template_versions (template_id, version, tenant_id, mode, body) VALUES (?1, ?2, ?3, ?4, ?5)";
    ALL_OF_TEMPLATE = "SELECT version, body FROM template_versions \
                       WHERE template_id = ?1 AND tenant_id = ?2 AND mode = ?3 ORDER BY version DESC";
    LAST = "SELECT version FROM template_versions WHERE template_id = ?1 ORDER BY version DESC LIMIT 1";
    DELETE_OLD = "DELETE FROM template_versions WHERE template_id = ?1 AND version <= ?2";
    DELETE = "DELETE FROM template_versions WHERE template_id = ?1";
}

resource! {
    /// Versions of templates.
    TemplateVersions, template_versions
}

impl<'c, S: ReadSession<'c>> TemplateVersions<'_, S> {
    /// Returns the versions of an owner's template that are kept, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_template(&mut self, owner: &Owner, id: &str) -> Result<Vec<TemplateVersion>, StoreError> {
        let read = |row: &Row<'_>| {
            let version = small(TABLE, row.int(0)?)?;
            let (saved_at, body): (Timestamp, TemplateBody) = decode(TABLE, row.slice(1)?)?;
            Ok(TemplateVersion { owner: owner.clone(), version, saved_at, body })
        };
        let owned = params![id, owner.tenant.as_str(), owner.mode.as_str()];
        self.session().query(&ALL_OF_TEMPLATE, owned, read)
    }

    /// Returns the number of a template's newest version, 0 if none is kept.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn last(&mut self, id: &str) -> Result<u32, StoreError> {
        let found = self.session().find(&LAST, params![id], |row| small(TABLE, row.int(0)?))?;
        Ok(found.unwrap_or_default())
    }
}

impl TemplateVersions<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, version: &TemplateVersion) -> Result<(), StoreError> {
        let TemplateVersion { owner, version, saved_at, body } = version;
        let encoded = encode(TABLE, &(saved_at, body))?;
        let values = params![
            body.id(),
            i64::from(*version),
            owner.tenant.as_str(),
            owner.mode.as_str(),
            encoded.as_slice(),
        ];
        self.session().execute_later(&PUT, values)?;
        let oldest = i64::from(*version) - i64::from(MAX_VERSIONS);
        self.session().execute_later(&DELETE_OLD, params![body.id(), oldest])
    }

    pub(crate) fn delete(&mut self, id: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id])
    }
}
