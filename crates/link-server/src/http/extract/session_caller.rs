//! A widget with its link session, or the phone that continues a step of it.
//!
//! The type has private fields and no constructor except its extractor, so a handler that takes it cannot run without
//! authentication.

use std::ops::Deref;
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Now};
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::languages::Languages;
use link_domain::kernel::owner::Owner;
use link_domain::linking::consent::GivenIn;
use link_domain::linking::link::{
    Attempt, Handoff, HandoffOverError, LinkSession, PhoneAccess, SessionError, StepProgress,
};
use link_domain::linking::reach::Reach;
use link_domain::tenancy::wording::Wording;
use link_store::{Reader, StoreError, Tx};
use link_types::link::AccountProgress;
use link_types::problem::ProblemCode;
use link_types::provider::Provider;

use super::caller::{count, credentials_of, languages_of, mode_of};
use super::standing::check_late;
use crate::app::App;
use crate::http::limits::network::Network;
use crate::http::limits::rate_limit::Traffic;
use crate::http::problem::{ApiResult, Problem};

/// A widget, authenticated by the bearer secret of its link session. Or the phone of the session's hand-off, with the
/// secret of the hand-off: handlers of work that a phone may not do take a
/// [`ComputerCaller`].
pub struct SessionCaller {
    session: LinkSession,
    /// The hand-off, if the caller is its phone.
    handoff: Option<Handoff>,
    attempt: Attempt,
    /// When the tenant was checked.
    admitted: Instant,
    offset: ClockOffset,
    languages: Languages,
    app: App,
}

/// The device of a request, which has its own share of the user's rate.
#[derive(Clone, Copy, Hash)]
enum Device {
    Computer,
    Phone,
}

impl SessionCaller {
    /// Returns the application.
    pub const fn app(&self) -> &App {
        &self.app
    }

    /// Returns the session.
    pub fn session(&self) -> &LinkSession {
        &self.session
    }

    /// Returns the hand-off, if the caller is its phone. `None` for the computer.
    pub fn handoff(&self) -> Option<&Handoff> {
        self.handoff.as_ref()
    }

    /// Returns where a consent in this request is given.
    pub fn given_in(&self) -> GivenIn {
        GivenIn::from_session(&self.session, self.handoff())
    }

    /// Returns the accounts and archives that the caller may work on.
    pub fn reach(&self) -> Reach {
        let step = self.handoff.as_ref().map(|it| it.step.clone());
        Reach::new(&self.session, step)
    }

    /// Returns the attempt that the session works on.
    pub fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Returns the tenant and environment whose rows the caller may see.
    pub fn owner(&self) -> &Owner {
        &self.session.owner
    }

    /// Returns the current time for this caller, including its environment's clock offset.
    pub fn now(&self) -> Now {
        self.app.now(self.offset)
    }

    /// Returns the time and randomness for one unit of work.
    pub fn context(&self) -> Context {
        self.app.context(self.offset)
    }

    /// Returns the languages that the person reads.
    pub fn languages(&self) -> &Languages {
        &self.languages
    }

    /// Returns a provider with its texts in the person's language.
    pub fn translate_provider(&self, provider: &Provider) -> Provider {
        let translations = self.app.ports.source(self.owner().mode).translations(&provider.id);
        Wording::for_languages(&translations, &self.languages).provider(provider.clone())
    }

    /// Returns the progress of an account with a challenge in the person's language.
    pub fn word_progress(&self, progress: AccountProgress) -> AccountProgress {
        let translations = self.app.ports.source(self.owner().mode).translations(&progress.provider_id);
        let progress = Wording::for_languages(&translations, &self.languages).progress(progress);
        let is_same_tab = self.session.visit.is_some() && self.handoff.is_none();
        progress.with_address_on(&self.app.settings.hosted_url, is_same_tab)
    }
}

impl SessionCaller {
    /// Runs a unit of work after checking the session again: it may have ended since the request was authenticated, or
    /// another session may have taken over its attempt. A phone works only until its step is decided.
    ///
    /// # Errors
    /// The unit's error, or the rejection that a new request would get.
    pub async fn write<T: Send + 'static>(
        &self,
        unit: impl FnMut(&mut Tx<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.write_with(PhoneAccess::Works, unit).await
    }

    /// Runs a unit of work that only reports what a page did, such as its UI events. The last page of a phone does so
    /// after its step was decided.
    ///
    /// # Errors
    /// The unit's error, or the rejection that a new request would get.
    pub async fn report<T: Send + 'static>(
        &self,
        unit: impl FnMut(&mut Tx<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.write_with(PhoneAccess::Reads, unit).await
    }

