//! Invitations: the recipient is sealed with the invitation's own key, everything else is unencrypted.

use link_domain::invitations::invite::{Invite, InviteProgress};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::mail::address_hash;
use link_types::id::{
    AccountId, InviteId, InviteTemplateId, LinkSessionId, LinkSiteId, LinkSiteSessionId, LinkTemplateId,
    UserId,
};
use link_types::invite::InviteStatus;
use zeroize::Zeroizing;

use crate::body::{decode, encode};
use crate::keys::{Key, Label, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, key_columns};
use crate::tables::kernel::sealed::Sealed;
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, owner, small};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "invites";
/// Not a table: sealed mails are stored as files.
const MAILS: &str = "mails";

columns! {
    /// The columns of an invitation.
    invite_columns => struct Columns {
        id, tenant_id, mode, user_id, invite_template_id, link_template_id, link_site_id, visit_id, created_at,
        updated_at, version, event_count, progress, body,
    }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

columns! {
    /// The columns that name an invitation.
    name_columns => struct NameColumns { id, tenant_id, mode }
}
const NAME: NameColumns = NameColumns::after(0);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            invite_columns!("i."),
            ", ",
            key_columns!("k."),
            " FROM invites i LEFT JOIN scope_keys k ON k.scope_id = i.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO invites (id, tenant_id, mode, user_id, invite_template_id, link_template_id, status, \
           created_at, updated_at, version, event_count, progress, code_hash, pixel_hash, body, visit_id, link_site_id, \
           address_hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18) \
           ON CONFLICT (id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at, \
           version = excluded.version, event_count = excluded.event_count, progress = excluded.progress, \
           code_hash = excluded.code_hash, pixel_hash = excluded.pixel_hash, body = excluded.body, \
           address_hash = excluded.address_hash, \
           visit_id = excluded.visit_id \
           WHERE invites.version < excluded.version";
    LOCK = "SELECT id FROM invites WHERE id = ?1 /*lock*/";
    FIND = select!(" WHERE i.id = ?1 AND i.tenant_id = ?2 AND i.mode = ?3");
    USERS_BY_ADDRESS = "SELECT user_id FROM invites WHERE tenant_id = ?1 AND mode = ?2 AND address_hash = ?3 \
                        GROUP BY user_id ORDER BY MAX(id) DESC LIMIT ?4";
    FIND_BY_CODE = concat!("SELECT ", name_columns!(""), " FROM invites WHERE code_hash = ?1");
    FIND_BY_PIXEL = concat!("SELECT ", name_columns!(""), " FROM invites WHERE pixel_hash = ?1");
    FIND_BY_ACCOUNT = "SELECT invite_id FROM invite_accounts WHERE account_id = ?1";
    PUT_ACCOUNT = "INSERT INTO invite_accounts (account_id, invite_id) VALUES (?1, ?2) \
                   ON CONFLICT (account_id) DO UPDATE SET invite_id = excluded.invite_id";
    STRIP = "UPDATE invites SET code_hash = NULL, pixel_hash = NULL, address_hash = NULL, body = NULL WHERE id = ?1";
    DELETE = "DELETE FROM invites WHERE id = ?1";
    DELETE_ACCOUNTS = "DELETE FROM invite_accounts WHERE invite_id = ?1";
    DELETE_VISITS = "DELETE FROM visits WHERE invite_id = ?1";
    DELETE_TOKENS = "DELETE FROM link_tokens WHERE invite_id = ?1";
    DELETE_SESSIONS = "DELETE FROM link_sessions WHERE invite_id = ?1 RETURNING id";
    DELETE_UNUSED_TOKENS = "DELETE FROM link_tokens WHERE invite_id = ?1 AND consumed_at IS NULL \
                            AND hash NOT IN (SELECT hash FROM link_tokens WHERE invite_id = ?1 \
                            AND consumed_at IS NULL ORDER BY created_at DESC, hash LIMIT ?2)";
}

pub(crate) static INVITES: List = List {
    name: "invites",
    select: select!(""),
    id: "i.id",
    position: COLUMNS.id,
    always: &["i.tenant_id = ?", "i.mode = ?"],
    filters: &["i.user_id = ?", "i.status = ?", "i.visit_id = ?"],
};

