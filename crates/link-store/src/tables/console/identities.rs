//! Identities of members at their tenants' providers, and people on their way to a provider.

use link_domain::console::single_sign_on::{Aim, Departure, Identity};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_types::id::{ConsoleSessionId, MemberId};

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{digest, opt_digest};
use crate::{StoreError, Tx};

const TABLE: &str = "console_identities";
const DEPARTURES: &str = "console_departures";

columns! {
    /// The columns of an identity.
    identity_columns => struct Columns { member_id, tenant_id, subject_hash, created_by, created_at }
}
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// The columns of a way to a provider.
    departure_columns => struct DepartureColumns { state_hash, browser_hash, tenant_id, code_hash, session_id, expires_at }
}
const DEPARTURE: DepartureColumns = DepartureColumns::after(0);

statements! {
    PUT = "INSERT INTO console_identities (member_id, tenant_id, subject_hash, created_by, created_at) \
           VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (member_id) DO UPDATE SET subject_hash = excluded.subject_hash, \
           created_by = excluded.created_by, created_at = excluded.created_at";
    BY_SUBJECT = concat!("SELECT ", identity_columns!(""), " FROM console_identities WHERE subject_hash = ?1");
    OF_MEMBER = concat!("SELECT ", identity_columns!(""), " FROM console_identities WHERE member_id = ?1");
    DELETE = "DELETE FROM console_identities WHERE member_id = ?1";
    DELETE_SESSIONS = "DELETE FROM console_sessions WHERE member_id = ?1 AND is_by_provider = 1 AND id <> ?2";
    PUT_DEPARTURE = "INSERT INTO console_departures (state_hash, browser_hash, tenant_id, code_hash, session_id, expires_at) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    FIND_DEPARTURE = concat!("SELECT ", departure_columns!(""), " FROM console_departures WHERE state_hash = ?1");
    LOCK_DEPARTURE = concat!("SELECT ", departure_columns!(""), " FROM console_departures WHERE state_hash = ?1 /*lock*/");
    DELETE_DEPARTURE = "DELETE FROM console_departures WHERE state_hash = ?1";
    DELETE_EXPIRED = "DELETE FROM console_departures WHERE expires_at < ?1";
}

fn read(row: &Row<'_>) -> Result<Identity, StoreError> {
    Ok(Identity {
        member_id: parse(TABLE, row.str(COLUMNS.member_id)?)?,
        tenant: parse(TABLE, row.str(COLUMNS.tenant_id)?)?,
        subject_hash: digest(TABLE, row.bytes(COLUMNS.subject_hash)?)?,
        created_by: row.opt_str(COLUMNS.created_by)?.map(|it| parse(TABLE, it)).transpose()?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
    })
}

fn read_departure(row: &Row<'_>) -> Result<Departure, StoreError> {
    let code = opt_digest(DEPARTURES, row.opt_bytes(DEPARTURE.code_hash)?)?;
    let session = row.opt_str(DEPARTURE.session_id)?.map(|it| parse(DEPARTURES, it)).transpose()?;
    Ok(Departure {
        state_hash: digest(DEPARTURES, row.bytes(DEPARTURE.state_hash)?)?,
        browser_hash: digest(DEPARTURES, row.bytes(DEPARTURE.browser_hash)?)?,
        tenant: parse(DEPARTURES, row.str(DEPARTURE.tenant_id)?)?,
        aim: match (code, session) {
            (Some(code), _) => Aim::Invitation(code),
            (None, Some(session)) => Aim::Link(session),
            (None, None) => Aim::SignIn,
        },
        expires_at: Wall::from_micros(row.int(DEPARTURE.expires_at)?),
    })
}

resource! {
    /// Identities of members at their tenants' providers.
    ConsoleIdentities, console_identities
}

impl<'c, S: ReadSession<'c>> ConsoleIdentities<'_, S> {
    /// Returns the identity with this hash.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_subject(&mut self, subject_hash: &Digest32) -> Result<Option<Identity>, StoreError> {
        self.session().find(&BY_SUBJECT, params![subject_hash.as_bytes()], read)
    }

    /// Returns the identity of a member.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_member(&mut self, member: &MemberId) -> Result<Option<Identity>, StoreError> {
        self.session().find(&OF_MEMBER, params![member.as_str()], read)
    }

    /// Returns the way to a provider whose state has this digest, without locking it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn find_departure(&mut self, state_hash: &Digest32) -> Result<Option<Departure>, StoreError> {
        self.session().find(&FIND_DEPARTURE, params![state_hash.as_bytes()], read_departure)
    }
}

impl ConsoleIdentities<'_, Tx<'_>> {
    /// Returns and locks the way to a provider whose state has this digest, so that only one of several concurrent returns
    /// succeeds.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn lock_departure(&mut self, state_hash: &Digest32) -> Result<Option<Departure>, StoreError> {
        self.session().find(&LOCK_DEPARTURE, params![state_hash.as_bytes()], read_departure)
    }

    /// Deletes ways that expired before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_departures_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_EXPIRED, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, identity: &Identity) -> Result<(), StoreError> {
        let Identity { member_id, tenant, subject_hash, created_by, created_at } = identity;
        self.session().execute_later(
            &PUT,
            params![
                member_id.as_str(),
                tenant.as_str(),
                subject_hash.as_bytes(),
                created_by.as_ref().map(MemberId::as_str),
                created_at.micros(),
            ],
        )
    }

    pub(crate) fn delete(&mut self, member: &MemberId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![member.as_str()])
    }

    /// Deletes the sessions of a member that began with the provider, except one.
    pub(crate) fn delete_sessions(
        &mut self,
        member: &MemberId,
        except: &ConsoleSessionId,
    ) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_SESSIONS, params![member.as_str(), except.as_str()])
    }

    pub(crate) fn put_departure(&mut self, departure: &Departure) -> Result<(), StoreError> {
        let Departure { state_hash, browser_hash, tenant, aim, expires_at } = departure;
        let (code, session) = match aim {
            Aim::SignIn => (None, None),
            Aim::Invitation(code) => (Some(code.as_bytes()), None),
            Aim::Link(session) => (None, Some(session.as_str())),
        };
        self.session().execute_later(
            &PUT_DEPARTURE,
            params![
                state_hash.as_bytes(),
                browser_hash.as_bytes(),
                tenant.as_str(),
                code,
                session,
                expires_at.micros(),
            ],
        )
    }

    pub(crate) fn delete_departure(&mut self, state_hash: &Digest32) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_DEPARTURE, params![state_hash.as_bytes()])
    }
}
