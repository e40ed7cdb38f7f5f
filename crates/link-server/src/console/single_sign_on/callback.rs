//! `/console/sign-in/callback/{tenant}`: the person comes back from the provider.

use axum::Router;
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use link_domain::change::{Change, Deletion};
use link_domain::console::member::fold_email;
use link_domain::console::single_sign_on::{
    Aim, Arrival, Departure, IdentityClaims, IdentityProvider, SignOnError, SignedInByProvider, subject_hash,
};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_store::{Label, StoreError, Tx};
use link_types::audit::{ActorType, AuditAction};
use link_types::id::TenantId;
use link_types::{Mode, Sensitive};
use tokio::time::{Instant, timeout_at};

use super::super::cookie::{provider_cookie, provider_secret, secret_hash};
use super::super::session::{agent_of, end_presented, set_cookie};
use super::callback_url;
use super::page::{self, Failure};
use crate::adapters::openid::token::{ARRIVAL_TIMEOUT, ReturnedCode};
use crate::adapters::openid::{Discovered, Purpose};
use crate::app::App;
use crate::http::audit::{AuditSlot, run_and_record};
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

/// The route. Each tenant has another address.
const CALLBACK: &str = "/console/sign-in/callback/{tenant}";
/// Maximum length of a parameter of the provider's response, in bytes.
const MAX_PARAMETER: usize = 4 * 1024;

/// Returns the route of the callback. A provider's page sends the request, so the rules of the portal's own pages do not apply.
pub(in crate::console) fn routes(app: &App) -> Router<App> {
    Router::new().route(CALLBACK, get(receive)).layer(from_fn_with_state(app.clone(), record))
}

async fn record(State(app): State<App>, request: Request, next: Next) -> Response {
    run_and_record(&app, AuditAction::SessionProviderUsed, request, |request| next.run(request)).await
}

/// Signs the person in, or shows why not.
async fn receive(
    State(app): State<App>,
    Path(tenant): Path<String>,
    network: Network,
    RawQuery(query): RawQuery,
    audit: AuditSlot,
    headers: HeaderMap,
) -> Response {
    let returned = Returned { tenant, query: query.unwrap_or_default(), headers: &headers, audit: &audit };
    let mut is_used = false;
    let received = match network.may_be_refused(&app) {
        Ok(()) => returned.finish(&app, &mut is_used).await,
        Err(_) => Err(Failure::Busy),
    };
    app.reports.metrics.count_sign_on(received.as_ref().map_or_else(|failure| failure.code(), |_| "DONE"));
    if !is_used && matches!(received, Err(Failure::SignOn(SignOnError::Expired))) {
        // A wrong state costs as much as a wrong code of a one-time address.
        drop(network.count_refusal(&app, Problem::missing()));
    }
    let mut response = received.unwrap_or_else(|failure| page::show(failure, &headers));
    let sent = response.headers_mut();
    // Another page may have led here, while the person is still at the provider. A way that is not used up can be tried again.
    if let Some(cookie) = provider_cookie(&app, "").filter(|_| is_used) {
        sent.append(header::SET_COOKIE, cookie);
    }
    sent.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    sent.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// A person who came back.
struct Returned<'r> {
    tenant: String,
    query: String,
    headers: &'r HeaderMap,
    audit: &'r AuditSlot,
}

/// The parameters of a provider's response, of a bounded size.
struct Parameters {
    state: Sensitive,
    issuer: Option<String>,
    code: Option<Sensitive>,
    error: Option<String>,
}

impl Parameters {
    /// Reads the parameters. `None` if one occurs twice or is too long, or the state is missing.
    fn read(query: &str) -> Option<Self> {
        let mut found = [None, None, None, None];
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let place = ["state", "iss", "code", "error"].iter().position(|it| *it == name);
            let Some(slot) = place.and_then(|it| found.get_mut(it)) else { continue };
            if slot.is_some() || value.len() > MAX_PARAMETER {
                return None;
            }
            *slot = Some(value.into_owned());
        }
        let [state, issuer, code, error] = found;
        Some(Self {
            state: Sensitive::new(state?),
            issuer,
            code: code.filter(|it| !it.is_empty()).map(Sensitive::new),
            error,
        })
    }
}

