//! The endpoints of the nine kinds of signals: four operations for each. To add a kind, add a line to the table.

use std::pin::pin;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use link_domain::change::Change;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::subject::Subject;
use link_domain::lookups::signal;
use link_store::{Created, PageRequest, RENEWAL, Reader, StoreError, WorkerId};
use link_types::list::Page;
use link_types::problem::FaultCode;
use link_types::signal::{
    FootprintsRequest, IncomeEstimatorRequest, MobileSignalRequest, Signal, SignalId, SignalKind,
    SignalRequest, SignalStarted, SocialSecuritySignalsRequest, VerificationRequest,
};
use serde_json::{Value, json};

use crate::api::consent_templates;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::idempotency::{Begun, IdempotentResponse};
use crate::http::list::raw_page;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::logs::log_failure;
use crate::openapi::{parse_example, refusals};
use crate::workers::lookups::ask_for_signal;

/// Generates four routes for each kind. `$Created` is the response to its POST, `$about` says what it assesses, and
/// `$example` is a request body.
macro_rules! signals {
    ($( $module:ident: $one:literal, $many:literal, $Kind:ident($Request:ident), $Created:ty, $about:literal, $example:tt; )+) => {
        $(
            mod $module {
                use super::*;

                #[utoipa::path(
                    post, path = SignalKind::$Kind.path(), tag = "signals", operation_id = concat!("create", $one),
                    summary = concat!("Creates a signal of type ", $one, "."),
                    description = concat!($about, " Only creating a signal is charged."),
                    request_body(content = $Request, example = json!($example)),
                    responses((status = 201, description = "The signal with its result, or only the id of an asynchronous signal", body = $Created), refusals::Write),
                    security(("apiKey" = []))
                )]
                pub(super) async fn create(
                    State(app): State<App>,
                    caller: TenantCaller,
                    Body(body): Body<$Request>,
                ) -> ApiResult<Response> {
                    create_signal(&app, &caller, SignalRequest::$Kind(body.into())).await
                }

                #[utoipa::path(
                    get, path = SignalKind::$Kind.path(), tag = "signals", operation_id = concat!("list", $many),
                    summary = concat!("Lists signals of type ", $one, ", newest first."),
                    description = "The list contains signals in every status. `startDate` and `endDate` are the first and the last day of creation, in UTC.",
                    params(Query<ListSignalsQuery>),
                    responses((status = 200, description = "A page of signals", body = Page<Signal<$Request>>), refusals::List),
                    security(("apiKey" = []))
                )]
                pub(super) async fn list(
                    State(app): State<App>,
                    caller: TenantCaller,
                    Query(query): Query<ListSignalsQuery>,
                ) -> ApiResult<Response> {
                    list_signals(&app, &caller, SignalKind::$Kind, query).await
                }

                #[utoipa::path(
                    get, path = one(SignalKind::$Kind), tag = "signals", operation_id = concat!("get", $one),
                    summary = concat!("Retrieves a signal of type ", $one, "."),
                    description = "`result` is null until the status is COMPLETED. A signal is erased after 60 days.",
                    params(("id" = SignalId, Path, description = "The signal's id")),
                    responses((status = 200, description = "The signal", body = Signal<$Request>, example = json!(parse_example(include_str!(concat!("signals/examples/", stringify!($module), ".json"))))), refusals::Read),
                    security(("apiKey" = []))
                )]
                pub(super) async fn get(
                    State(app): State<App>,
                    caller: TenantCaller,
                    PathId(id): PathId<SignalId>,
                    Query(NoQuery): Query<NoQuery>,
                ) -> ApiResult<Response> {
                    get_signal(&app, &caller, SignalKind::$Kind, id).await
                }

                #[utoipa::path(
                    delete, path = one(SignalKind::$Kind), tag = "signals", operation_id = concat!("delete", $one),
                    summary = concat!("Erases a signal of type ", $one, "."),
                    description = "The request and the result are unreadable afterwards. The charge remains.",
                    params(("id" = SignalId, Path, description = "The signal's id")),
                    responses((status = 204, description = "The signal is erased"), refusals::Read),
                    security(("apiKey" = []))
                )]
                pub(super) async fn erase(
                    State(app): State<App>,
                    caller: TenantCaller,
                    PathId(id): PathId<SignalId>,
                    Query(NoQuery): Query<NoQuery>,
                ) -> ApiResult<StatusCode> {
                    erase_signal(&app, &caller, SignalKind::$Kind, id).await
                }
            }
        )+

        /// Returns the routes of every signal.
        pub fn routes() -> Endpoints {
            Endpoints::new()$(
                .routes(routes!($module::create => SignalCreated, $module::list => read))
                .routes(routes!($module::get => read, $module::erase => SignalDeleted))
            )+
        }
    };
}

/// Returns the path of one signal of this kind.
fn one(kind: SignalKind) -> String {
    format!("{}/{{id}}", kind.path())
}

