//! Link and consent templates: what a tenant configures, in plain JSON.

use link_domain::owner::Owner;
use link_domain::template::{ConsentTemplate, LinkTemplate};
use link_types::id::{ConsentTemplateId, LinkTemplateId};

use super::list::{Created, List, ListQuery};
use super::owner;
use crate::reader::{decode, encode};
use crate::sql::{params, statements};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

/// One kind of template: its statements and methods are the same but for the names.
macro_rules! templates {
    (
        $module:ident, $table:literal, $Template:ident, $Id:ident, $list:ident,
        $find:ident, $find_by_id:ident, $page:ident, $put:ident, $what:literal
    ) => {
        pub(crate) mod $module {
            use super::*;

            const TABLE: &str = $table;

            statements! {
                PUT = concat!("INSERT INTO ", $table, " (id, tenant_id, mode, body) VALUES (?1, ?2, ?3, ?4) \
                       ON CONFLICT (id) DO UPDATE SET body = excluded.body");
                FIND = concat!("SELECT id, tenant_id, mode, body FROM ", $table,
                    " WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3");
                FIND_LOCKED = concat!("SELECT id, tenant_id, mode, body FROM ", $table,
                    " WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 /*lock*/");
                FIND_BY_ID = concat!("SELECT id, tenant_id, mode, body FROM ", $table, " WHERE id = ?1");
            }

            pub(crate) static $list: List = List {
                name: $table,
                select: concat!("SELECT id, tenant_id, mode, body FROM ", $table),
                id: "id",
                always: &["tenant_id = ?", "mode = ?"],
                filters: &[],
            };

            fn read(row: &crate::sql::Row<'_>) -> Result<$Template, StoreError> {
                Ok($Template { owner: owner(TABLE, row, 1)?, template: decode(TABLE, &row.bytes(3)?)? })
            }

            impl Reader<'_> {
                #[doc = concat!("An owner's ", $what, ".\n\n# Errors\n\n")]
                #[doc = "[`StoreError`] when the database cannot be read."]
                pub fn $find(&mut self, owner: &Owner, id: &$Id) -> Result<Option<$Template>, StoreError> {
                    let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
                    self.session.find(&FIND, owned, read)
                }

                #[doc = concat!("A ", $what, " of whatever owner: for the frame, which knows no tenant.\n\n")]
                #[doc = "# Errors\n\n[`StoreError`] when the database cannot be read."]
                pub fn $find_by_id(&mut self, id: &$Id) -> Result<Option<$Template>, StoreError> {
                    self.session.find(&FIND_BY_ID, params![id.as_str()], read)
                }

                #[doc = concat!("An owner's ", $what, "s, newest first.\n\n# Errors\n\n")]
                #[doc = "[`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] when the database \
                         cannot be read."]
                pub fn $page(
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
                    self.page(&$list, &query, read, |_, template| Ok(template))
                }
            }

            impl Tx<'_> {
                #[doc = concat!("An owner's ", $what, ", locked.\n\n# Errors\n\n")]
                #[doc = "[`StoreError`] when the database cannot be read."]
                pub fn $find(&mut self, owner: &Owner, id: &$Id) -> Result<Option<$Template>, StoreError> {
                    let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
                    self.session.find(&FIND_LOCKED, owned, read)
                }

                pub(crate) fn $put(&mut self, template: &$Template) -> Result<(), StoreError> {
                    let $Template { owner, template } = template;
                    let body = encode(TABLE, template)?;
                    self.session
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
            }
        }
    };
}

templates!(
    link_templates,
    "link_templates",
    LinkTemplate,
    LinkTemplateId,
    LINK_TEMPLATES,
    link_template,
    link_template_by_id,
    link_templates,
    put_link_template,
    "link template"
);
templates!(
    consent_templates,
    "consent_templates",
    ConsentTemplate,
    ConsentTemplateId,
    CONSENT_TEMPLATES,
    consent_template,
    consent_template_by_id,
    consent_templates,
    put_consent_template,
    "consent template"
);
