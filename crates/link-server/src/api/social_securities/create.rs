//! `POST /alpha/socialSecurities`: creates a record with the status PROCESSING. A job then asks the source.

use axum::response::Response;
use link_domain::lookups::record::Record;
use link_domain::notifications::event::Subject;
use link_types::problem::FaultCode;
use link_types::record::{SocialSecurity, SocialSecurityRequest};
use serde_json::{Value, json};

use crate::api::consent_named;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Returns the example body.
fn example() -> Value {
    json!({
        "templateId": "tpl-sss003001",
        "consent": {
            "consentedAt": "2026-11-20T11:07:11.000Z",
            "type": "TERMS",
            "version": "1.0",
            "consentedWith": "I agree that Demo Company asks for my data.",
        },
        "mobileNumber": "525500000100",
        "fullName": "Valeria Montelongo Olmedal",
        "curp": "HEGG560427MVZRRL04",
        "emailAddress": "valeria@example.com",
    })
}

/// Requests a social security record.
///
/// The event RECORD_COMPLETED reports when the record has its result.
#[utoipa::path(
    post, path = "/alpha/socialSecurities", tag = "records", operation_id = "createAlphaSocialSecurity",
    request_body(content = SocialSecurityRequest, example = json!(example())),
    responses((status = 201, description = "The record, with the status PROCESSING", body = SocialSecurity, example = json!(shown(include_str!("create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn alpha(
    caller: TenantCaller,
    Body(body): Body<SocialSecurityRequest>,
) -> ApiResult<Response> {
    create(&caller, body).await
}

/// Requests a social security record. Same as `POST /alpha/socialSecurities`.
///
/// The event RECORD_COMPLETED reports when the record has its result.
#[utoipa::path(
    post, path = "/socialSecurities", tag = "records", operation_id = "createSocialSecurity",
    request_body(content = SocialSecurityRequest, example = json!(example())),
    responses((status = 201, description = "The record, with the status PROCESSING", body = SocialSecurity, example = json!(shown(include_str!("create.json")))), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn plain(
    caller: TenantCaller,
    Body(body): Body<SocialSecurityRequest>,
) -> ApiResult<Response> {
    create(&caller, body).await
}

async fn create(caller: &TenantCaller, request: SocialSecurityRequest) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            consent_named::check(tx, &owner, request.consent.consent_template_id.as_ref())?;
            if let Some(id) = &request.user_id
                && tx.users().get(&owner, id)?.is_none()
            {
                return Err(Problem::invalid_field(
                    "userId",
                    FaultCode::Invalid,
                    "a user of this environment",
                ));
            }
            let (record, change) = Record::create(owner.clone(), request.clone(), context);
            Ok(IdempotentResponse::created(&record.view(), change)?.about(Subject::Record(record.id)))
        })
        .await
}