/// Filters for a list of invitations.
#[derive(Debug, Clone, Copy, Default)]
pub struct InviteFilter<'a> {
    /// Only invitations of this user.
    pub user: Option<&'a UserId>,
    /// Only invitations with this status.
    pub status: Option<InviteStatus>,
    /// Only the invitation whose newest visit this is.
    pub visit: Option<&'a LinkSiteSessionId>,
    /// Only invitations created in this span.
    pub created: Created,
}

/// Seals and opens the stored mails of an invitation, or of links to people's own pages.
#[derive(Clone, Debug)]
pub struct MailKey(pub(in crate::tables) Key);

impl MailKey {
    /// Seals a mail under its name.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoEntropy`] if there are no random bytes.
    pub fn seal(&self, name: &str, clear: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.0.seal(Location { table: MAILS, id: name }, clear)
    }

    /// Opens a mail.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unsealable`] if it was not sealed under this name.
    pub fn open(&self, name: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, StoreError> {
        self.0.open(Location { table: MAILS, id: name }, sealed)
    }
}

/// An invitation's row before its body is opened.
struct Stored {
    id: InviteId,
    owner: Owner,
    user_id: UserId,
    invite_template_id: InviteTemplateId,
    link_template_id: LinkTemplateId,
    link_site_id: Option<LinkSiteId>,
    visit_id: Option<LinkSiteSessionId>,
    created_at: TenantTime,
    updated_at: TenantTime,
    version: u32,
    event_count: u64,
    progress: InviteProgress,
    body: Sealed,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        invite_template_id: parse(TABLE, row.str(COLUMNS.invite_template_id)?)?,
        link_template_id: parse(TABLE, row.str(COLUMNS.link_template_id)?)?,
        link_site_id: row.opt_str(COLUMNS.link_site_id)?.map(|id| parse(TABLE, id)).transpose()?,
        visit_id: row.opt_str(COLUMNS.visit_id)?.map(|id| parse(TABLE, id)).transpose()?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        updated_at: TenantTime::from_micros(row.int(COLUMNS.updated_at)?),
        version: small(TABLE, row.int(COLUMNS.version)?)?,
        event_count: count(TABLE, row.int(COLUMNS.event_count)?)?,
        progress: decode(TABLE, row.slice(COLUMNS.progress)?)?,
        body: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<Invite, StoreError> {
        let location = Location { table: TABLE, id: self.id.as_str() };
        let details = if self.body.is_gone() { None } else { Some(self.body.open(reader, location)?) };
        Ok(Invite {
            id: self.id,
            owner: self.owner,
            user_id: self.user_id,
            invite_template_id: self.invite_template_id,
            link_template_id: self.link_template_id,
            link_site_id: self.link_site_id,
            visit_id: self.visit_id,
            created_at: self.created_at,
            updated_at: self.updated_at,
            version: self.version,
            event_count: self.event_count,
            progress: self.progress,
            details,
        })
    }
}

resource! {
    /// Invitations.
    Invites, invites
}

impl Invites<'_, Reader<'_>> {
    /// Returns an invitation, including revoked ones.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &InviteId) -> Result<Option<Invite>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND, owned, read)?.map(|stored| stored.open(self.0)).transpose()
    }
}

impl<'c, S: ReadSession<'c>> Invites<'_, S> {
    /// Returns invitations, newest first, including revoked ones.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        filter: InviteFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<Invite>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[
                filter.user.map(UserId::as_str),
                filter.status.map(InviteStatus::as_str),
                filter.visit.map(LinkSiteSessionId::as_str),
            ],
            created: filter.created,
            prefix: InviteId::PREFIX,
            request,
        };
        self.0.reader().page(&INVITES, &query, read, |reader, stored| stored.open(reader))
    }

    /// Returns the users who were invited to an address, those with the newest invitations first, at most `limit`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn users_by_address(
        &mut self,
        owner: &Owner,
        address: &str,
        limit: usize,
    ) -> Result<Vec<UserId>, StoreError> {
        let hash = address_hash(&self.0.reader().derive_key(Label::Lookup), address);
        let wanted = params![owner.tenant.as_str(), owner.mode.as_str(), hash.as_bytes(), limit as i64];
        self.session().query(&USERS_BY_ADDRESS, wanted, |row| parse(TABLE, row.str(0)?))
    }

    /// Returns the invitation whose link has the code with this digest, and its owner, because the code does not name
    /// the tenant.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_code(&mut self, code_hash: &Digest32) -> Result<Option<(Owner, InviteId)>, StoreError> {
        self.session().find(&FIND_BY_CODE, params![code_hash.as_bytes()], decode_id)
    }

    /// Returns the invitation whose mail has the tracking pixel with this digest, and its owner.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_pixel(&mut self, pixel_hash: &Digest32) -> Result<Option<(Owner, InviteId)>, StoreError> {
        self.session().find(&FIND_BY_PIXEL, params![pixel_hash.as_bytes()], decode_id)
    }

    /// Returns the key of an invitation's mails, or [`StoreError::Erased`] if the invitation is revoked or deleted.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn mail_key(&mut self, id: &InviteId) -> Result<MailKey, StoreError> {
        self.0.reader().scope_key(id.as_str()).map(MailKey)
    }

    /// Returns the invitation in whose visit an account was created.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_account(&mut self, account: &AccountId) -> Result<Option<InviteId>, StoreError> {
        self.session().find(&FIND_BY_ACCOUNT, params![account.as_str()], |row| parse(TABLE, row.str(0)?))
    }
}