impl Returned<'_> {
    /// Lets the person in. Sets `is_used` when the way is used up: not before the provider's document is known, so that a person
    /// who comes back while too many do can reload the page.
    async fn finish(&self, app: &App, is_used: &mut bool) -> Result<Response, Failure> {
        let parameters = Parameters::read(&self.query).ok_or(SignOnError::Expired)?;
        let tenant: TenantId = self.tenant.parse().map_err(|_| SignOnError::Expired)?;
        let browser = provider_secret(app, self.headers).ok_or(SignOnError::Expired)?;
        let deadline = Instant::now() + ARRIVAL_TIMEOUT;
        let (departure, provider) = find(app, &tenant, &parameters, &browser).await?;
        let _permit = app.caches.openid.admit(&tenant, Purpose::Arriving).map_err(|_| Failure::Busy)?;
        let discovering = app.caches.openid.discover(app.ports.identity.as_ref(), &provider, app.wall());
        let discovered = timeout_at(deadline, discovering).await.map_err(|_| note_timeout(&tenant))?;
        let discovered = discovered.map_err(|error| {
            tracing::info!(%tenant, %error, "An OpenID provider cannot be used");
            SignOnError::Unavailable
        })?;
        take(app, &departure).await?;
        *is_used = true;
        let identifying = identify(app, (&provider, discovered), &departure.aim, &browser, &parameters);
        let claims = timeout_at(deadline, identifying).await.map_err(|_| note_timeout(&tenant))??;
        self.admit(app, departure, provider, claims).await
    }

    /// Decides in one unit which member the person is, and does what they left for.
    async fn admit(
        &self,
        app: &App,
        departure: Departure,
        provider: IdentityProvider,
        claims: IdentityClaims,
    ) -> Result<Response, Failure> {
        let context = app.context(ClockOffset::default());
        let presented = secret_hash(app, self.headers);
        let agent = agent_of(self.headers);
        let owner = Owner { tenant: provider.tenant.clone(), mode: Mode::Production };
        let (audit, of_tenant) = (self.audit.clone(), owner.clone());
        let admitted = app
            .store
            .write(move |tx| -> ApiResult<Result<Admitted, SignOnError>> {
                let mut context = context.clone();
                // Locks the tenant first, as decisions about members do.
                let Some(tenant) = tx.tenants().get(&provider.tenant)? else {
                    return Ok(Err(SignOnError::NotMember));
                };
                tenant.check_active()?;
                if tx.identity_providers().get(&provider.tenant)?.as_ref() != Some(&provider) {
                    return Ok(Err(SignOnError::ProviderChanged));
                }
                let key = tx.derive_key(Label::Lookup);
                let hash = subject_hash(&key, &provider.tenant, &provider.issuer, &claims.subject);
                let arrival = Arrival {
                    provider: &provider,
                    claims: &claims,
                    subject_hash: hash,
                    found: tx.console_identities().by_subject(&hash)?,
                    user_agent: &agent,
                };
                let unit = Unit { tx: &mut *tx, context: &mut context, presented: presented.as_ref() };
                let admitted = unit.run(&arrival, &departure.aim)?;
                // A new member's event says that an identity was linked.
                if let Ok(Admitted::SignedIn(it)) = &admitted
                    && it.is_linked
                    && !it.is_new
                {
                    let linked = (AuditAction::IdentityLinked, &of_tenant, &it.member.id);
                    audit.record_also(tx, linked, &mut context)?;
                }
                Ok(admitted)
            })
            .await??;
        let (member, location) = match &admitted {
            Admitted::SignedIn(signed_in) => {
                let action = match signed_in.is_new {
                    true => AuditAction::MemberJoined,
                    false => AuditAction::SessionProviderUsed,
                };
                self.audit.set_action(action);
                self.audit.set_subject(signed_in.session.id.as_str());
                (&signed_in.member.id, "/console/")
            }
            Admitted::Linked(member) => {
                self.audit.set_action(AuditAction::IdentityLinked);
                self.audit.set_subject(member.as_str());
                (member, "/console/single-sign-on")
            }
        };
        self.audit.set_actor(owner, ActorType::Member, member.as_str());
        let mut response = StatusCode::SEE_OTHER.into_response();
        response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(location));
        if let Admitted::SignedIn(signed_in) = &admitted {
            let cookie = set_cookie(app, signed_in.secret.expose())?;
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        Ok(response)
    }
}