/// Returns the consent in the example bodies.
fn consent() -> Value {
    json!({
        "consentedAt": "2026-11-20T11:07:11.000Z", "type": "TERMS", "version": "1.0",
        "consentedWith": "I agree that Demo Company asks for my data.",
    })
}

signals! {
    blacklists: "Blacklist", "Blacklists", Blacklist(MobileSignalRequest), Signal<MobileSignalRequest>,
        "The signal says whether a lender reported the mobile number, and when.",
        {"mobileNumber": "525500000100", "consent": consent()};
    borrower_behaviors: "BorrowerBehavior", "BorrowerBehaviors", BorrowerBehavior(MobileSignalRequest), Signal<MobileSignalRequest>,
        "The signal describes how the person uses loans, as numbers and a score.",
        {"mobileNumber": "525500000100", "consent": consent()};
    borrower_screenings: "BorrowerScreening", "BorrowerScreenings", BorrowerScreening(MobileSignalRequest), Signal<MobileSignalRequest>,
        "The signal screens a loan application by mobile number, with a score and its reasons.",
        {"mobileNumber": "525500000100", "consent": consent()};
    credit_lifecycles: "CreditLifecycle", "CreditLifecycles", CreditLifecycle(MobileSignalRequest), Signal<MobileSignalRequest>,
        "The signal describes the loans of the person over time, with a score.",
        {"mobileNumber": "525500000100", "consent": consent()};
    footprints: "Footprint", "Footprints", Footprints(FootprintsRequest), Signal<FootprintsRequest>,
        "The signal finds the services at which the mobile number and the email address are registered. At least one of the two is required, and items that need the other are null. Values that are not found within `timeout` seconds are null.",
        {"mobileNumber": "525500000100", "emailAddress": "valeria@example.com", "timeout": 5, "consent": consent()};
    multiple_application_warnings: "MultipleApplicationWarning", "MultipleApplicationWarnings", MultipleApplicationWarning(MobileSignalRequest), Signal<MobileSignalRequest>,
        "The signal counts the person's loan applications in 7, 30 and 90 days, by kind of lender.",
        {"mobileNumber": "525500000100", "consent": consent()};
    verifications: "Verification", "Verifications", Verification(VerificationRequest), SignalStarted,
        "The signal compares the person's names, date of birth and ids with official data. At least one of `mobileNumber` and `emailAddress` is required. It is asynchronous: the response contains only the id, and VERIFICATION_COMPLETED reports the result.",
        {
        "firstName": "Valeria", "lastName": "Olmedal", "dob": "1990-05-24",
        "ids": [{"type": "CURP", "number": "HEGG560427MVZRRL04"}],
        "mobileNumber": "525500000100", "consent": consent(),
    };
    social_security_signals: "SocialSecuritySignal", "SocialSecuritySignals", SocialSecuritySignals(SocialSecuritySignalsRequest), Signal<SocialSecuritySignalsRequest>,
        "The signal assesses the social security data of the person with this CURP.",
        {"mobileNumber": "525500000100", "curp": "HEGG560427MVZRRL04", "consent": consent()};
    income_estimators: "IncomeEstimator", "IncomeEstimators", IncomeEstimator(IncomeEstimatorRequest), Signal<IncomeEstimatorRequest>,
        "The signal estimates the monthly income of the owner of an email address.",
        {"emailAddress": "success@example.com", "consent": consent()};
}

// `POST` of a signal.
//
// A synchronous signal is stored as PROCESSING. The request then asks the source outside of any transaction and
// returns the result. Meanwhile the request holds the lease of the signal's job, so that a worker takes over if the
// request is cut off. An asynchronous signal, a verification, is left to its job.

/// Creates a signal.
///
/// # Errors
/// 422 if the request has neither a mobile number nor an email address.
async fn create_signal(app: &App, caller: &TenantCaller, request: SignalRequest) -> ApiResult<Response> {
    if !request.names_somebody() {
        let faults = [("mobileNumber", "emailAddress"), ("emailAddress", "mobileNumber")];
        let missing =
            |(field, other)| fault(field, FaultCode::Missing, format!("required unless you send {other}"));
        return Err(Problem::invalid(faults.map(missing).to_vec()));
    }
    if request.kind().is_synchronous() {
        at_once(app, caller, request).await
    } else {
        start(caller, request).await
    }
}

async fn start(caller: &TenantCaller, request: SignalRequest) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            consent_templates::check_cited(tx, &owner, request.consent().consent_template_id.as_ref())?;
            let (signal, change) = signal::Signal::create(owner.clone(), request.clone(), context);
            let started = SignalStarted { id: signal.id.clone() };
            Ok(IdempotentResponse::for_created(&started, change)?.about(Subject::Signal(signal.id)))
        })
        .await
}