fn decode_id(row: &Row<'_>) -> Result<(Owner, InviteId), StoreError> {
    Ok((owner(TABLE, row, NAME.tenant_id, NAME.mode)?, parse(TABLE, row.str(NAME.id)?)?))
}

impl Invites<'_, Tx<'_>> {
    /// Returns and locks an invitation, including revoked ones.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &InviteId) -> Result<Option<Invite>, StoreError> {
        // An outer-joined row cannot be locked, so the lock is taken first.
        self.session().lock(&LOCK, params![id.as_str()])?;
        self.0.reader.invites().get(owner, id)
    }

    pub(crate) fn put(&mut self, invite: &Invite) -> Result<(), StoreError> {
        let location = Location { table: TABLE, id: invite.id.as_str() };
        let ends_at = invite.data_ends_at();
        let seal = |details| self.0.seal_until(location, ends_at, details);
        let body = invite.details.as_ref().map(seal).transpose()?;
        let progress = encode(TABLE, &invite.progress)?;
        let (code, pixel) = (invite.code_hash(), invite.pixel_hash());
        let key = self.0.derive_key(Label::Lookup);
        let address = invite.details.as_ref().map(|it| address_hash(&key, it.email_address.expose()));
        let touched = self.session().execute(
            &PUT,
            params![
                invite.id.as_str(),
                invite.owner.tenant.as_str(),
                invite.owner.mode.as_str(),
                invite.user_id.as_str(),
                invite.invite_template_id.as_str(),
                invite.link_template_id.as_str(),
                invite.progress.status.as_str(),
                invite.created_at.micros(),
                invite.updated_at.micros(),
                i64::from(invite.version),
                invite.event_count as i64,
                progress.as_slice(),
                code.as_ref().map(Digest32::as_bytes),
                pixel.as_ref().map(Digest32::as_bytes),
                body.as_ref(),
                invite.visit_id.as_ref().map(LinkSiteSessionId::as_str),
                invite.link_site_id.as_ref().map(LinkSiteId::as_str),
                address.as_ref().map(Digest32::as_bytes),
            ],
        )?;
        if touched == 0 { Err(StoreError::Stale { table: TABLE }) } else { Ok(()) }
    }

    pub(crate) fn put_account(&mut self, account: &AccountId, invite: &InviteId) -> Result<(), StoreError> {
        self.session().execute_later(&PUT_ACCOUNT, params![account.as_str(), invite.as_str()])
    }

    /// Deletes the unused link tokens of an invitation, except the newest `but`. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_unused_tokens(&mut self, id: &InviteId, but: usize) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_UNUSED_TOKENS, params![id.as_str(), but as i64])
    }

    /// Deletes the recipient of an invitation, and ends the sessions that were opened with it.
    pub(crate) fn strip(&mut self, id: &InviteId) -> Result<(), StoreError> {
        // Tokens before sessions: their rows wait for a concurrent exchange, whose session is then deleted too. Sessions
        // before hand-offs for the same reason.
        for opened in [&DELETE_VISITS, &DELETE_TOKENS] {
            self.session().execute(opened, params![id.as_str()])?;
        }
        let sessions = self.session().query(&DELETE_SESSIONS, params![id.as_str()], |row| {
            parse::<LinkSessionId>(TABLE, row.str(0)?)
        })?;
        for session in sessions {
            self.0.link_handoffs().delete(&session)?;
        }
        self.session().execute(&STRIP, params![id.as_str()]).map(drop)
    }

    pub(crate) fn delete(&mut self, id: &InviteId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_ACCOUNTS, params![id.as_str()])?;
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
