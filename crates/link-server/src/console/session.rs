//! `/console/api/session`: signs a member in and out, and returns who is signed in.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use link_domain::change::{Change, Deletion};
use link_domain::console::mailed_link::MailedCode;
use link_domain::console::member::Member;
use link_domain::console::permission::permissions;
use link_domain::console::session::ConsoleSession;
use link_domain::kernel::clock::{ClockOffset, TenantTime};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::Tenant;
use link_store::Tx;
use link_types::audit::{ActorType, AuditAction};
use link_types::console::{SignInCode, SignedIn};
use link_types::{Mode, Sensitive};

use super::body::ConsoleBody;
use super::caller::ConsoleCaller;
use super::cookie::{cookie, secret_hash};
use super::mailed_link;
use super::refusal::signed_out_problem;
use super::required_provider::check_way;
use crate::app::App;
use crate::http::audit::AuditSlot;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

/// The network of a client that may still send wrong codes. Extracting it checks this before the body is read.
pub(super) struct SigningIn(pub(super) Network);

impl FromRequestParts<App> for SigningIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let network = Network::from_parts(parts, app);
        network.may_be_refused(app)?;
        Ok(Self(network))
    }
}

/// Exchanges the code of a one-time address or a mailed link for a session. The session of the request's cookie ends.
pub(super) async fn sign_in(
    State(app): State<App>,
    SigningIn(network): SigningIn,
    audit: AuditSlot,
    headers: HeaderMap,
    ConsoleBody(body): ConsoleBody<SignInCode>,
) -> ApiResult<Response> {
    let presented = secret_hash(&app, &headers);
    let refused = || {
        network.count_refusal(&app, signed_out_problem("This address was already used, or it has expired."))
    };
    if let Some(code) = MailedCode::read(&body.code) {
        let signed_in = mailed_link::sign_in(&app, code, presented, agent_of(&headers)).await?;
        audit.set_action(AuditAction::SessionLinkUsed);
        return respond_signed_in(&app, &audit, signed_in.ok_or_else(refused)?);
    }
    let code = Digest32::from_text(body.code.expose());
    // A wrong code does not wait for the writer.
    let tenant = app.store.read(move |reader| reader.console_addresses().tenant_of(&code)).await?;
    let tenant = tenant.ok_or_else(refused)?;
    let context = app.context(ClockOffset::default());
    let agent = agent_of(&headers);
    let signed_in = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            // Locks the tenant first, as decisions about members do: they may delete the address.
            let Some(tenant) = tx.tenants().get(&tenant)? else { return Ok(None) };
            tenant.check_active()?;
            let Some(address) = tx.console_addresses().by_code(&code)? else { return Ok(None) };
            let Some(member) = tx.console_members().get(&address.member_id)? else { return Ok(None) };
            check_way(tx, &member)?;
            let replaced = end_presented(tx, presented.as_ref())?;
            let Some((session, secret, mut change)) = address.sign_in(&member, &agent, &mut context) else {
                return Ok(None);
            };
            change.deletions.extend(replaced);
            tx.apply(&change, context.now())?;
            Ok(Some((session, secret, member, tenant)))
        })
        .await?;
    respond_signed_in(&app, &audit, signed_in.ok_or_else(refused)?)
}

/// Returns the end of the session of the request's cookie, which a new one replaces.
pub(super) fn end_presented(tx: &mut Tx<'_>, presented: Option<&Digest32>) -> ApiResult<Option<Deletion>> {
    let Some(secret_hash) = presented else { return Ok(None) };
    let session = tx.console_sessions().by_secret(secret_hash)?;
    Ok(session.map(|it| Deletion::ConsoleSession(it.id)))
}

/// Returns the response with the cookie of a new session, and records who signed in.
pub(super) fn respond_signed_in(
    app: &App,
    audit: &AuditSlot,
    (session, secret, member, tenant): (ConsoleSession, Sensitive, Member, Tenant),
) -> ApiResult<Response> {
    let owner = Owner { tenant: tenant.id.clone(), mode: Mode::Production };
    audit.set_actor(owner, ActorType::Member, member.id.as_str());
    audit.set_subject(session.id.as_str());
    let cookie = set_cookie(app, secret.expose())?;
    let shown = show_session(app, &session, &member, &tenant);
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(shown)).into_response())
}

/// Returns the `User-Agent` of a request, or an empty text.
pub(super) fn agent_of(headers: &HeaderMap) -> String {
    headers.get(header::USER_AGENT).and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned()
}

/// Returns the signed-in member, and what they may do.
pub(super) async fn show(State(app): State<App>, caller: ConsoleCaller) -> Json<SignedIn> {
    Json(show_session(&app, &caller.session, &caller.member, &caller.tenant))
}

/// Ends the session, and removes the cookie.
pub(super) async fn sign_out(State(app): State<App>, caller: ConsoleCaller) -> ApiResult<Response> {
    let end = Change { deletions: vec![Deletion::ConsoleSession(caller.session.id)], ..Change::default() };
    let now = app.now(ClockOffset::default());
    app.store.write(move |tx| tx.apply(&end, now)).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, set_cookie(&app, "")?)]).into_response())
}

pub(super) fn set_cookie(app: &App, secret: &str) -> ApiResult<HeaderValue> {
    cookie(app, secret).ok_or_else(|| Problem::system("the cookie of a session is not a valid header"))
}

fn show_session(app: &App, session: &ConsoleSession, member: &Member, tenant: &Tenant) -> SignedIn {
    SignedIn {
        member: member.view(),
        tenant_id: tenant.id.clone(),
        tenant_name: tenant.name.clone(),
        sandbox: permissions(member.role, Mode::Sandbox),
        production: permissions(member.role, Mode::Production),
        sandbox_url: app.api_base(Mode::Sandbox),
        production_url: app.api_base(Mode::Production),
        ends_at: TenantTime::from_micros(session.ends_at().micros()).into(),
        has_passkeys: super::passkeys::are_possible(&app.settings.console_url),
    }
}
