//! The endpoints of the nine kinds of signals: four operations for each. To add a kind, add a line to the table.

mod create;
mod erase;
mod get;
mod list;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_types::list::Page;
use link_types::signal::{
    FootprintsRequest, IncomeEstimatorRequest, MobileSignalRequest, Signal, SignalId, SignalKind,
    SignalRequest, SignalStarted, SocialSecuritySignalsRequest, VerificationRequest,
};
use serde_json::{Value, json};

use self::list::ListSignalsQuery;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;

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
                    create::create(&app, &caller, SignalRequest::$Kind(body.into())).await
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
                    list::list(&app, &caller, SignalKind::$Kind, query).await
                }

                #[utoipa::path(
                    get, path = one(SignalKind::$Kind), tag = "signals", operation_id = concat!("get", $one),
                    summary = concat!("Retrieves a signal of type ", $one, "."),
                    description = "`result` is null until the status is COMPLETED. A signal is erased after 60 days.",
                    params(("id" = SignalId, Path, description = "The signal's id")),
                    responses((status = 200, description = "The signal", body = Signal<$Request>, example = json!(shown(include_str!(concat!("examples/", stringify!($module), ".json"))))), refusals::Read),
                    security(("apiKey" = []))
                )]
                pub(super) async fn get(
                    State(app): State<App>,
                    caller: TenantCaller,
                    PathId(id): PathId<SignalId>,
                    Query(NoQuery): Query<NoQuery>,
                ) -> ApiResult<Response> {
                    get::get(&app, &caller, SignalKind::$Kind, id).await
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
                    erase::erase(&app, &caller, SignalKind::$Kind, id).await
                }
            }
        )+

        /// Returns the routes of every signal.
        pub fn routes() -> Endpoints {
            Endpoints::new()$(
                .routes(routes!($module::create, $module::list))
                .routes(routes!($module::get, $module::erase))
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
