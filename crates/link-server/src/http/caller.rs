//! Who calls: a tenant's server with its key, or a widget with its session. Both types have private fields and
//! no constructor but their extractor, so a handler that has one has an authenticated caller.

use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use link_domain::change::{Change, Row};
use link_domain::clock::{ClockOffset, Now};
use link_domain::context::Context;
use link_domain::digest::Digest32;
use link_domain::link::{Attempt, LinkSession, SessionRefused};
use link_domain::owner::Owner;
use link_domain::tenant::ApiKey;
use link_store::{Store, Tx};
use link_types::Mode;
use link_types::Sensitive;
use link_types::problem::ProblemCode;

use super::client::Network;
use super::idempotency::Keyed;
use super::problem::{Answer, Problem};
use super::rate_limit::{LimitHeaders, Traffic};
use super::strangers::Stranger;
use crate::app::App;

/// A tenant's server, authenticated by its key in one environment.
pub struct TenantCaller {
    owner: Owner,
    offset: ClockOffset,
    keyed: Option<Keyed>,
    app: App,
}

impl TenantCaller {
    /// Whose rows this caller may see.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// This moment for the caller.
    pub fn now(&self) -> Now {
        self.app.now(self.offset)
    }

    /// Moment and randomness for one unit of work.
    pub fn context(&self) -> Context {
        self.app.context(self.offset)
    }

    /// The database.
    pub(super) fn store(&self) -> &Store {
        self.app.store()
    }

    /// The request under its key, if it has one.
    pub(super) fn keyed(&self) -> Option<&Keyed> {
        self.keyed.as_ref()
    }
}

impl FromRequestParts<App> for TenantCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let mode = mode_of(parts)?;
        let (key, secret) = basic_credentials(&parts.headers).ok_or_else(refused_key)?;
        if !(ApiKey::is_key(&key) && ApiKey::is_secret(&secret)) {
            return Err(Network::of(parts, app).refused(app, refused_key()));
        }
        let key_hash = Digest32::of(&key);
        let caller = match app.store().caller(key_hash).await? {
            Some(caller) if caller.0.accepts(&secret) && caller.0.owner.mode == mode => caller,
            Some(_) => return Err(Network::of(parts, app).refused(app, refused_key())),
            None => {
                // An unknown key costs the same hashing as a wrong secret.
                std::hint::black_box(Digest32::of(secret.expose()));
                return Err(Network::of(parts, app).refused(app, refused_key()));
            }
        };
        let (key, tenant) = &*caller;
        count(parts, app, &key.owner, Traffic::Servers, &key.id())?;
        let (owner, offset) = (key.owner.clone(), tenant.offset(mode));
        Ok(Self { owner, offset, keyed: Keyed::of(parts)?, app: app.clone() })
    }
}

/// A widget, authenticated by its session's bearer.
pub struct SessionCaller {
    session: LinkSession,
    attempt: Attempt,
    offset: ClockOffset,
    app: App,
}

impl SessionCaller {
    /// The session.
    pub fn session(&self) -> &LinkSession {
        &self.session
    }

    /// The attempt that the session works on.
    pub fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Whose rows this caller may see.
    pub fn owner(&self) -> &Owner {
        &self.session.owner
    }

    /// This moment for the caller.
    pub fn now(&self) -> Now {
        self.app.now(self.offset)
    }

    /// Moment and randomness for one unit of work.
    pub fn context(&self) -> Context {
        self.app.context(self.offset)
    }
}

impl SessionCaller {
    /// Runs a unit of this session. Since the request was let in the session may have ended, or another may have taken its
    /// attempt over.
    ///
    /// # Errors
    /// The unit's, and what a new request would be refused with.
    pub async fn write<T: Send + 'static>(
        &self,
        mut unit: impl FnMut(&mut Tx<'_>) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let (hash, now) = (self.session.secret_hash, self.now().wall());
        self.app
            .store()
            .write(move |tx| {
                tx.link_session(&hash)?.ok_or_else(refused_session)?.used(now)?;
                unit(tx)
            })
            .await
    }

    /// Uses the session once more, in a request that lasts. Gives how long it may go on at most.
    ///
    /// # Errors
    /// What a new request would be refused with.
    pub async fn uses_again(&self) -> Answer<Duration> {
        let hash = self.session.secret_hash;
        let session = self.app.store().read(move |reader| reader.link_session(&hash)).await?;
        let session = session.ok_or_else(refused_session)?;
        let now = self.now();
        use_session(&self.app, &session, now).await?;
        let (_, ends_in) = session.time_left(now.wall());
        Ok(ends_in)
    }
}