/// The result for a person who came back.
enum Admitted {
    SignedIn(Box<SignedInByProvider>),
    Linked(link_types::id::MemberId),
}

/// The unit of work of a person who came back.
struct Unit<'u, 't> {
    tx: &'u mut Tx<'t>,
    context: &'u mut link_domain::kernel::context::Context,
    presented: Option<&'u Digest32>,
}

impl Unit<'_, '_> {
    fn run(mut self, arrival: &Arrival<'_>, aim: &Aim) -> ApiResult<Result<Admitted, SignOnError>> {
        let decided = match aim {
            Aim::SignIn => self.decide_sign_in(arrival)?,
            Aim::Invitation(code) => self.decide_invitation(arrival, code)?,
            Aim::Link(session) => return self.link(arrival, session),
        };
        let Self { tx, context, presented } = self;
        match decided {
            Ok((signed_in, mut change)) => {
                change.deletions.extend(end_presented(tx, presented)?);
                tx.apply(&change, context.now())?;
                Ok(Ok(Admitted::SignedIn(Box::new(signed_in))))
            }
            Err(error) => Ok(Err(error)),
        }
    }
}

type Decided = Result<(SignedInByProvider, Change), SignOnError>;

impl Unit<'_, '_> {
    fn decide_sign_in(&mut self, arrival: &Arrival<'_>) -> ApiResult<Decided> {
        let tenant = &arrival.provider.tenant;
        let email = arrival.claims.email.as_ref().map(|it| fold_email(it.expose().trim()));
        let members = self.tx.console_members().list_knowing(tenant, email.as_deref().unwrap_or_default())?;
        let domains = self.tx.identity_providers().domains(tenant)?;
        let proven: Vec<String> =
            domains.into_iter().filter(|it| it.proven_at.is_some()).map(|it| it.domain).collect();
        Ok(arrival.sign_in(&members, &proven, self.context))
    }

    fn decide_invitation(&mut self, arrival: &Arrival<'_>, code: &Digest32) -> ApiResult<Decided> {
        let Some(address) = self.tx.console_addresses().by_code(code)? else {
            return Ok(Err(SignOnError::Invitation));
        };
        let member = self.tx.console_members().get(&address.member_id)?;
        let Some(member) = member.filter(|it| it.tenant == arrival.provider.tenant) else {
            return Ok(Err(SignOnError::Invitation));
        };
        let of_member = self.tx.console_identities().of_member(&member.id)?;
        Ok(arrival.accept(address, &member, of_member.as_ref(), self.context))
    }

    /// Links the identity to the member of the session in which they left. It must be the browser's present one.
    fn link(
        self,
        arrival: &Arrival<'_>,
        session: &link_types::id::ConsoleSessionId,
    ) -> ApiResult<Result<Admitted, SignOnError>> {
        let now = self.context.now();
        let found = match self.presented {
            Some(presented) => self.tx.console_sessions().by_secret(presented)?,
            None => None,
        };
        let Some(found) = found.filter(|it| it.id == *session && it.lasts(now.wall())) else {
            return Ok(Err(SignOnError::SessionEnded));
        };
        let Some(member) = self.tx.console_members().get(&found.member_id)? else {
            return Ok(Err(SignOnError::SessionEnded));
        };
        let of_member = self.tx.console_identities().of_member(&member.id)?;
        let created_by = found.created_by.clone();
        match arrival.link(&member, created_by, of_member.as_ref(), self.context) {
            Ok(change) => {
                self.tx.apply(&change, now)?;
                Ok(Ok(Admitted::Linked(member.id)))
            }
            Err(error) => Ok(Err(error)),
        }
    }
}

