//! Link, consent and invite templates: a tenant's configuration, unencrypted. Deleted templates are hidden. Deleted
//! consent and invite templates stay readable for the rows that cite them.

use consent_templates::ConsentTemplates;
use link_domain::invitations::invite::InviteTemplate;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::template::{ConsentTemplate, LinkTemplate};
use link_templates::LinkTemplates;
use link_types::id::{ConsentTemplateId, InviteTemplateId, LinkTemplateId};

use crate::body::{decode, encode};
use crate::reader::{ReadSession, parse};
use crate::sql::{columns, params, statements};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, owner};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

/// Defines one kind of template. The statements and methods differ only by name.
macro_rules! templates {
    (
        $(#[$doc:meta])*
        $module:ident, $table:literal, $Templates:ident, $Template:ident, $Id:ident, $list:ident, $put:ident,
        $what:literal
    ) => {
        pub(crate) mod $module {
            use super::*;

            const TABLE: &str = $table;

            columns! {
                /// The columns of a template.
                template_columns => struct Columns { id, tenant_id, mode, body }
            }
            const COLUMNS: Columns = Columns::after(0);

            statements! {
                PUT = concat!("INSERT INTO ", $table, " (id, tenant_id, mode, body) VALUES (?1, ?2, ?3, ?4) \
                       ON CONFLICT (id) DO UPDATE SET body = excluded.body");
                FIND = concat!("SELECT ", template_columns!(""), " FROM ", $table,
                    " WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 AND deleted = 0");
                FIND_LOCKED = concat!("SELECT ", template_columns!(""), " FROM ", $table,
                    " WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 AND deleted = 0 /*lock*/");
                FIND_SHARED = concat!("SELECT ", template_columns!(""), " FROM ", $table,
                    " WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 AND deleted = 0 /*share*/");
                FIND_KEPT = concat!("SELECT ", template_columns!(""), " FROM ", $table,
                    " WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3");
                COUNT = concat!("SELECT COUNT(*) FROM ", $table,
                    " WHERE tenant_id = ?1 AND mode = ?2 AND deleted = 0");
                HIDE = concat!("UPDATE ", $table, " SET deleted = 1 WHERE id = ?1");
            }

            pub(crate) static $list: List = List {
                name: $table,
                select: concat!("SELECT ", template_columns!(""), " FROM ", $table),
                id: "id",
                position: COLUMNS.id,
                always: &["tenant_id = ?", "mode = ?", "deleted = 0"],
                filters: &[],
            };

            fn read(row: &crate::sql::Row<'_>) -> Result<$Template, StoreError> {
                Ok($Template {
                    owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
                    template: decode(TABLE, row.slice(COLUMNS.body)?)?,
                })
            }

            resource! {
                $(#[$doc])*
                $Templates, $module
            }

            impl $Templates<'_, Reader<'_>> {
                #[doc = concat!("Returns an owner's ", $what, ".\n\n# Errors\n\n")]
                #[doc = "[`StoreError`] if the database cannot be read."]
                pub fn get(&mut self, owner: &Owner, id: &$Id) -> Result<Option<$Template>, StoreError> {
                    let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
                    self.session().find(&FIND, owned, read)
                }
            }

            impl<'c, S: ReadSession<'c>> $Templates<'_, S> {
                #[doc = concat!("Returns an owner's ", $what, ", including a deleted one, for rows that cite it.\n\n")]
                #[doc = "# Errors\n\n"]
                #[doc = "[`StoreError`] if the database cannot be read."]
                pub fn get_kept(&mut self, owner: &Owner, id: &$Id) -> Result<Option<$Template>, StoreError> {
                    let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
                    self.session().find(&FIND_KEPT, owned, read)
                }

                #[doc = concat!("Returns an owner's ", $what, "s, newest first.\n\n# Errors\n\n")]
                #[doc = "[`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database \
                         cannot be read."]
                pub fn list(
                    &mut self,
                    owner: &Owner,
                    request: &PageRequest,
                ) -> Result<Page<$Template>, StoreError> {
                    let query = ListQuery {
                        owner,
                        always: &[],
                        filters: &[],
                        created: Created::default(),
                        prefix: $Id::PREFIX,
                        request,
                    };
                    self.0.reader().page(&$list, &query, read, |_, template| Ok(template))
                }

                #[doc = concat!("Returns the number of an owner's ", $what, "s.\n\n# Errors\n\n")]
                #[doc = "[`StoreError`] if the database cannot be read."]
                pub fn count(&mut self, owner: &Owner) -> Result<u64, StoreError> {
                    let owned = params![owner.tenant.as_str(), owner.mode.as_str()];
                    let found = self.session().find(&COUNT, owned, |row| count(TABLE, row.int(0)?))?;
                    Ok(found.unwrap_or_default())
                }
            }

            impl $Templates<'_, Tx<'_>> {
                #[doc = concat!("Returns and locks an owner's ", $what, ".\n\n# Errors\n\n")]
                #[doc = "[`StoreError`] if the database cannot be read."]
                pub fn get(&mut self, owner: &Owner, id: &$Id) -> Result<Option<$Template>, StoreError> {
                    let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
                    self.session().find(&FIND_LOCKED, owned, read)
                }

                #[doc = concat!("Returns an owner's ", $what, " for a unit that cites it, with a shared lock.\n\n")]
                #[doc = "Changing or deleting it waits until the units that cite it have committed.\n\n# Errors\n\n"]
                #[doc = "[`StoreError`] if the database cannot be read."]
                pub fn get_to_cite(
                    &mut self,
                    owner: &Owner,
                    id: &$Id,
                ) -> Result<Option<$Template>, StoreError> {
                    let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
                    self.session().find(&FIND_SHARED, owned, read)
                }

                pub(crate) fn $put(&mut self, template: &$Template) -> Result<(), StoreError> {
                    let $Template { owner, template } = template;
                    let body = encode(TABLE, template)?;
                    self.session()
                        .execute(
                            &PUT,
                            params![
                                template.id.as_str(),
                                owner.tenant.as_str(),
                                owner.mode.as_str(),
                                body.as_slice()
                            ],
                        )
                        .map(drop)
                }

                pub(crate) fn hide(&mut self, id: &$Id) -> Result<(), StoreError> {
                    self.session().execute(&HIDE, params![id.as_str()]).map(drop)
                }
            }
        }
    };
}

templates!(
    /// Link templates.
    link_templates,
    "link_templates",
    LinkTemplates,
    LinkTemplate,
    LinkTemplateId,
    LINK_TEMPLATES,
    put_body,
    "link template"
);
templates!(
    /// Consent templates.
    consent_templates,
    "consent_templates",
    ConsentTemplates,
    ConsentTemplate,
    ConsentTemplateId,
    CONSENT_TEMPLATES,
    put,
    "consent template"
);
templates!(
    /// Invite templates.
    invite_templates,
    "invite_templates",
    InviteTemplates,
    InviteTemplate,
    InviteTemplateId,
    INVITE_TEMPLATES,
    put,
    "invite template"
);

const LINK_TEMPLATES: &str = "link_templates";

columns! {
    /// The columns of a template of any owner.
    any_owner_columns => struct AnyOwnerColumns { tenant_id, mode, body }
}
const ANY_OWNER: AnyOwnerColumns = AnyOwnerColumns::after(0);

statements! {
    FIND_LINK_TEMPLATE_BY_ID = concat!("SELECT ", any_owner_columns!(""), " FROM link_templates WHERE id = ?1 \
                               AND deleted = 0");
    SET_CONSENT_OF_LINK_TEMPLATE = "UPDATE link_templates SET consent_template_id = ?2 WHERE id = ?1";
    CITE_CONSENT = "UPDATE consent_templates SET cited = 1 WHERE id = ?1 AND cited = 0";
    IS_CONSENT_CITED = "SELECT cited FROM consent_templates WHERE id = ?1 AND cited = 1";
    NEWEST_LINK_TEMPLATE_OF_CONSENT = "SELECT id FROM link_templates \
                                       WHERE consent_template_id = ?1 AND deleted = 0 ORDER BY id DESC LIMIT 1";
}

/// Reason why a consent template cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentUse {
    /// A link template shows it.
    LinkTemplate,
    /// A consent receipt cites it.
    Receipt,
}

