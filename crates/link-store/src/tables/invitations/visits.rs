//! Visits of the hosted pages, found by the digest of the browser's cookie. The proof of an address is sealed with the user's key.

use std::cmp::Reverse;

use link_domain::invitations::address_proof::{AddressProof, SentCode};
use link_domain::invitations::visit::{Visit, VisitOrigin, VisitRef};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::{Digest32, hex};
use link_domain::kernel::owner::Owner;
use link_domain::notifications::mail::address_hash;
use link_types::Sensitive;
use link_types::form_submission::FormStatus;
use link_types::id::{InviteId, LinkSiteSessionId, UserId};

use crate::body::{decode, encode};
use crate::keys::{Label, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{Param, Row, Sql, columns, params, statements};
use crate::tables::notifications::page_links::mail_scope;
use crate::tables::resource::resource;
use crate::tables::{digest, owner, small};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "visits";
/// The maximum number of visits that a method returns.
const MAX_VISITS: i64 = 50;

columns! {
    /// The columns of a visit.
    visit_columns => struct Columns {
        id, secret_hash, tenant_id, mode, user_id, invite_id, link_site_id, hosted_link_id, form_version, created_at,
        proof,
    }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO visits (id, secret_hash, tenant_id, mode, user_id, invite_id, link_site_id, form_version, \
           created_at, hosted_link_id, proof, address_hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) \
           ON CONFLICT (id) DO UPDATE SET proof = excluded.proof, address_hash = excluded.address_hash";
    FIND = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE secret_hash = ?1");
    FIND_LOCKED = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE secret_hash = ?1 /*lock*/");
    FIND_OWNED = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3");
    FIND_OWNED_LOCKED = concat!("SELECT ", visit_columns!(""), " FROM visits \
                        WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 /*lock*/");
    OF_ADDRESS = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE address_hash = ?1 \
                 ORDER BY created_at DESC LIMIT ?2");
    OF_USER = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2 \
              AND proof IS NOT NULL ORDER BY id LIMIT ?4 /*lock*/");
    /// Visits in which nothing was given. A form that was not submitted is deleted by its own rule.
    OLD_AND_EMPTY = concat!("SELECT ", visit_columns!("v."), " FROM visits v WHERE v.created_at < ?1 AND v.proof IS NOT NULL \
                    AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.tenant_id = v.tenant_id AND a.mode = v.mode \
                    AND a.user_id = v.user_id) \
                    AND NOT EXISTS (SELECT 1 FROM archives a WHERE a.tenant_id = v.tenant_id AND a.mode = v.mode \
                    AND a.user_id = v.user_id AND a.submitted_at IS NOT NULL) \
                    AND NOT EXISTS (SELECT 1 FROM forms f WHERE f.tenant_id = v.tenant_id AND f.mode = v.mode \
                    AND f.user_id = v.user_id AND f.status = ?2) ORDER BY v.created_at LIMIT ?3");
    DELETE = "DELETE FROM visits WHERE id = ?1";
    DELETE_OLD = "DELETE FROM visits WHERE created_at < ?1";
}

/// A visit's row before its proof is opened.
struct Stored {
    visit: Visit,
    proof: Option<Vec<u8>>,
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<Visit, StoreError> {
        let Self { visit, proof } = self;
        let Some(proof) = proof else { return Ok(visit) };
        let location = Location { table: TABLE, id: visit.id.as_str() };
        let clear = reader.scope_key(visit.user_id.as_str())?.open(location, &proof)?;
        Ok(Visit { proof: decode(TABLE, &clear)?, ..visit })
    }
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    let invite = row.opt_str(COLUMNS.invite_id)?;
    let (site, link) = (row.opt_str(COLUMNS.link_site_id)?, row.opt_str(COLUMNS.hosted_link_id)?);
    let origin = match (invite, site, link) {
        (Some(invite), ..) => VisitOrigin::Invite(parse(TABLE, invite)?),
        (None, Some(site), _) => VisitOrigin::LinkSite(parse(TABLE, site)?),
        (None, None, Some(link)) => VisitOrigin::HostedLink(parse(TABLE, link)?),
        (None, None, None) => return Err(StoreError::undecodable(TABLE, "a visit without a beginning")),
    };
    let visit = Visit {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        secret_hash: digest(TABLE, row.bytes(COLUMNS.secret_hash)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        origin,
        form_version: row.opt_int(COLUMNS.form_version)?.map(|it| small(TABLE, it)).transpose()?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
        proof: AddressProof::NotNeeded,
    };
    Ok(Stored { visit, proof: row.opt_bytes(COLUMNS.proof)? })
}

/// Reads the visit that a row of another table belongs to.
pub(crate) fn visit(
    table: &'static str,
    id: Option<&str>,
    invite_id: Option<&str>,
) -> Result<Option<VisitRef>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    let invite_id = invite_id.map(|it| parse(table, it)).transpose()?;
    Ok(Some(VisitRef { id: parse(table, id)?, invite_id }))
}

resource! {
    /// Visits of the hosted pages.
    Visits, visits
}

impl<'c, S: ReadSession<'c>> Visits<'_, S> {
    fn find(&mut self, sql: &'static Sql, values: &[Param<'_>]) -> Result<Option<Visit>, StoreError> {
        let found = self.session().find(sql, values, read)?;
        found.map(|stored| stored.open(self.0.reader())).transpose()
    }

    /// Returns an owner's visit, including visits that are over.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &LinkSiteSessionId) -> Result<Option<Visit>, StoreError> {
        self.find(&FIND_OWNED, params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()])
    }

    fn list(&mut self, sql: &'static Sql, values: &[Param<'_>]) -> Result<Vec<Visit>, StoreError> {
        let found = self.session().query(sql, values, read)?;
        found.into_iter().map(|stored| stored.open(self.0.reader())).collect()
    }

    /// Returns the codes that visits mailed to an address and that are not typed yet, newest first; those of the newest 50
    /// visits.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn codes_of_address(&mut self, address: &str) -> Result<Vec<SentCode>, StoreError> {
        let hash = address_hash(&self.0.reader().derive_key(Label::Lookup), address);
        let visits = self.list(&OF_ADDRESS, params![hash.as_bytes(), MAX_VISITS])?;
        let mut codes: Vec<_> = visits.iter().filter_map(|it| it.proof.sent_code().cloned()).collect();
        codes.sort_by_key(|it| Reverse(it.sent_at));
        Ok(codes)
    }
}

