//! The developer portal: `/console` is its program, `/console/api/…` what the program asks.
//!
//! Members sign in with a passkey, a one-time address, a mailed link, or their tenant's OpenID provider. The secret of their
//! session is stored in the browser's cookie. [`rules`] lists the permission that each route needs; a route without a rule is 404.

mod audit;
mod body;
mod caller;
mod cookie;
mod developer;
mod funnel;
mod invite_files;
mod keys;
mod mailed_link;
mod members;
mod page;
mod passkeys;
mod people;
mod preview;
mod preview_refusal;
mod refusal;
mod required_provider;
pub mod rules;
mod session;
mod sessions;
mod single_sign_on;
mod template_preview;
mod templates;
mod usage;
mod webhooks;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, patch, post};
use link_domain::tenancy::audit::Act;

use self::refusal::forbidden_problem;
use crate::api;
use crate::app::App;
use crate::http::audit::run_and_record;
use crate::http::problem::Problem;

/// The addresses of the pages, which crates/link-console/src/route.rs has too. Others below `/console` are 404.
const PAGES: &[&str] = &[
    "/console/audit",
    "/console/funnel/{environment}",
    "/console/usage/{environment}",
    "/console",
    "/console/",
    "/console/enter",
    "/console/keys/sandbox",
    "/console/keys/production",
    "/console/members",
    "/console/sessions",
    "/console/single-sign-on",
    "/console/webhooks/{environment}",
    "/console/webhooks/{environment}/{id}",
    "/console/templates/{environment}/{kind}",
    "/console/templates/{environment}/{kind}/{id}",
    "/console/templates/{environment}/{kind}/copy/{id}",
    "/console/sites/{environment}",
    "/console/sites/{environment}/{id}",
    "/console/sites/{environment}/{id}/answers",
    "/console/invite/{environment}",
    "/console/people/{environment}",
    "/console/people/{environment}/{id}",
    "/console/requests/{environment}",
    "/console/errors/{environment}",
    "/console/events/sandbox",
    "/console/logins/sandbox",
    "/console/clock/sandbox",
    "/console/passkeys",
];

/// The detail of a 403 that has nothing to do with the member's role.
const FOREIGN_PAGE: &str = "Your browser did not confirm (with `Sec-Fetch-Site`) that a page of the developer portal \
                            sent the request. Open the portal over https, and use a current browser.";

/// Returns the routes of the portal.
pub fn routes(app: &App) -> Router<App> {
    // The same endpoints as in the REST interface, with a member as the caller.
    let of_rest = |environment| api::routes_of_portal().router(&format!("/console/api/{environment}"));
    let as_member = from_fn_with_state(app.clone(), caller::layer);
    let of_rest = of_rest("sandbox").merge(of_rest("production")).layer(as_member);
    let api = Router::new()
        .route(rules::SESSION, get(session::show).post(session::sign_in).delete(session::sign_out))
        .route(rules::SESSION_OPTIONS, get(mailed_link::options))
        .route(rules::SESSION_LINK, post(mailed_link::ask))
        .route(rules::SESSION_PROVIDER, post(single_sign_on::start::begin))
        .route(
            rules::SESSION_IDENTITY,
            get(single_sign_on::own::show)
                .post(single_sign_on::own::link)
                .delete(single_sign_on::own::unlink),
        )
        .route(
            rules::SINGLE_SIGN_ON,
            get(single_sign_on::show).put(single_sign_on::save).delete(single_sign_on::remove),
        )
        .route(rules::DOMAINS, post(single_sign_on::domains::add))
        .route(rules::DOMAIN, delete(single_sign_on::domains::remove))
        .route(rules::DOMAIN_PROOF, post(single_sign_on::domains::prove))
        .route(rules::SESSION_CHALLENGE, post(passkeys::challenge_to_use))
        .route(rules::SESSION_PASSKEY, post(passkeys::sign_in))
        .route(rules::SESSION_CONFIRMATION, post(passkeys::confirm))
        .route(rules::PASSKEYS, get(passkeys::list).post(passkeys::add))
        .route(rules::PASSKEY_CHALLENGE, post(passkeys::challenge_to_add))
        .route(rules::ONE_PASSKEY, delete(passkeys::remove))
        .route(rules::SESSIONS, get(sessions::list))
        .route(rules::ONE_SESSION, delete(sessions::end))
        .route(rules::MEMBERS, get(members::list).post(members::invite))
        .route(rules::MEMBER, patch(members::change_role).delete(members::remove))
        .route(rules::ADDRESS, post(members::create_address))
        .route(rules::KEYS, get(keys::list).post(keys::create))
        .route(rules::KEY, delete(keys::revoke))
        .route(rules::KEY_ROTATION, post(keys::rotate))
        .route(rules::AUDIT, get(audit::list))
        .route(rules::AUDIT_FILE, get(audit::export))
        .route(rules::FUNNEL, get(funnel::show))
        .route(rules::BILLING_FILE, get(usage::export))
        .route(rules::WEBHOOK_HEALTH, get(webhooks::health))
        .route(rules::EVENT_EXAMPLE, get(developer::example))
        .route(rules::REQUESTS, get(developer::list_requests))
        .route(rules::LINK_SITE_PREVIEW, post(preview::show))
        .route(rules::TEMPLATE_PREVIEW, post(template_preview::show).layer(from_fn(preview_refusal::show)))
        .route(rules::TEMPLATE_VERSIONS, get(templates::list_versions))
        .route(rules::PEOPLE, post(people::search))
        .route(rules::PERSON, get(people::show))
        .route(rules::INVITE_FILE_CHECKS, post(invite_files::check))
        .route(rules::INVITE_FILES, post(invite_files::run))
        .route(rules::INVITE_MAIL, post(people::resend_invite))
        .merge(of_rest)
        .layer(from_fn_with_state(app.clone(), guard));
    PAGES
        .iter()
        .fold(api, |routes, path| routes.route(path, get(page::document)))
        .route("/console/assets/{*path}", get(page::asset))
        .merge(single_sign_on::callback::routes(app))
}

/// Rejects requests to a route without a rule, and writes that do not come from the portal's own pages, before their body
/// is read. Only browsers have the cookie, and every supported one sends `Sec-Fetch-Site`, which no page can change.
async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>();
    let Some(rule) = route.and_then(|it| rules::find(request.method(), it.as_str())) else {
        return Problem::missing().into_response();
    };
    request.extensions_mut().insert(rule);
    let mut sites = request.headers().get_all("sec-fetch-site").iter();
    let is_own = sites.next().is_some_and(|site| site == "same-origin") && sites.next().is_none();
    // An export is an act too: a link on another site must not start one.
    let is_act = !request.method().is_safe() || matches!(rule.act, Act::Audited(_));
    if is_act && !is_own {
        return forbidden_problem(FOREIGN_PAGE).into_response();
    }
    let mut response = match rule.act {
        Act::Audited(action) => run_and_record(&app, action, request, |request| next.run(request)).await,
        Act::Read | Act::NoAudit(_) => next.run(request).await,
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
