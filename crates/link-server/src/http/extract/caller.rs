//! A tenant's server, authenticated by an API key.
//!
//! The type has private fields and no constructor except its extractor, so a handler that takes it cannot run without
//! authentication.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::languages::Languages;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::{ApiKey, scope};
use link_store::{Store, Tx};
use link_types::audit::ActorType;
use link_types::console::KeyState;
use link_types::problem::{FaultCode, ProblemCode};
use link_types::{Mode, Sensitive};

use super::standing::check_late;
use crate::app::App;
use crate::app::request_log::LoggedOwner;
use crate::http;
use crate::http::audit::AuditSlot;
use crate::http::idempotency::Keyed;
use crate::http::limits::network::{Network, UnauthenticatedRequest};
use crate::http::limits::rate_limit::{LimitHeaders, Traffic};
use crate::http::problem::{ApiResult, Problem, fault};

/// A tenant's server, authenticated by its API key in one environment. Or a member in the developer portal.
pub struct TenantCaller {
    owner: Owner,
    offset: ClockOffset,
    keyed: Option<Keyed>,
    /// The API key; `None` for a member of the portal.
    key: Option<Digest32>,
    /// Checks in a unit of work that the member may still send the request.
    recheck: Option<Recheck>,
    /// When the tenant was checked.
    admitted: Instant,
    /// The request's act. `None` for a member: the portal's layer records it.
    audit: Option<AuditSlot>,
    app: App,
}

/// Checks in a unit of work that a member may still send their request.
pub type Recheck = Arc<dyn Fn(&mut Tx<'_>, Wall) -> ApiResult<()> + Send + Sync>;

/// A member of the developer portal who may send this request, in an extension of the request. Only the portal's routes
/// set it.
#[derive(Clone)]
pub struct PortalCaller {
    /// Tenant of the member, and environment of the request.
    pub owner: Owner,
    /// Offset of the environment's clock.
    pub offset: ClockOffset,
    /// Checks the member again, in the unit of work that writes.
    pub recheck: Recheck,
}

impl TenantCaller {
    /// Returns the tenant and environment whose rows the caller may see.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// Returns the current time for this caller, including its environment's clock offset.
    pub fn now(&self) -> Now {
        self.app.now(self.offset)
    }

    /// Returns the time and randomness for one unit of work.
    pub fn context(&self) -> Context {
        self.app.context(self.offset)
    }

    /// Checks again that the service admits the caller, after a wait.
    ///
    /// # Errors
    /// 401 if the API key was revoked or has expired, 403 if the tenant is suspended.
    pub async fn check_still_admitted(&self) -> ApiResult<()> {
        let Some(key) = self.key else { return Ok(()) };
        let caller = self.app.store.caller(key).await?.ok_or_else(refused_key)?;
        caller.1.check_active()?;
        match caller.0.state(self.app.wall()) {
            KeyState::Active => Ok(()),
            KeyState::Expired => Err(expired_key()),
            KeyState::Revoked => Err(refused_key()),
        }
    }

    /// Runs a unit of work that keeps no response for repeats.
    ///
    /// # Errors
    /// The unit's error, or 403 for a member who may no longer send the request.
    pub async fn write<T: Send + 'static>(
        &self,
        mut unit: impl FnMut(&mut Tx<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let (recheck, now) = (self.recheck(), self.now());
        self.app
            .store
            .write(move |tx| {
                recheck(tx, now.wall())?;
                unit(tx)
            })
            .await
    }

    /// Returns the check that each unit of work that writes begins with. Requests with an API key need none, unless their body
    /// took long.
    pub(in crate::http) fn recheck(&self) -> impl Fn(&mut Tx<'_>, Wall) -> ApiResult<()> + Send + 'static {
        let (recheck, tenant, admitted) = (self.recheck.clone(), self.owner.tenant.clone(), self.admitted);
        move |tx, now| match &recheck {
            // It locks the tenant itself. A shared lock before would have to be upgraded, and two requests would wait for each other.
            Some(recheck) => recheck(tx, now),
            None => check_late(tx, &tenant, admitted),
        }
    }

    pub(in crate::http) fn store(&self) -> &Store {
        &self.app.store
    }

    /// Returns the request's act, if it is recorded.
    pub(in crate::http) fn audit(&self) -> Option<&AuditSlot> {
        self.audit.as_ref()
    }

    /// Returns the request's idempotency key, if the caller sent one.
    pub(in crate::http) fn idempotency_key(&self) -> Option<&Keyed> {
        self.keyed.as_ref()
    }
}

impl FromRequestParts<App> for TenantCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        if let Some(PortalCaller { owner, offset, recheck }) = parts.extensions.remove() {
            return Ok(Self {
                owner,
                offset,
                keyed: None,
                key: None,
                recheck: Some(recheck),
                admitted: Instant::now(),
                audit: None,
                app: app.clone(),
            });
        }
        let (mode, admitted) = (mode_of(parts)?, Instant::now());
        let (key, secret) = basic_credentials(&parts.headers).ok_or_else(refused_key)?;
        if !(ApiKey::is_key(&key) && ApiKey::is_secret(&secret)) {
            return Err(Network::from_parts(parts, app).count_refusal(app, refused_key()));
        }
        let key_hash = Digest32::from_text(&key);
        let caller = match app.store.caller(key_hash).await? {
            Some(caller) if caller.0.accepts(&secret) && caller.0.owner.mode == mode => caller,
            Some(_) => return Err(Network::from_parts(parts, app).count_refusal(app, refused_key())),
            None => {
                // Hash the secret here too, so that timing does not reveal whether the key exists.
                std::hint::black_box(Digest32::from_text(secret.expose()));
                return Err(Network::from_parts(parts, app).count_refusal(app, refused_key()));
            }
        };
        let (key, tenant) = &*caller;
        if let Err(stopped) = tenant.check_active() {
            // Its servers may go on for days, and each request would be in its audit log.
            count(parts, app, &key.owner, Traffic::Servers, key.key_hash)?;
            return Err(stopped.into());
        }
        let audit = parts.extensions.get::<AuditSlot>().cloned();
        if let Some(audit) = &audit {
            audit.set_actor(key.owner.clone(), ActorType::ApiKey, &key.id());
        }
        let now = app.wall();
        if key.state(now) == KeyState::Expired {
            return Err(Network::from_parts(parts, app).count_refusal(app, expired_key()));
        }
        app.reports.key_uses.note(key.key_hash, now);
        count(parts, app, &key.owner, Traffic::Servers, key.key_hash)?;
        check_scope(parts, key, mode)?;
        let (owner, offset, key) = (key.owner.clone(), tenant.offset(mode), Some(key.key_hash));
        let keyed = Keyed::from_parts(parts)?;
        Ok(Self { owner, offset, keyed, key, recheck: None, admitted, audit, app: app.clone() })
    }
}