    async fn write_with<T: Send + 'static>(
        &self,
        needed: PhoneAccess,
        mut unit: impl FnMut(&mut Tx<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let (hash, now) = (self.session.secret_hash, self.now().wall());
        let (phone, tenant, admitted) =
            (self.phone_secret(), self.session.owner.tenant.clone(), self.admitted);
        self.app
            .store
            .write(move |tx| {
                check_late(tx, &tenant, admitted)?;
                let session = tx.link_sessions().by_secret(&hash)?.ok_or_else(refused_session)?;
                session.record_use(now)?;
                if let Some(secret) = &phone {
                    let handoff = tx.link_handoffs().get(&session.id)?;
                    let granted = access(tx, handoff, secret)?;
                    if needed == PhoneAccess::Works && granted == PhoneAccess::Reads {
                        return Err(HandoffOverError.into());
                    }
                }
                unit(tx)
            })
            .await
    }

    /// Runs a read. A phone's hand-off is checked again, because a long request may read after the hand-off ended.
    ///
    /// # Errors
    /// The error of the read, or the rejection that a new request of the phone would get.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Reader<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let (session, phone) = (self.session.id.clone(), self.phone_secret());
        self.app
            .store
            .read(move |reader| {
                if let Some(secret) = &phone {
                    let handoff = reader.link_handoffs().get(&session)?;
                    access(reader, handoff, secret)?;
                }
                read(reader)
            })
            .await
    }

    /// Renews the session during a long request, and returns how long the session can still last at most.
    ///
    /// # Errors
    /// The rejection that a new request would get.
    pub async fn uses_again(&self) -> ApiResult<Duration> {
        let (hash, phone) = (self.session.secret_hash, self.phone_secret());
        let tenant = self.session.owner.tenant.clone();
        let (session, access) = self
            .app
            .store
            .read(move |reader| -> ApiResult<_> {
                reader.tenants().get(&tenant)?.map_or(Ok(()), |it| it.check_active())?;
                let session = reader.link_sessions().by_secret(&hash)?.ok_or_else(refused_session)?;
                let access = match &phone {
                    Some(secret) => {
                        let handoff = reader.link_handoffs().get(&session.id)?;
                        Some(access(reader, handoff, secret)?)
                    }
                    None => None,
                };
                Ok((session, access))
            })
            .await?;
        let now = self.now();
        use_session(&self.app, &session, access, now).await?;
        let (_, ends_in) = session.time_left(now.wall());
        Ok(ends_in)
    }

    /// Returns the digest of the phone's secret, if the caller is the phone of a hand-off.
    fn phone_secret(&self) -> Option<Digest32> {
        self.handoff.as_ref()?.continued.as_ref().map(|it| it.secret_hash)
    }
}

/// Returns what the phone with this secret may do. Does not lock the step's account, whose place in the order of locks is
/// after the user: handlers that change the account read it again, and an answer names its challenge.
fn access(reader: &mut Reader<'_>, handoff: Option<Handoff>, secret: &Digest32) -> ApiResult<PhoneAccess> {
    let handoff = handoff.ok_or(HandoffOverError)?;
    let progress = step_progress(reader, &handoff)?;
    Ok(handoff.access(secret, progress)?)
}

/// Returns the session with this bearer secret, or the session that a phone with this secret continues.
fn session_of(
    reader: &mut Reader<'_>,
    secret: &Digest32,
) -> Result<Option<(LinkSession, Option<Handoff>)>, StoreError> {
    if let Some(session) = reader.link_sessions().by_secret(secret)? {
        return Ok(Some((session, None)));
    }
    let Some(handoff) = reader.link_handoffs().by_secret(secret)? else { return Ok(None) };
    Ok(reader.link_sessions().get(&handoff.session_id)?.map(|session| (session, Some(handoff))))
}

