//! `/console/api/singleSignOn/domains`: adds, proves and removes domains whose addresses may join.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::change::Change;
use link_domain::console::single_sign_on::{DomainError, SignOnDomain};
use link_domain::kernel::clock::ClockOffset;
use link_types::console::single_sign_on::{self, DomainDraft};
use link_types::id::TenantId;
use link_types::problem::FaultCode;

use super::super::body::ConsoleBody;
use super::super::caller::ConsoleCaller;
use crate::adapters::openid::Purpose;
use crate::app::App;
use crate::http::audit::record_lost_domain;
use crate::http::problem::{ApiResult, Problem};
use crate::http::txt_records::find_texts;

/// Adds a domain, and returns the record that proves it.
pub(in crate::console) async fn add(
    State(app): State<App>,
    caller: ConsoleCaller,
    ConsoleBody(draft): ConsoleBody<DomainDraft>,
) -> ApiResult<(StatusCode, Json<single_sign_on::SignOnDomain>)> {
    let context = app.context(ClockOffset::default());
    let added = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            caller.check_again(tx, context.now().wall())?;
            let tenant = caller.tenant.id.clone();
            let existing = tx.identity_providers().domains(&tenant)?;
            let (added, change) =
                SignOnDomain::add(tenant, &draft.domain, &existing, &mut context).map_err(to_problem)?;
            tx.apply(&change, context.now())?;
            Ok(added)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(added.view())))
}

/// Proves a domain with its TXT record.
pub(in crate::console) async fn prove(
    State(app): State<App>,
    Path(domain): Path<String>,
    caller: ConsoleCaller,
) -> ApiResult<Json<single_sign_on::SignOnDomain>> {
    let found = find(&app, caller.tenant.id.clone(), domain.clone()).await?;
    let texts = find_texts(&app, (&caller.tenant.id, Purpose::Settings), &found.record_name()).await?;
    let proven = change(&app, caller, domain, move |found, now| {
        found.prove(&texts, now).map_err(to_problem).map(|(proven, change)| (Some(proven), change))
    })
    .await?;
    proven.map(|it| Json(it.view())).ok_or_else(Problem::missing)
}

/// Removes a domain. Members who joined with it stay.
pub(in crate::console) async fn remove(
    State(app): State<App>,
    Path(domain): Path<String>,
    caller: ConsoleCaller,
) -> ApiResult<StatusCode> {
    change(&app, caller, domain, |found, _| Ok((None, found.remove()))).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn find(app: &App, tenant: TenantId, domain: String) -> ApiResult<SignOnDomain> {
    let domains = app.store.read(move |reader| reader.identity_providers().domains(&tenant)).await?;
    domains.into_iter().find(|it| it.domain == domain).ok_or_else(Problem::missing)
}

/// Decides about a domain of the caller's tenant, and writes the decision: the domain as it is proven, or `None` if it is removed.
async fn change(
    app: &App,
    caller: ConsoleCaller,
    domain: String,
    decide: impl Fn(SignOnDomain, link_domain::kernel::clock::Wall) -> ApiResult<(Option<SignOnDomain>, Change)>
    + Send
    + 'static,
) -> ApiResult<Option<SignOnDomain>> {
    let context = app.context(ClockOffset::default());
    app.store
        .write(move |tx| {
            let mut context = context.clone();
            let now = context.now();
            caller.check_again(tx, now.wall())?;
            let domains = tx.identity_providers().domains(&caller.tenant.id)?;
            let found = domains.into_iter().find(|it| it.domain == domain).ok_or_else(Problem::missing)?;
            let (decided, change) = decide(found, now.wall())?;
            if decided.is_some() {
                record_lost_domain(tx, &caller.tenant.id, &domain, &mut context)?;
            }
            tx.apply(&change, now)?;
            Ok(decided)
        })
        .await
}

fn to_problem(error: DomainError) -> Problem {
    match error {
        DomainError::Domain => Problem::invalid_field("domain", FaultCode::Invalid, error.to_string()),
        DomainError::Exists | DomainError::Limit => {
            Problem::conflict(format!("This domain cannot be added: {error}."))
        }
        DomainError::NotFound => Problem::conflict(
            "No TXT record with this name has the text yet. New records can take some hours to appear. Try again \
             later.",
        ),
    }
}
