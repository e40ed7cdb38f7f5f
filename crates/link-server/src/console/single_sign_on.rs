//! `/console/api/singleSignOn`: shows, configures and removes the tenant's OpenID provider.

pub(super) mod callback;
pub(super) mod domains;
pub(super) mod own;
mod page;
pub(super) mod start;

use axum::Json;
use axum::extract::State;
use link_domain::console::single_sign_on::port::FetchError;
use link_domain::console::single_sign_on::{IdentityProvider, IdentityProviderError, SignOnDomain};
use link_domain::kernel::clock::ClockOffset;
use link_store::StoreError;
use link_types::console::single_sign_on::{IdentityProviderDraft, SingleSignOn};
use link_types::id::TenantId;
use link_types::problem::FaultCode;

use super::body::ConsoleBody;
use super::caller::ConsoleCaller;
use crate::adapters::openid::{ProviderError, Purpose};
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Returns the callback address of a tenant. Each tenant has another one, so that no provider's response can count for
/// another.
fn callback_url(app: &App, tenant: &TenantId) -> String {
    format!("{}/console/sign-in/callback/{tenant}", app.settings.console_url)
}

/// Shows the provider and the domains.
pub(super) async fn show(State(app): State<App>, caller: ConsoleCaller) -> ApiResult<Json<SingleSignOn>> {
    view(&app, caller.tenant.id).await
}

async fn view(app: &App, tenant: TenantId) -> ApiResult<Json<SingleSignOn>> {
    let id = tenant.clone();
    let (provider, domains) = app
        .store
        .read(move |reader| {
            let provider = reader.identity_providers().get(&id)?;
            Ok::<_, StoreError>((provider, reader.identity_providers().domains(&id)?))
        })
        .await?;
    Ok(Json(SingleSignOn {
        callback_url: callback_url(app, &tenant),
        organization: tenant,
        provider: provider.as_ref().map(IdentityProvider::view),
        domains: domains.iter().map(SignOnDomain::view).collect(),
    }))
}

/// Configures the provider, whose discovery document must be usable.
pub(super) async fn save(
    State(app): State<App>,
    caller: ConsoleCaller,
    ConsoleBody(draft): ConsoleBody<IdentityProviderDraft>,
) -> ApiResult<Json<SingleSignOn>> {
    let tenant = caller.tenant.id.clone();
    let (id, now) = (tenant.clone(), app.now(ClockOffset::default()));
    let earlier = app.store.read(move |reader| reader.identity_providers().get(&id)).await?;
    let checked = IdentityProvider::configure(tenant.clone(), &draft, earlier.as_ref(), now.wall());
    checked.map(drop).map_err(to_problem)?;
    discover(&app, &tenant, &draft.issuer).await?;
    app.store
        .write(move |tx| -> ApiResult<_> {
            caller.check_again(tx, now.wall())?;
            let id = caller.tenant.id.clone();
            let earlier = tx.identity_providers().get(&id)?;
            let (_, change) =
                IdentityProvider::configure(id, &draft, earlier.as_ref(), now.wall()).map_err(to_problem)?;
            Ok(tx.apply(&change, now)?)
        })
        .await?;
    view(&app, tenant).await
}

/// Fetches the discovery document of an issuer that an owner typed.
async fn discover(app: &App, tenant: &TenantId, issuer: &str) -> ApiResult<()> {
    let client = app.ports.identity.as_ref();
    let at_issuer = |detail: String| Problem::invalid_field("issuer", FaultCode::Invalid, detail);
    client.vet(issuer).map_err(|error| at_issuer(error.to_string()))?;
    let _permit = app.caches.openid.admit(tenant, Purpose::Settings).map_err(|_| busy())?;
    let found = app.caches.openid.discover_again(client, issuer, app.wall()).await;
    found.map(drop).map_err(|error| match error {
        ProviderError::NoClientSecret => {
            Problem::invalid_field("clientSecret", FaultCode::Invalid, error.to_string())
        }
        ProviderError::Busy => busy(),
        ProviderError::Fetch(FetchError::Send(_) | FetchError::TimedOut | FetchError::TooLarge)
        | ProviderError::Status(_)
        | ProviderError::Document
        | ProviderError::OtherIssuer
        | ProviderError::MissingEndpoint(_)
        | ProviderError::Endpoint(_)
        | ProviderError::NoS256
        | ProviderError::NoCode
        | ProviderError::NoAlgorithm => at_issuer(error.to_string()),
    })
}

/// Removes the provider. The sessions that began with it end, and members keep their other ways to sign in.
pub(super) async fn remove(State(app): State<App>, caller: ConsoleCaller) -> ApiResult<Json<SingleSignOn>> {
    let (tenant, now) = (caller.tenant.id.clone(), app.now(ClockOffset::default()));
    app.store
        .write(move |tx| -> ApiResult<_> {
            caller.check_again(tx, now.wall())?;
            let provider = tx.identity_providers().get(&caller.tenant.id)?;
            Ok(tx.apply(&provider.map(IdentityProvider::remove).unwrap_or_default(), now)?)
        })
        .await?;
    view(&app, tenant).await
}

/// Returns the problem of too many people on their way.
fn busy() -> Problem {
    Problem::unavailable("too many people use providers at present")
}

fn to_problem(error: IdentityProviderError) -> Problem {
    let (field, code) = match error {
        IdentityProviderError::Issuer => ("issuer", FaultCode::Invalid),
        IdentityProviderError::ClientId => ("clientId", FaultCode::Invalid),
        IdentityProviderError::ClientSecret => ("clientSecret", FaultCode::Invalid),
        IdentityProviderError::MissingSecret => ("clientSecret", FaultCode::Missing),
        IdentityProviderError::Role => ("role", FaultCode::Invalid),
    };
    Problem::invalid_field(field, code, error.to_string())
}
