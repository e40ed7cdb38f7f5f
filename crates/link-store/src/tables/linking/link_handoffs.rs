//! Hand-offs, at most one for each session, found by the digest of their code or of the phone's secret.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::linking::link::{Consumption, Handoff, HandoffEnd, HandoffStep};
use link_types::id::LinkSessionId;

use crate::reader::parse;
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{digest, opt_digest, owner, small};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "link_handoffs";

columns! {
    /// The columns of a hand-off.
    handoff_columns => struct Columns {
        session_id, tenant_id, mode, user_id, token_hash, account_id, login_form, archive_type, number,
        created_at, continued_at, secret_hash, ended,
    }
}
const COLUMNS: Columns = Columns::after(0);

macro_rules! select {
    ($condition:literal) => {
        concat!("SELECT ", handoff_columns!(""), " FROM link_handoffs WHERE ", $condition)
    };
}

statements! {
    PUT = "INSERT INTO link_handoffs (session_id, tenant_id, mode, user_id, token_hash, account_id, login_form, \
           archive_type, number, created_at, continued_at, secret_hash, ended) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) \
           ON CONFLICT (session_id) DO UPDATE SET token_hash = excluded.token_hash, \
           account_id = excluded.account_id, login_form = excluded.login_form, \
           archive_type = excluded.archive_type, number = excluded.number, created_at = excluded.created_at, \
           continued_at = excluded.continued_at, secret_hash = excluded.secret_hash, ended = excluded.ended";
    FIND_BY_TOKEN = select!("token_hash = ?1");
    FIND_BY_SECRET = select!("secret_hash = ?1");
    FIND = select!("session_id = ?1");
    FIND_LOCKED = select!("session_id = ?1 /*lock*/");
    DELETE = "DELETE FROM link_handoffs WHERE session_id = ?1";
    DELETE_OLD = "DELETE FROM link_handoffs WHERE created_at < ?1";
}

fn read(row: &Row<'_>) -> Result<Handoff, StoreError> {
    let continued_at = row.opt_int(COLUMNS.continued_at)?.map(Wall::from_micros);
    let secret_hash = opt_digest(TABLE, row.opt_bytes(COLUMNS.secret_hash)?)?;
    Ok(Handoff {
        session_id: parse(TABLE, row.str(COLUMNS.session_id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        token_hash: digest(TABLE, row.bytes(COLUMNS.token_hash)?)?,
        step: step(
            row.opt_str(COLUMNS.account_id)?,
            opt_digest(TABLE, row.opt_bytes(COLUMNS.login_form)?)?,
            row.opt_str(COLUMNS.archive_type)?,
        )?,
        number: small(TABLE, row.int(COLUMNS.number)?)?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
        continued: continued_at.zip(secret_hash).map(|(at, secret_hash)| Consumption { at, secret_hash }),
        ended: row.opt_text(COLUMNS.ended)?.map(|word| end_of(&word)).transpose()?,
    })
}

fn step(
    account: Option<&str>,
    login: Option<Digest32>,
    kind: Option<&str>,
) -> Result<HandoffStep, StoreError> {
    match (account.zip(login), kind) {
        (Some((account, login)), _) => {
            Ok(HandoffStep::Challenge { account_id: parse(TABLE, account)?, login })
        }
        (None, Some(kind)) => Ok(HandoffStep::Upload(parse(TABLE, kind)?)),
        (None, None) => Err(StoreError::undecodable(TABLE, "a hand-off without a step")),
    }
}

const fn word_of(end: HandoffEnd) -> &'static str {
    match end {
        HandoffEnd::Submitted => "SUBMITTED",
        HandoffEnd::Left => "LEFT",
        HandoffEnd::TakenBack => "TAKEN_BACK",
    }
}

fn end_of(word: &str) -> Result<HandoffEnd, StoreError> {
    [HandoffEnd::Submitted, HandoffEnd::Left, HandoffEnd::TakenBack]
        .into_iter()
        .find(|end| word_of(*end) == word)
        .ok_or_else(|| StoreError::undecodable(TABLE, "an unknown end"))
}

resource! {
    /// Hand-offs of sessions.
    LinkHandoffs, link_handoffs
}

impl LinkHandoffs<'_, Reader<'_>> {
    /// Returns the hand-off whose token has this digest, including ended ones.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_token(&mut self, token_hash: &Digest32) -> Result<Option<Handoff>, StoreError> {
        self.session().find(&FIND_BY_TOKEN, params![token_hash.as_bytes()], read)
    }

    /// Returns the hand-off whose phone's secret has this digest, including ended ones.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<Handoff>, StoreError> {
        self.session().find(&FIND_BY_SECRET, params![secret_hash.as_bytes()], read)
    }

    /// Returns the latest hand-off of a session.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, session: &LinkSessionId) -> Result<Option<Handoff>, StoreError> {
        self.session().find(&FIND, params![session.as_str()], read)
    }
}

impl LinkHandoffs<'_, Tx<'_>> {
    /// Returns and locks the latest hand-off of a session. Lock the session first: everything that locks both does so in
    /// this order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, session: &LinkSessionId) -> Result<Option<Handoff>, StoreError> {
        self.session().find(&FIND_LOCKED, params![session.as_str()], read)
    }

    /// Deletes hand-offs that were created before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_created_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn delete(&mut self, session: &LinkSessionId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![session.as_str()])
    }

    pub(crate) fn put(&mut self, handoff: &Handoff) -> Result<(), StoreError> {
        let (account, login, kind) = match &handoff.step {
            HandoffStep::Challenge { account_id, login } => (Some(account_id.as_str()), Some(login), None),
            HandoffStep::Upload(kind) => (None, None, Some(kind.as_str())),
        };
        let continued = handoff.continued.as_ref();
        self.session().execute_later(
            &PUT,
            params![
                handoff.session_id.as_str(),
                handoff.owner.tenant.as_str(),
                handoff.owner.mode.as_str(),
                handoff.user_id.as_str(),
                handoff.token_hash.as_bytes(),
                account,
                login.map(Digest32::as_bytes),
                kind,
                i64::from(handoff.number),
                handoff.created_at.micros(),
                continued.map(|it| it.at.micros()),
                continued.map(|it| it.secret_hash.as_bytes()),
                handoff.ended.map(word_of),
            ],
        )
    }
}
