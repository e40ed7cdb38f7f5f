//! The nine signals: a table and the four things that can be done with each. A new signal is one line here.

mod create;
mod erase;
mod get;
mod list;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_types::id::SignalId;
use link_types::list::Page;
use link_types::signal::{
    FootprintsRequest, IncomeEstimatorRequest, MobileSignalRequest, Signal, SignalKind, SignalRequest,
    SignalStarted, SocialSecuritySignalsRequest, VerificationRequest,
};
use serde_json::{Value, json};

use self::list::Wanted;
use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, NoQuery, PageParams, PathId, Query};
use crate::http::refusals;

/// Four routes for each signal. `$Created` is what its POST answers, `$example` a body that it takes.
macro_rules! signals {
    ($( $module:ident: $path:literal, $one:literal, $many:literal, $Kind:ident($Request:ident), $Created:ty, $example:tt; )+) => {
        $(
            mod $module {
                use super::*;

                #[utoipa::path(
                    post, path = $path, tag = "signals", operation_id = concat!("create", $one),
                    summary = concat!("Ask for a signal: ", $one, "."),
                    request_body(content = $Request, example = json!($example)),
                    responses((status = 201, description = "What it came to; of an asynchronous one its id", body = $Created), refusals::Write),
                    security(("apiKey" = []))
                )]
                pub(super) async fn create(
                    State(app): State<App>,
                    caller: TenantCaller,
                    Body(body): Body<$Request>,
                ) -> Answer<Response> {
                    create::create(&app, &caller, SignalRequest::$Kind(body.into())).await
                }

                #[utoipa::path(
                    get, path = $path, tag = "signals", operation_id = concat!("list", $many),
                    summary = concat!("List ", $many, ", newest first."),
                    params(CreatedParams, PageParams),
                    responses((status = 200, description = "A page of signals", body = Page<Signal<$Request>>), refusals::List),
                    security(("apiKey" = []))
                )]
                pub(super) async fn list(
                    State(app): State<App>,
                    caller: TenantCaller,
                    Query(wanted): Query<Wanted>,
                ) -> Answer<Response> {
                    list::list(&app, &caller, SignalKind::$Kind, wanted).await
                }

                #[utoipa::path(
                    get, path = concat!($path, "/{id}"), tag = "signals", operation_id = concat!("get", $one),
                    summary = concat!("One signal: ", $one, "."),
                    params(("id" = SignalId, Path, description = "The signal")),
                    responses((status = 200, description = "The signal", body = Signal<$Request>, example = json!(shown(include_str!(concat!("examples/", stringify!($module), ".json"))))), refusals::Read),
                    security(("apiKey" = []))
                )]
                pub(super) async fn get(
                    State(app): State<App>,
                    caller: TenantCaller,
                    PathId(id): PathId<SignalId>,
                    Query(NoQuery): Query<NoQuery>,
                ) -> Answer<Response> {
                    get::get(&app, &caller, SignalKind::$Kind, id).await
                }

                #[utoipa::path(
                    delete, path = concat!($path, "/{id}"), tag = "signals", operation_id = concat!("delete", $one),
                    summary = concat!("Erase a signal: ", $one, "."),
                    params(("id" = SignalId, Path, description = "The signal")),
                    responses((status = 204, description = "Erased"), refusals::Read),
                    security(("apiKey" = []))
                )]
                pub(super) async fn erase(
                    State(app): State<App>,
                    caller: TenantCaller,
                    PathId(id): PathId<SignalId>,
                    Query(NoQuery): Query<NoQuery>,
                ) -> Answer<StatusCode> {
                    erase::erase(&app, &caller, SignalKind::$Kind, id).await
                }
            }
        )+

        /// The routes of every signal.
        pub fn routes() -> Endpoints {
            Endpoints::new()$(
                .routes(routes!($module::create, $module::list))
                .routes(routes!($module::get, $module::erase))
            )+
        }

        /// Path and kind of every signal served.
        #[cfg(test)]
        const SERVED: &[(&str, SignalKind)] = &[$(($path, SignalKind::$Kind)),+];
    };
}

/// The consent in the examples of bodies.
fn consent() -> Value {
    json!({
        "consentedAt": "2026-11-20T11:07:11.000Z", "type": "TERMS", "version": "1.0",
        "consentedWith": "I agree that Demo Company asks for my data.",
    })
}

signals! {
    blacklists: "/alpha/blacklists", "Blacklist", "Blacklists", Blacklist(MobileSignalRequest), Signal<MobileSignalRequest>,
        {"mobileNumber": "525500000100", "consent": consent()};
    borrower_behaviors: "/beta/borrowerBehaviors", "BorrowerBehavior", "BorrowerBehaviors", BorrowerBehavior(MobileSignalRequest), Signal<MobileSignalRequest>,
        {"mobileNumber": "525500000100", "consent": consent()};
    borrower_screenings: "/beta/borrowerScreenings", "BorrowerScreening", "BorrowerScreenings", BorrowerScreening(MobileSignalRequest), Signal<MobileSignalRequest>,
        {"mobileNumber": "525500000100", "consent": consent()};
    credit_lifecycles: "/beta/creditLifecycles", "CreditLifecycle", "CreditLifecycles", CreditLifecycle(MobileSignalRequest), Signal<MobileSignalRequest>,
        {"mobileNumber": "525500000100", "consent": consent()};
    footprints: "/alpha/footprints", "Footprint", "Footprints", Footprints(FootprintsRequest), Signal<FootprintsRequest>,
        {"mobileNumber": "525500000100", "emailAddress": "valeria@example.com", "timeout": 5, "consent": consent()};
    multiple_application_warnings: "/beta/multipleApplicationWarnings", "MultipleApplicationWarning", "MultipleApplicationWarnings", MultipleApplicationWarning(MobileSignalRequest), Signal<MobileSignalRequest>,
        {"mobileNumber": "525500000100", "consent": consent()};
    verifications: "/alpha/verifications", "Verification", "Verifications", Verification(VerificationRequest), SignalStarted,
        {
        "firstName": "Valeria", "lastName": "Olmedal", "dob": "1990-05-24",
        "ids": [{"type": "CURP", "number": "HEGG560427MVZRRL04"}],
        "mobileNumber": "525500000100", "consent": consent(),
    };
    social_security_signals: "/socialSecuritySignals", "SocialSecuritySignal", "SocialSecuritySignals", SocialSecuritySignals(SocialSecuritySignalsRequest), Signal<SocialSecuritySignalsRequest>,
        {"mobileNumber": "525500000100", "curp": "HEGG560427MVZRRL04", "consent": consent()};
    income_estimators: "/incomeEstimators", "IncomeEstimator", "IncomeEstimators", IncomeEstimator(IncomeEstimatorRequest), Signal<IncomeEstimatorRequest>,
        {"emailAddress": "success@example.com", "consent": consent()};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_served_at_its_path() {
        let expected: Vec<_> = SignalKind::ALL.iter().map(|kind| (kind.path(), *kind)).collect();
        assert_eq!(SERVED, expected);
    }
}