/// Uses a session as it was read; a use worth a write is written.
async fn use_session(app: &App, session: &LinkSession, now: Now) -> Answer<()> {
    if session.used(now.wall())?.is_none() {
        return Ok(());
    }
    let hash = session.secret_hash;
    app.store()
        .write(move |tx| -> Answer<_> {
            // It may have ended since it was read, and must not begin again.
            let session = tx.link_session(&hash)?.ok_or_else(refused_session)?;
            match session.used(now.wall())? {
                Some(touched) => Ok(tx.apply(&Change::row(Row::LinkSession(touched)), now)?),
                None => Ok(()),
            }
        })
        .await
}

impl FromRequestParts<App> for SessionCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let mode = mode_of(parts)?;
        let bearer = credentials_of(&parts.headers, "bearer").ok_or_else(refused_session)?;
        let hash = Digest32::of(bearer);
        let network = Network::of(parts, app);
        // An unknown bearer costs a read. A stranger behind the same address must not lock out a session that is known.
        if !app.known_sessions().contains(&hash) {
            network.may_be_refused(app)?;
        }
        let found = app
            .store()
            .read(move |reader| -> Answer<_> {
                let Some(session) = reader.link_session(&hash)? else { return Ok(None) };
                let attempt = reader.link_attempt(&session.attempt_id)?;
                let tenant = reader.tenant(&session.owner.tenant)?;
                Ok(attempt.zip(tenant).map(|(attempt, tenant)| (session, attempt, tenant)))
            })
            .await?;
        let found = found.filter(|(session, ..)| session.owner.mode == mode);
        // A session that expired or ended is known for days and not counted here, so its widget asks for another token.
        let (session, attempt, tenant) = found.ok_or_else(|| network.refused(app, refused_session()))?;
        app.known_sessions().remember(hash);
        // By user: another session is no way to another limit.
        count(parts, app, &session.owner, Traffic::People, session.user_id.as_str())?;
        let offset = tenant.offset(mode);
        let now = app.now(offset);
        use_session(app, &session, now).await?;
        Ok(Self { session, attempt, offset, app: app.clone() })
    }
}

impl From<SessionRefused> for Problem {
    fn from(refused: SessionRefused) -> Self {
        match refused {
            SessionRefused::Expired => Self::new(
                ProblemCode::TokenExpired,
                "The session is over: open another with a fresh link token.",
            ),
            SessionRefused::Ended => refused_session(),
        }
    }
}

/// The environment of the address that was called.
#[derive(Debug, Clone, Copy)]
pub struct Environment(pub Mode);

fn mode_of(parts: &Parts) -> Result<Mode, Problem> {
    let environment = parts.extensions.get::<Environment>();
    environment.map(|it| it.0).ok_or_else(|| Problem::system("a route has no environment"))
}

fn refused_key() -> Problem {
    Problem::unauthorized("Send `Authorization: Basic` with an API key and its secret, of this environment.")
}

fn refused_session() -> Problem {
    Problem::new(
        ProblemCode::InvalidToken,
        "Send `Authorization: Bearer` with the secret of an open session.",
    )
}

fn basic_credentials(headers: &HeaderMap) -> Option<(String, Sensitive)> {
    let encoded = credentials_of(headers, "basic")?;
    let decoded = STANDARD.decode(encoded).or_else(|_| STANDARD_NO_PAD.decode(encoded)).ok()?;
    let (key, secret) = std::str::from_utf8(&decoded).ok()?.split_once(':')?;
    Some((key.to_owned(), Sensitive::new(secret)))
}

fn credentials_of<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    let (found, credentials) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    found.eq_ignore_ascii_case(scheme).then(|| credentials.trim())
}

fn count(parts: &Parts, app: &App, owner: &Owner, traffic: Traffic, caller: &str) -> Result<(), Problem> {
    if let Some(stranger) = parts.extensions.get::<Stranger>() {
        stranger.is_known();
    }
    let standing = app.limits().count_of(owner, traffic, caller)?;
    if let Some(slot) = parts.extensions.get::<LimitHeaders>() {
        slot.set(standing);
    }
    Ok(())
}
