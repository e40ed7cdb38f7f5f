//! `POST /alpha/socialSecurities`: asks for a record. The answer is PROCESSING; a job asks the source.

use axum::response::Response;
use link_domain::event::Subject;
use link_domain::record::Record;
use link_types::record::{SocialSecurity, SocialSecurityRequest};

use crate::endpoints::consent_named;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::Answer;
use crate::http::refusals;

/// Ask for a social security record. RECORD_COMPLETED tells when it has its result.
#[utoipa::path(
    post, path = "/alpha/socialSecurities", tag = "records", operation_id = "createAlphaSocialSecurity",
    request_body = SocialSecurityRequest,
    responses((status = 201, description = "Asked for: PROCESSING", body = SocialSecurity), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn alpha(caller: TenantCaller, Body(body): Body<SocialSecurityRequest>) -> Answer<Response> {
    create(&caller, body).await
}

/// Ask for a social security record, at the address without its maturity.
#[utoipa::path(
    post, path = "/socialSecurities", tag = "records", operation_id = "createSocialSecurity",
    request_body = SocialSecurityRequest,
    responses((status = 201, description = "Asked for: PROCESSING", body = SocialSecurity), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn plain(caller: TenantCaller, Body(body): Body<SocialSecurityRequest>) -> Answer<Response> {
    create(&caller, body).await
}

async fn create(caller: &TenantCaller, request: SocialSecurityRequest) -> Answer<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            consent_named::check(tx, &owner, request.consent.consent_template_id.as_ref())?;
            let (record, change) = Record::create(owner.clone(), request.clone(), context);
            Ok(Effect::created(&record.view(), change)?.about(Subject::Record(record.id)))
        })
        .await
}