/// Checks that a session that was just read is not over, and records its use if the change is large enough to be worth a
/// write. A phone that only reads how its step ended does not renew it: the session is the computer's alone then.
async fn use_session(
    app: &App,
    session: &LinkSession,
    access: Option<PhoneAccess>,
    now: Now,
) -> ApiResult<()> {
    if session.record_use(now.wall())?.is_none() || access == Some(PhoneAccess::Reads) {
        return Ok(());
    }
    let hash = session.secret_hash;
    app.store
        .write(move |tx| -> ApiResult<_> {
            // Read it again: it may have ended since, and writing the old row would reopen it.
            let session = tx.link_sessions().by_secret(&hash)?.ok_or_else(refused_session)?;
            match session.record_use(now.wall())? {
                Some(touched) => Ok(tx.apply(&Change::row(Row::LinkSession(touched)), now)?),
                None => Ok(()),
            }
        })
        .await
}

impl FromRequestParts<App> for SessionCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let (mode, admitted) = (mode_of(parts)?, Instant::now());
        let bearer = credentials_of(&parts.headers, "bearer").ok_or_else(refused_session)?;
        let hash = Digest32::from_text(bearer);
        let network = Network::from_parts(parts, app);
        // An unknown bearer costs a database read. Known sessions skip the check, so that another client behind the
        // same address cannot lock them out.
        if !app.limits.known_sessions.contains(&hash) {
            network.may_be_refused(app)?;
        }
        let found = app
            .store
            .read(move |reader| -> ApiResult<_> {
                let Some((session, handoff)) = session_of(reader, &hash)? else { return Ok(None) };
                let handoff = match handoff {
                    Some(handoff) => Some((step_progress(reader, &handoff)?, handoff)),
                    None => None,
                };
                let attempt = reader.link_attempts().get(&session.attempt_id)?;
                let tenant = reader.tenants().get(&session.owner.tenant)?;
                Ok(attempt.zip(tenant).map(|(attempt, tenant)| (session, handoff, attempt, tenant)))
            })
            .await?;
        let found = found.filter(|(session, ..)| session.owner.mode == mode);
        // Expired and ended sessions stay known for days and are not counted as guesses, so their widgets can ask for a
        // new token.
        let (session, handoff, attempt, tenant) =
            found.ok_or_else(|| network.count_refusal(app, refused_session()))?;
        app.limits.known_sessions.remember(hash);
        tenant.check_active()?;
        // Count by user, so that opening another session does not raise the limit. Phones have a separate share, so that
        // the thief of a phone's credential cannot use up the computer's.
        let device = if handoff.is_some() { Device::Phone } else { Device::Computer };
        count(parts, app, &session.owner, Traffic::People, (session.user_id.as_str(), device))?;
        let offset = tenant.offset(mode);
        let now = app.now(offset);
        let access = match &handoff {
            Some((progress, handoff)) => Some(handoff.access(&hash, *progress)?),
            None => None,
        };
        use_session(app, &session, access, now).await?;
        Ok(Self {
            session,
            handoff: handoff.map(|(_, handoff)| handoff),
            attempt,
            admitted,
            offset,
            languages: languages_of(&parts.headers),
            app: app.clone(),
        })
    }
}

impl From<HandoffOverError> for Problem {
    fn from(HandoffOverError: HandoffOverError) -> Self {
        refused_session()
    }
}

impl From<SessionError> for Problem {
    fn from(refused: SessionError) -> Self {
        match refused {
            SessionError::Expired => Self::new(
                ProblemCode::TokenExpired,
                "The session has expired. Open another one with a new link token.",
            ),
            SessionError::Ended => refused_session(),
        }
    }
}

fn refused_session() -> Problem {
    Problem::new(
        ProblemCode::InvalidToken,
        "Send `Authorization: Bearer` with the secret of an open session.",
    )
}

/// A widget that is not the phone of a hand-off. A phone continues one step: it starts no login, removes nothing, and sees
/// nothing of the person's other accounts.
pub struct ComputerCaller(SessionCaller);

impl Deref for ComputerCaller {
    type Target = SessionCaller;

    fn deref(&self) -> &SessionCaller {
        &self.0
    }
}

impl FromRequestParts<App> for ComputerCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = SessionCaller::from_request_parts(parts, app).await?;
        match caller.handoff() {
            None => Ok(Self(caller)),
            Some(_) => Err(Problem::conflict("This works only on the device that created the code.")),
        }
    }
}

/// Returns how far the step of a hand-off is.
///
/// # Errors
/// [`StoreError`] if the database cannot be read.
pub fn step_progress(reader: &mut Reader<'_>, handoff: &Handoff) -> Result<StepProgress, StoreError> {
    let account = match handoff.step.account_id() {
        Some(account) => reader.accounts().get(&handoff.owner, account)?,
        None => None,
    };
    Ok(handoff.step.progress(account.as_ref()))
}