/// Returns the languages that the person reads. The widget sends its own language.
pub fn languages_of(headers: &HeaderMap) -> Languages {
    let header = headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
    header.map(Languages::from_header).unwrap_or_default()
}

/// Extracts the environment that the request's URL belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Environment(pub Mode);

impl<S: Send + Sync> FromRequestParts<S> for Environment {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        mode_of(parts).map(Self)
    }
}

pub(super) fn mode_of(parts: &Parts) -> Result<Mode, Problem> {
    http::mode_of(parts.uri.path()).ok_or_else(|| Problem::system("the route has no environment"))
}

fn refused_key() -> Problem {
    Problem::invalid_credentials(
        "Send `Authorization: Basic` with an API key of this environment and its secret.",
    )
}

fn expired_key() -> Problem {
    let detail = "The API key has expired. Send another key of this environment.";
    Problem::new(ProblemCode::KeyExpired, detail)
}

/// Rejects a request that the scopes of the key do not admit.
fn check_scope(parts: &Parts, key: &ApiKey, mode: Mode) -> Result<(), Problem> {
    let path = parts.uri.path().strip_prefix(http::prefix(mode)).unwrap_or_default();
    let Some(scope) = scope::missing(&key.scopes, parts.method.is_safe(), path) else { return Ok(()) };
    let detail = format!("The API key lacks the scope {scope}. Send a key that has it.");
    let lacks = fault("scopes", FaultCode::Missing, scope.as_str());
    Err(Problem::new(ProblemCode::InsufficientScope, detail).with_errors(vec![lacks]))
}

fn basic_credentials(headers: &HeaderMap) -> Option<(String, Sensitive)> {
    let encoded = credentials_of(headers, "basic")?;
    let decoded = STANDARD.decode(encoded).or_else(|_| STANDARD_NO_PAD.decode(encoded)).ok()?;
    let (key, secret) = std::str::from_utf8(&decoded).ok()?.split_once(':')?;
    Some((key.to_owned(), Sensitive::new(secret)))
}

pub(super) fn credentials_of<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    let (found, credentials) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    found.eq_ignore_ascii_case(scheme).then(|| credentials.trim())
}

pub(super) fn count(
    parts: &Parts,
    app: &App,
    owner: &Owner,
    traffic: Traffic,
    caller: impl Hash,
) -> Result<(), Problem> {
    if let Some(counted) = parts.extensions.get::<UnauthenticatedRequest>() {
        counted.mark_authenticated();
    }
    if let Some(logged) = parts.extensions.get::<LoggedOwner>() {
        logged.set(app.reports.request_log.key(owner), app.wall());
    }
    let standing = app.limits.rates.count_of(owner, traffic, caller)?;
    if let Some(slot) = parts.extensions.get::<LimitHeaders>() {
        slot.set(standing);
    }
    Ok(())
}