impl<'c, S: ReadSession<'c>> LinkTemplates<'_, S> {
    /// Returns a link template of any owner, for the frame, which does not know the tenant.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get_of_any_owner(&mut self, id: &LinkTemplateId) -> Result<Option<LinkTemplate>, StoreError> {
        self.session().find(&FIND_LINK_TEMPLATE_BY_ID, params![id.as_str()], |row| {
            let body = decode(LINK_TEMPLATES, row.slice(ANY_OWNER.body)?)?;
            let owner = owner(LINK_TEMPLATES, row, ANY_OWNER.tenant_id, ANY_OWNER.mode)?;
            Ok(LinkTemplate { owner, template: body })
        })
    }
}

impl LinkTemplates<'_, Reader<'_>> {
    /// Returns the newest link template that shows a consent template.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn newest_of_consent(
        &mut self,
        owner: &Owner,
        consent: &ConsentTemplateId,
    ) -> Result<Option<LinkTemplate>, StoreError> {
        let values = params![consent.as_str()];
        let newest = self.session().find(&NEWEST_LINK_TEMPLATE_OF_CONSENT, values, |row| {
            parse::<LinkTemplateId>(LINK_TEMPLATES, row.str(0)?)
        })?;
        match newest {
            Some(id) => self.get(owner, &id),
            None => Ok(None),
        }
    }
}

impl<'c, S: ReadSession<'c>> ConsentTemplates<'_, S> {
    /// Returns what cites a consent template, if anything does.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn usage(&mut self, id: &ConsentTemplateId) -> Result<Option<ConsentUse>, StoreError> {
        let session = self.session();
        if session.find(&NEWEST_LINK_TEMPLATE_OF_CONSENT, params![id.as_str()], |_| Ok(()))?.is_some() {
            return Ok(Some(ConsentUse::LinkTemplate));
        }
        let cited = session.find(&IS_CONSENT_CITED, params![id.as_str()], |_| Ok(()))?;
        Ok(cited.map(|()| ConsentUse::Receipt))
    }
}

impl LinkTemplates<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, template: &LinkTemplate) -> Result<(), StoreError> {
        self.put_body(template)?;
        let LinkTemplate { owner: _, template } = template;
        let values = params![template.id.as_str(), template.consent_template_id.as_str()];
        self.session().execute_later(&SET_CONSENT_OF_LINK_TEMPLATE, values)
    }
}

impl ConsentTemplates<'_, Tx<'_>> {
    pub(crate) fn cite(&mut self, id: &ConsentTemplateId) -> Result<(), StoreError> {
        self.session().execute_later(&CITE_CONSENT, params![id.as_str()])
    }
}