impl Visits<'_, Reader<'_>> {
    /// Returns the visit whose secret has this digest, including visits that are over.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<Visit>, StoreError> {
        self.find(&FIND, params![secret_hash.as_bytes()])
    }
}

impl Visits<'_, Tx<'_>> {
    /// Returns and locks the visit whose secret has this digest, so that only the first of two submissions of a form
    /// succeeds.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<Visit>, StoreError> {
        self.find(&FIND_LOCKED, params![secret_hash.as_bytes()])
    }

    /// Returns and locks an owner's visit.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn lock(&mut self, owner: &Owner, id: &LinkSiteSessionId) -> Result<Option<Visit>, StoreError> {
        self.find(&FIND_OWNED_LOCKED, params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()])
    }

    /// Returns and locks the visits of a user that need a proof of an address; at most 50.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn proofs_of_user(&mut self, owner: &Owner, user: &UserId) -> Result<Vec<Visit>, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str(), user.as_str(), MAX_VISITS];
        self.list(&OF_USER, owned)
    }

    /// Deletes visits that began before a time, needed a proof of an address, and in which the person gave nothing: at most 50.
    /// Returns their users, who may still have the address.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_empty_proofs(&mut self, moment: Wall) -> Result<Vec<(Owner, UserId)>, StoreError> {
        let submitted = FormStatus::Submitted.as_str();
        let found =
            self.session().query(&OLD_AND_EMPTY, params![moment.micros(), submitted, MAX_VISITS], read)?;
        for Stored { visit, .. } in &found {
            self.session().execute_later(&DELETE, params![visit.id.as_str()])?;
        }
        Ok(found.into_iter().map(|it| (it.visit.owner, it.visit.user_id)).collect())
    }

    /// Deletes visits that began before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_begun_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, visit: &Visit, now: Wall) -> Result<(), StoreError> {
        let proof = match &visit.proof {
            AddressProof::NotNeeded => None,
            proof @ (AddressProof::NotAsked | AddressProof::Sent(_) | AddressProof::Proven { .. }) => {
                let key = self.0.renew_scope_key(visit.user_id.as_str(), now, false)?;
                let location = Location { table: TABLE, id: visit.id.as_str() };
                Some(key.seal(location, &encode(TABLE, proof)?)?)
            }
        };
        let sent = visit.proof.sent_code();
        if let Some(sent) = sent.filter(|it| it.mail.is_some()) {
            // The mail may be stored, sealed with this key.
            let (scope, day) = mail_scope(sent.ends_at());
            self.0.scope_key_until(&scope, day)?;
        }
        let address = sent.map(|it| &it.address).map(Sensitive::expose);
        let hash = address.map(|it| address_hash(&self.0.derive_key(Label::Lookup), it));
        let (site, link) = match &visit.origin {
            VisitOrigin::Invite(_) => (None, None),
            VisitOrigin::LinkSite(id) => (Some(id.as_str()), None),
            VisitOrigin::HostedLink(id) => (None, Some(id.as_str())),
        };
        self.session().execute_later(
            &PUT,
            params![
                visit.id.as_str(),
                visit.secret_hash.as_bytes(),
                visit.owner.tenant.as_str(),
                visit.owner.mode.as_str(),
                visit.user_id.as_str(),
                visit.invite_id().map(InviteId::as_str),
                site,
                visit.form_version.map(i64::from),
                visit.created_at.micros(),
                link,
                proof.as_ref(),
                hash.as_ref().map(Digest32::as_bytes),
            ],
        )
    }
}

/// Returns the name of the mail of a code: the folder in which it may be stored, which is also the name of its key, and the file.
pub fn code_mail_name(code: &SentCode) -> String {
    format!("{}.{}", mail_scope(code.ends_at()).0, hex(&code.code_hash.as_bytes()[..16]))
}
