//! `/console/api/session/provider`: leads a person to the provider of their organization.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use link_domain::console::single_sign_on::{Aim, Departure, IdentityProvider, domain_of_address};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_store::StoreError;
use link_types::console::{ProviderAddress, ProviderSignIn};
use link_types::problem::FaultCode;

use super::super::body::ConsoleBody;
use super::super::cookie::provider_cookie;
use super::callback_url;
use crate::adapters::openid::Purpose;
use crate::app::App;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

const NO_RESPONSE: &str = "The single sign-on of your organization does not respond as expected. Try again in a \
                           minute, or sign in in another way. If it persists, tell an owner of your organization.";

/// A client that may leave for a provider. Extracting it counts the request before the body is read.
pub(in crate::console) struct Leaving(Network);

impl FromRequestParts<App> for Leaving {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let network = Network::from_parts(parts, app);
        network.may_be_refused(app)?;
        network.count(app)?;
        Ok(Self(network))
    }
}

/// Begins a sign-in with the provider of an organization. The response is the same for an organization that does not exist and
/// for one without a provider.
pub(in crate::console) async fn begin(
    State(app): State<App>,
    Leaving(network): Leaving,
    ConsoleBody(body): ConsoleBody<ProviderSignIn>,
) -> ApiResult<Response> {
    let found = find(&app, body).await?;
    let (provider, aim) = found.ok_or_else(|| network.count_refusal(&app, unknown_organization()))?;
    lead_away(&app, &provider, aim).await
}

async fn find(app: &App, body: ProviderSignIn) -> ApiResult<Option<(IdentityProvider, Aim)>> {
    app.store
        .read(move |reader| {
            let (tenant, aim) = match (&body.code, &body.organization) {
                (Some(code), _) => {
                    let code = Digest32::from_text(code.expose());
                    (reader.console_addresses().tenant_of(&code)?, Aim::Invitation(code))
                }
                (None, Some(typed)) => {
                    let typed = typed.expose().trim();
                    let tenant = match domain_of_address(typed) {
                        Some(domain) => reader.identity_providers().find_prover(&domain)?,
                        None => typed.parse().ok(),
                    };
                    (tenant, Aim::SignIn)
                }
                (None, None) => (None, Aim::SignIn),
            };
            let Some(tenant) = tenant else { return Ok::<_, StoreError>(None) };
            let is_active = reader.tenants().get(&tenant)?.is_some_and(|it| it.check_active().is_ok());
            let provider = reader.identity_providers().get(&tenant)?.filter(|_| is_active);
            Ok(provider.map(|it| (it, aim)))
        })
        .await
        .map_err(Problem::from)
}

/// Begins a way to a provider. Returns the address of its page, and sets the cookie that binds the way to the browser.
pub(super) async fn lead_away(app: &App, provider: &IdentityProvider, aim: Aim) -> ApiResult<Response> {
    let client = app.ports.identity.as_ref();
    let _permit = app.caches.openid.admit(&provider.tenant, Purpose::Leaving).map_err(|_| super::busy())?;
    let discovered = app.caches.openid.discover(client, provider, app.wall()).await.map_err(|error| {
        tracing::info!(tenant = %provider.tenant, %error, "An OpenID provider cannot be used");
        Problem::conflict(NO_RESPONSE)
    })?;
    let mut context = app.context(ClockOffset::default());
    let (_, secrets, change) = Departure::begin(provider.tenant.clone(), aim, &mut context);
    let callback = callback_url(app, &provider.tenant);
    let url = discovered.page(provider, &callback, &secrets);
    let url = url.ok_or_else(|| Problem::system("the portal's address is not a valid URL"))?;
    let now = context.now();
    app.store.write(move |tx| -> Result<(), StoreError> { tx.apply(&change, now) }).await?;
    let cookie = provider_cookie(app, secrets.browser.expose());
    let cookie = cookie.ok_or_else(|| Problem::system("the cookie of a way is not a valid header"))?;
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(ProviderAddress { url })).into_response())
}

fn unknown_organization() -> Problem {
    let expected =
        "the id of an organization that uses single sign-on, or an e-mail address of one of its domains";
    Problem::invalid_field("organization", FaultCode::Unknown, expected)
}
