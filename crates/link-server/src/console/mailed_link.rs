//! `/console/api/session/options` and `/console/api/session/link`: how a member can sign in, and the request of a mailed link.
//! `/console/api/session` exchanges its code, as that of a one-time address.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use link_domain::console::mailed_link::MailedCode;
use link_domain::console::member::{Member, fold_email};
use link_domain::console::session::ConsoleSession;
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::mail::{is_mailbox, member_hash};
use link_domain::notifications::page_link::{LinkPurpose, PageLink};
use link_domain::notifications::service_text::Locale;
use link_domain::tenancy::tenant::Tenant;
use link_store::{Label, StoreError, Tx};
use link_types::Sensitive;
use link_types::console::{SignInLinkRequest, SignInOptions};
use link_types::id::MemberId;
use link_types::problem::FaultCode;

use super::body::ConsoleBody;
use super::required_provider::check_way;
use super::session::end_presented;
use crate::app::App;
use crate::http::extract::caller::languages_of;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

/// A client that may request another link. Extracting it counts the request before the body is read.
pub(super) struct AskingForLink;

impl FromRequestParts<App> for AskingForLink {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        app.limits.rates.count_sign_in_link(Network::from_parts(parts, app).bytes())?;
        Ok(Self)
    }
}

/// Returns how a member can sign in.
pub(super) async fn options(State(app): State<App>) -> Json<SignInOptions> {
    Json(SignInOptions { has_mail: app.settings.smtp_url.is_some() })
}

/// Requests a link. Known and unknown addresses write the same rows, and a job decides whether to send a mail.
pub(super) async fn ask(
    State(app): State<App>,
    _: AskingForLink,
    headers: HeaderMap,
    ConsoleBody(body): ConsoleBody<SignInLinkRequest>,
) -> ApiResult<StatusCode> {
    if app.settings.smtp_url.is_none() {
        return Err(Problem::conflict("The service sends no mail. Ask an owner for a one-time address."));
    }
    // The mail goes to the address that the member has: two spellings may be mailboxes of different people.
    let address = Sensitive::new(fold_email(body.email.expose().trim()));
    if !is_mailbox(address.expose()) {
        let expected = "an e-mail address, for example ana@shop.example";
        return Err(Problem::invalid_field("email", FaultCode::Invalid, expected));
    }
    let locale = Locale::choose(&languages_of(&headers), None).tag();
    let context = app.context(ClockOffset::default());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let hash = member_hash(&tx.derive_key(Label::Lookup), address.expose());
            let earlier = tx.page_links().get(&hash)?;
            let asked = PageLink::ask(
                LinkPurpose::SignIn,
                hash,
                address.clone(),
                locale.to_owned(),
                earlier.as_ref(),
                &mut context,
            );
            Ok(tx.apply(&asked, context.now())?)
        })
        .await?;
    Ok(StatusCode::ACCEPTED)
}

/// Returns and locks the link of a member's mailbox.
pub(super) fn find_link_of(tx: &mut Tx<'_>, member: &MemberId) -> ApiResult<Option<PageLink>> {
    let Some(member) = tx.console_members().get(member)? else { return Ok(None) };
    let hash = member_hash(&tx.derive_key(Label::Lookup), member.email.expose());
    Ok(tx.page_links().get(&hash)?)
}

/// Signs a member in with the code of a mailed link, which then is useless. `None` if the code is wrong, was used, or has
/// expired. The session with the digest `presented` ends.
pub(super) async fn sign_in(
    app: &App,
    code: MailedCode,
    presented: Option<Digest32>,
    agent: String,
) -> ApiResult<Option<(ConsoleSession, Sensitive, Member, Tenant)>> {
    let MailedCode { code_hash, member_id } = code;
    let id = member_id.clone();
    // A wrong code does not wait for the writer.
    let member = app
        .store
        .read(move |reader| -> Result<_, StoreError> {
            let link = reader.page_links().find_mailed(&code_hash, LinkPurpose::SignIn)?;
            if link.is_some() { reader.console_members().get(&id) } else { Ok(None) }
        })
        .await?;
    let Some(member) = member else { return Ok(None) };
    let context = app.context(ClockOffset::default());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            // Locks the tenant first, as decisions about members do.
            let Some(tenant) = tx.tenants().get(&member.tenant)? else { return Ok(None) };
            tenant.check_active()?;
            let Some(link) = tx.page_links().by_code(&code_hash)? else { return Ok(None) };
            let members = tx.console_members().of_mailbox(&link.address)?;
            if let Some(member) = members.iter().find(|it| it.id == member_id) {
                check_way(tx, member)?;
            }
            let replaced = end_presented(tx, presented.as_ref())?;
            let Some((session, secret, mut change)) =
                link.sign_in(&member_id, &members, &agent, &mut context)
            else {
                return Ok(None);
            };
            change.deletions.extend(replaced);
            tx.apply(&change, context.now())?;
            let member = members.into_iter().find(|it| it.id == member_id);
            Ok(member.map(|member| (session, secret, member, tenant)))
        })
        .await
}
