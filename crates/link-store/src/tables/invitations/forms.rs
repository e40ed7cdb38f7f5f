//! Forms submitted on hosted link sites: user, site and time are unencrypted, the answers are sealed with the form's
//! own key.

use link_domain::invitations::form_submission::FormSubmission;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_types::form_submission::FormStatus;
use link_types::id::{FormId, LinkSiteId, LinkSiteSessionId, UserId};

use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, key_columns};
use crate::tables::kernel::sealed::Sealed;
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::owner;
use crate::tables::resource::resource;
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "forms";

columns! {
    /// The columns of a form submission.
    form_columns => struct Columns { id, tenant_id, mode, user_id, link_site_id, visit_id, status, created_at, body }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            form_columns!("f."),
            ", ",
            key_columns!("k."),
            " FROM forms f LEFT JOIN scope_keys k ON k.scope_id = f.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO forms (id, tenant_id, mode, user_id, link_site_id, visit_id, status, created_at, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) \
           ON CONFLICT (id) DO UPDATE SET status = excluded.status, body = excluded.body";
    FIND = select!(" WHERE f.id = ?1 AND f.tenant_id = ?2 AND f.mode = ?3");
    OF_VISIT = select!(" WHERE f.tenant_id = ?1 AND f.mode = ?2 AND f.visit_id = ?3");
    VISIT_LOCKED = "SELECT v.id FROM visits v WHERE v.id IN (SELECT f.visit_id FROM forms f WHERE f.id = ?1) /*lock*/";
    DELETE = "DELETE FROM forms WHERE id = ?1";
}

pub(crate) static FORMS: List = List {
    name: "forms",
    select: select!(""),
    id: "f.id",
    position: COLUMNS.id,
    always: &["f.tenant_id = ?", "f.mode = ?"],
    filters: &["f.user_id = ?", "f.link_site_id = ?", "f.visit_id = ?", "f.status = ?"],
};

/// Filters for a list of forms.
#[derive(Debug, Clone, Copy, Default)]
pub struct FormFilter<'a> {
    /// Only forms of this user.
    pub user: Option<&'a UserId>,
    /// Only forms submitted on this site.
    pub site: Option<&'a LinkSiteId>,
    /// Only the form submitted in this visit.
    pub visit: Option<&'a LinkSiteSessionId>,
    /// Only forms with this status.
    pub status: Option<FormStatus>,
    /// Only forms submitted in this span.
    pub created: Created,
}

/// A form's row before its body is opened.
struct Stored {
    id: FormId,
    owner: Owner,
    user_id: UserId,
    link_site_id: LinkSiteId,
    visit_id: LinkSiteSessionId,
    status: FormStatus,
    created_at: TenantTime,
    body: Sealed,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        link_site_id: parse(TABLE, row.str(COLUMNS.link_site_id)?)?,
        visit_id: parse(TABLE, row.str(COLUMNS.visit_id)?)?,
        status: parse(TABLE, row.str(COLUMNS.status)?)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        body: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<FormSubmission, StoreError> {
        let content = self.body.open(reader, Location { table: TABLE, id: self.id.as_str() })?;
        Ok(FormSubmission {
            id: self.id,
            owner: self.owner,
            user_id: self.user_id,
            link_site_id: self.link_site_id,
            visit_id: self.visit_id,
            status: self.status,
            created_at: self.created_at,
            content,
        })
    }
}

resource! {
    /// Form submissions.
    Forms, forms
}

impl<'c, S: ReadSession<'c>> Forms<'_, S> {
    /// Returns a form submission.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &FormId) -> Result<Option<FormSubmission>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND, owned, read)?.map(|stored| stored.open(self.0.reader())).transpose()
    }

    /// Returns form submissions, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        filter: FormFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<FormSubmission>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[
                filter.user.map(UserId::as_str),
                filter.site.map(LinkSiteId::as_str),
                filter.visit.map(LinkSiteSessionId::as_str),
                filter.status.map(FormStatus::as_str),
            ],
            created: filter.created,
            prefix: FormId::PREFIX,
            request,
        };
        self.0.reader().page(&FORMS, &query, read, |reader, stored| stored.open(reader))
    }

    /// Returns the answers of a visit of this owner.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_visit(
        &mut self,
        owner: &Owner,
        visit: &LinkSiteSessionId,
    ) -> Result<Option<FormSubmission>, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str(), visit.as_str()];
        self.session().find(&OF_VISIT, owned, read)?.map(|stored| stored.open(self.0.reader())).transpose()
    }
}

impl Forms<'_, Tx<'_>> {
    /// Returns a form submission, and locks its visit if it still exists, as requests of the visit do. `None` if the
    /// submission does not exist, or its key is gone.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn lock(&mut self, owner: &Owner, id: &FormId) -> Result<Option<FormSubmission>, StoreError> {
        self.session().lock(&VISIT_LOCKED, params![id.as_str()])?;
        match self.get(owner, id) {
            Err(StoreError::Erased) => Ok(None),
            found => found,
        }
    }

    pub(crate) fn put(&mut self, form: &FormSubmission) -> Result<(), StoreError> {
        let location = Location { table: TABLE, id: form.id.as_str() };
        let body = self.0.seal_until(location, form.data_ends_at(), &form.content)?;
        self.session().execute_later(
            &PUT,
            params![
                form.id.as_str(),
                form.owner.tenant.as_str(),
                form.owner.mode.as_str(),
                form.user_id.as_str(),
                form.link_site_id.as_str(),
                form.visit_id.as_str(),
                form.status.as_str(),
                form.created_at.micros(),
                &body,
            ],
        )
    }

    pub(crate) fn delete(&mut self, id: &FormId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
