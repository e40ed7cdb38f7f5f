//! `/clock`: the clock of a sandbox (ADR 170). Production returns 404.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::Change;
use link_domain::kernel::clock::{Now, TenantTime};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::sandbox_clock::{Advance, AdvanceError, AdvanceTo};
use link_store::{Reader, StoreError, Tx};
use link_types::clock::Clock;
use link_types::problem::FaultCode;
use link_types::{Mode, Timestamp};
use serde::Deserialize;

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of the clock.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(get => read))
        .routes(routes!(advance => ClockAdvanced, stop_advance => ClockStopped))
}

/// Checks that the environment is the sandbox.
///
/// # Errors
/// 404 in production.
fn check_sandbox(owner: &Owner) -> ApiResult<()> {
    match owner.mode {
        Mode::Sandbox => Ok(()),
        Mode::Production => Err(Problem::missing()),
    }
}

/// Returns the clock of a sandbox as REST shows it.
///
/// # Errors
/// If the database cannot be read.
pub(crate) fn read(reader: &mut Reader<'_>, owner: &Owner, now: Now) -> Result<Clock, StoreError> {
    let now = Now::new(now.wall(), reader.tenants().offset(owner)?);
    let advance = reader.clock_advances().get(&owner.tenant)?;
    Ok(view(now, advance.as_ref()))
}

fn view(now: Now, advance: Option<&Advance>) -> Clock {
    Clock {
        now: now.tenant().into(),
        real_time: Timestamp::from_micros(now.wall().micros()),
        advance: advance.map(Advance::view),
    }
}

/// Retrieves the clock of your sandbox.
///
/// Also shows the latest advance: its start, its end, and how often it has stopped. Sandbox only: returns 404 in
/// production.
#[utoipa::path(
    get, path = "/clock", tag = "sandbox", operation_id = "getClock",
    responses((status = 200, description = "The clock", body = Clock, example = json!(parse_example(include_str!("clock/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Clock>> {
    let owner = caller.owner().clone();
    check_sandbox(&owner)?;
    let now = caller.now();
    Ok(Json(app.store.read(move |reader| read(reader, &owner, now)).await?))
}

/// Body of `POST /clock/advance`: either `seconds` or `until`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AdvanceClock {
    /// How far to advance the clock.
    #[schema(minimum = 1, maximum = 315_360_000, example = 2_592_000)]
    seconds: Option<u32>,
    /// Time to which to advance the clock. It must be in the future of your sandbox.
    until: Option<Timestamp>,
}

/// Advances the clock of your sandbox. Sandbox only: returns 404 in production.
///
/// The clock stops at each time at which something is due, and waits until that is done: syncs, retries, webhook
/// deliveries, expiries. `GET /clock` shows the progress. While an advance is in progress, another one returns 409. The
/// clock can be at most 3,650 days ahead of real time, and never goes back.
#[utoipa::path(
    post, path = "/clock/advance", tag = "sandbox", operation_id = "advanceClock",
    request_body(content = AdvanceClock, example = json!({"seconds": 2_592_000})),
    responses((status = 202, description = "The advance has started", body = Clock, example = json!(parse_example(include_str!("clock/advance.json")))), refusals::Write),
    security(("apiKey" = []))
)]
async fn advance(
    caller: TenantCaller,
    Query(NoQuery): Query<NoQuery>,
    Body(body): Body<AdvanceClock>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    check_sandbox(&owner)?;
    let until = body.until.map(|until| TenantTime::from_micros(until.as_micros()));
    let to = AdvanceTo::either(body.seconds.map(u64::from), until).ok_or_else(|| {
        either(if body.seconds.is_some() { FaultCode::Invalid } else { FaultCode::Missing })
    })?;
    caller
        .once(move |tx, context| {
            let (clock, change) = begin(tx, &owner, to, context)?;
            IdempotentResponse::new(StatusCode::ACCEPTED, &clock, change)
        })
        .await
}

fn either(code: FaultCode) -> Problem {
    let message = "send either `seconds` or `until`";
    Problem::invalid(vec![fault("seconds", code, message), fault("until", code, message)])
}

/// Begins an advance of a sandbox's clock. Returns the clock, and the change that starts the advance.
///
/// # Errors
/// 404 if the tenant does not exist, 409 if the clock is being advanced, 422 if the time is not allowed.
pub(crate) fn begin(
    tx: &mut Tx<'_>,
    owner: &Owner,
    to: AdvanceTo,
    context: &mut Context,
) -> ApiResult<(Clock, Change)> {
    let tenant = tx.tenants().get(&owner.tenant)?.ok_or_else(Problem::missing)?;
    let last = tx.clock_advances().get(&owner.tenant)?;
    let (advance, change) =
        Advance::begin(&tenant, last.as_ref(), to, context).map_err(|why| to_problem(why, to))?;
    Ok((view(context.now(), Some(&advance)), change))
}

fn to_problem(why: AdvanceError, to: AdvanceTo) -> Problem {
    let field = match to {
        AdvanceTo::After(_) => "seconds",
        AdvanceTo::Until(_) => "until",
    };
    match why {
        AdvanceError::InProgress => Problem::conflict(
            "The clock is being advanced. `GET /clock` shows when the advance has finished.",
        ),
        AdvanceError::NotAhead => {
            Problem::invalid_field(field, FaultCode::OutOfRange, "must be in the future of your sandbox")
        }
        AdvanceError::TooFar => Problem::invalid_field(
            field,
            FaultCode::OutOfRange,
            "the clock can be at most 3650 days ahead of real time",
        ),
    }
}

/// Stops the advance of your sandbox's clock. Sandbox only: returns 404 in production.
///
/// The clock stays where it is, and work due at that time still runs. If no advance is in progress, nothing changes.
#[utoipa::path(
    delete, path = "/clock/advance", tag = "sandbox", operation_id = "stopClock",
    responses((status = 200, description = "The clock", body = Clock, example = json!(parse_example(include_str!("clock/stop.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn stop_advance(caller: TenantCaller, Query(NoQuery): Query<NoQuery>) -> ApiResult<Json<Clock>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    check_sandbox(&owner)?;
    caller
        .write(move |tx| {
            let (clock, change) = stop_clock(tx, &owner, now)?;
            tx.apply(&change, now)?;
            Ok(Json(clock))
        })
        .await
}

/// Stops the advance of a sandbox's clock, if one is in progress. Returns the clock, and the change that stops the
/// advance.
///
/// # Errors
/// 404 if the tenant does not exist.
pub(crate) fn stop_clock(tx: &mut Tx<'_>, owner: &Owner, now: Now) -> ApiResult<(Clock, Change)> {
    // Locks the tenant, as each step of an advance does.
    let tenant = tx.tenants().get(&owner.tenant)?.ok_or_else(Problem::missing)?;
    let now = Now::new(now.wall(), tenant.offset(owner.mode));
    let (advance, change) = match tx.clock_advances().get(&owner.tenant)? {
        Some(advance) => {
            let (advance, change) = advance.stop();
            (Some(advance), change)
        }
        None => (None, Change::default()),
    };
    Ok((view(now, advance.as_ref()), change))
}