/// Finds the way of a person who came back in the same browser. A wrong state does not wait for the writer.
async fn find(
    app: &App,
    tenant: &TenantId,
    parameters: &Parameters,
    browser: &Sensitive,
) -> Result<(Departure, IdentityProvider), Failure> {
    let state = Digest32::from_text(parameters.state.expose());
    let (tenant, browser, now) = (tenant.clone(), browser.clone(), app.wall());
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let found = reader.console_identities().find_departure(&state)?;
            let Some(departure) = found.filter(|it| it.admits(&browser, &tenant, now)) else {
                return Ok(None);
            };
            let provider = reader.identity_providers().get(&tenant)?;
            Ok(provider.map(|provider| (departure, provider)))
        })
        .await?;
    Ok(found.ok_or(SignOnError::Expired)?)
}

/// Uses the way, so that the response counts once.
async fn take(app: &App, departure: &Departure) -> Result<(), Failure> {
    let (state, now) = (departure.state_hash, app.now(ClockOffset::default()));
    let is_taken = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let found = tx.console_identities().lock_departure(&state)?;
            let deletions = vec![Deletion::Departure(state)];
            tx.apply(&Change { deletions, ..Change::default() }, now)?;
            Ok(found.is_some())
        })
        .await?;
    if is_taken { Ok(()) } else { Err(SignOnError::Expired.into()) }
}

/// Returns what the provider says about the person.
async fn identify(
    app: &App,
    (provider, discovered): (&IdentityProvider, Discovered),
    aim: &Aim,
    browser: &Sensitive,
    parameters: &Parameters,
) -> Result<IdentityClaims, SignOnError> {
    let refuse = |cause: &str, refusal: SignOnError| {
        tracing::info!(tenant = %provider.tenant, cause, "The response of an OpenID provider is refused");
        refusal
    };
    // A response of another provider must not count, whether it is a code or an error (RFC 9207).
    match &parameters.issuer {
        Some(issuer) if *issuer != provider.issuer => {
            return Err(refuse("`iss` is another issuer", SignOnError::Invalid));
        }
        None if discovered.announces_issuer() => {
            return Err(refuse("`iss` is missing", SignOnError::Invalid));
        }
        Some(_) | None => {}
    }
    match parameters.error.as_deref() {
        Some("access_denied") => return Err(SignOnError::Cancelled),
        Some(code @ ("server_error" | "temporarily_unavailable")) => {
            return Err(refuse(code, SignOnError::Unavailable));
        }
        Some(code) => return Err(refuse(printable_code(code), SignOnError::Refused)),
        None => {}
    }
    let client = app.ports.identity.as_ref();
    let code = parameters.code.as_ref().ok_or_else(|| refuse("no code", SignOnError::Invalid))?;
    let callback = callback_url(app, &provider.tenant);
    let returned = ReturnedCode { provider, callback: &callback, browser, code, now: app.wall() };
    let identified = app.caches.openid.identify(client, discovered, &returned).await?;
    // Only a person who joins needs the address.
    let may_join = *aim == Aim::SignIn && identified.claims.email.is_none();
    if may_join && !is_known(app, provider, &identified.claims.subject).await {
        return identified.ask_for_address(client, &returned).await;
    }
    Ok(identified.claims)
}

fn note_timeout(tenant: &TenantId) -> SignOnError {
    tracing::info!(%tenant, "An OpenID provider did not respond in time");
    SignOnError::Unavailable
}

/// Returns an error code of OAuth for the log. Anything else comes from the browser, and could be a secret.
fn printable_code(code: &str) -> &str {
    let is_code = code.len() <= 40 && code.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
    if is_code { code } else { "an unknown `error`" }
}

/// Returns whether an identity is linked. If the database cannot be read, the unit that lets the person in fails too.
async fn is_known(app: &App, provider: &IdentityProvider, subject: &Sensitive) -> bool {
    let (tenant, issuer, subject) = (provider.tenant.clone(), provider.issuer.clone(), subject.clone());
    let known = app.store.read(move |reader| {
        let hash = subject_hash(&reader.derive_key(Label::Lookup), &tenant, &issuer, &subject);
        Ok::<_, StoreError>(reader.console_identities().by_subject(&hash)?.is_some())
    });
    known.await.unwrap_or(false)
}