async fn at_once(app: &App, caller: &TenantCaller, request: SignalRequest) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let worker = WorkerId::from_random(app.random_bytes());
    let holder = worker.clone();
    let begun = caller
        .begin(is_over, move |tx, context| {
            consent_templates::check_cited(tx, &owner, request.consent().consent_template_id.as_ref())?;
            let (signal, change) = signal::Signal::create(owner.clone(), request.clone(), context);
            let effect = IdempotentResponse::for_created(&signal.view(), change)?
                .about(Subject::Signal(signal.id.clone()))
                .holding(&owner, signal.completion_key(), holder.clone());
            Ok((effect, signal))
        })
        .await?;
    match begun {
        Begun::Responded(response) => Ok(response),
        Begun::Open(id) => once_completed(caller, id).await,
        Begun::Mine(signal) => settle(app, caller, &signal, worker).await,
    }
}

async fn settle(
    app: &App,
    caller: &TenantCaller,
    signal: &signal::Signal,
    worker: WorkerId,
) -> ApiResult<Response> {
    let asked = ask_for_signal(app, signal, caller.now());
    let queried = while_held(app, signal, worker, asked).await;
    let (owner, id) = (signal.owner.clone(), signal.id.clone());
    caller
        .settle(move |tx, context| {
            let signal = tx.signals().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            tx.jobs().withdraw(&owner, &signal.completion_key())?;
            let (signal, change) = match signal.is_processing() {
                true => signal.apply_response(queried.clone(), context).map_err(Problem::system)?,
                false => (signal, Change::default()),
            };
            Ok(IdempotentResponse::for_created(&signal.view(), change)?
                .about(Subject::Signal(signal.id.clone())))
        })
        .await
}

/// Waits for the source, and renews the lease of the signal's job meanwhile.
async fn while_held<T>(
    app: &App,
    signal: &signal::Signal,
    worker: WorkerId,
    asked: impl Future<Output = T>,
) -> T {
    let mut asked = pin!(asked);
    let mut renewals = tokio::time::interval(RENEWAL);
    // The first tick is immediate, and the lease is still new.
    renewals.tick().await;
    loop {
        tokio::select! {
            outcome = &mut asked => return outcome,
            _ = renewals.tick() => {}
        }
        let (owner, key, worker) = (signal.owner.clone(), signal.completion_key(), worker.clone());
        let now = app.wall();
        let held: Result<bool, StoreError> =
            app.store.write(move |tx| tx.jobs().hold(&owner, &key, &worker, now)).await;
        if let Err(error) = held {
            log_failure!(error, %error, "Could not renew the lease of a signal's job");
        }
    }
}

/// Returns true if a signal is complete. If its request was cut off, its job completes it.
fn is_over(reader: &mut Reader<'_>, owner: &Owner, id: &str) -> ApiResult<bool> {
    let id: SignalId = id.parse().map_err(Problem::system)?;
    Ok(reader.signals().get(owner, &id)?.is_none_or(|signal| !signal.is_processing()))
}

/// Returns the response to a repeated request whose first one got no response.
///
/// Once the job has completed the signal, all repeated requests get the same response. Before that, they get 409.
async fn once_completed(caller: &TenantCaller, id: Option<String>) -> ApiResult<Response> {
    let id: SignalId = id.ok_or_else(Problem::missing)?.parse().map_err(Problem::system)?;
    let owner = caller.owner().clone();
    caller
        .settle(move |tx, _| {
            let signal = tx.signals().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            if signal.is_processing() {
                return Err(Problem::at_work());
            }
            let effect = IdempotentResponse::for_created(&signal.view(), Change::default())?;
            Ok(effect.about(Subject::Signal(signal.id.clone())))
        })
        .await
}

/// Query of the list of signals.
struct ListSignalsQuery {
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListSignalsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self { created: query.take_creation_range(), page: query.page() }
    }
}

/// Returns a page of the signals of this kind, newest first.
async fn list_signals(
    app: &App,
    caller: &TenantCaller,
    kind: SignalKind,
    query: ListSignalsQuery,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            Ok(reader.signals().list(&owner, kind, query.created, &query.page)?)
        })
        .await?;
    let bodies: Result<Vec<_>, _> =
        page.items.iter().map(|signal| serde_json::to_vec(&signal.view())).collect();
    raw_page(&bodies.map_err(Problem::system)?, page.next_cursor.as_deref())
}

/// Returns a signal of this kind.
///
/// # Errors
/// 404 if it does not exist or is of another kind.
async fn get_signal(app: &App, caller: &TenantCaller, kind: SignalKind, id: SignalId) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let found =
        app.store.read(move |reader| -> ApiResult<_> { Ok(reader.signals().get(&owner, &id)?) }).await?;
    let signal = found.filter(|signal| signal.kind() == kind).ok_or_else(Problem::missing)?;
    Ok(Json(signal.view()).into_response())
}

/// Erases a signal of this kind.
///
/// # Errors
/// 404 if it does not exist or is of another kind.
async fn erase_signal(
    app: &App,
    caller: &TenantCaller,
    kind: SignalKind,
    id: SignalId,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store
        .write(move |tx| -> ApiResult<_> {
            let found = tx.signals().get(&owner, &id)?.filter(|signal| signal.kind() == kind);
            let signal = found.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&signal.erase(), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
