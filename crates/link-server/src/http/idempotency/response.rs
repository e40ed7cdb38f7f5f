//! The result of a POST's unit of work: a change, and the response that repeated requests get too.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use link_domain::change::Change;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::idempotency::{self, About, KeyedRequest, StoredResponse};
use link_store::{Tx, WorkerId};
use serde::Serialize;

use crate::http::list::json_bytes;
use crate::http::problem::{ApiResult, Problem};

/// The change that a POST applies, and its response.
#[must_use = "an effect that is not returned is lost"]
pub struct IdempotentResponse {
    status: StatusCode,
    body: Vec<u8>,
    change: Change,
    subject: Option<About>,
    secret_until: Option<TenantTime>,
    held: Option<HeldJob>,
}

/// A job that the request runs itself.
struct HeldJob {
    owner: Owner,
    key: String,
    worker: WorkerId,
}

impl IdempotentResponse {
    /// Creates a response with a JSON body, and the change to apply with it.
    ///
    /// # Errors
    /// 500 if the view cannot be serialized as JSON. That does not happen for the types of `link-types`.
    pub fn new(status: StatusCode, view: &impl Serialize, change: Change) -> ApiResult<Self> {
        let body = serde_json::to_vec(view).map_err(Problem::system)?;
        Ok(Self { status, body, change, subject: None, secret_until: None, held: None })
    }

    /// Creates a 201 response.
    ///
    /// # Errors
    /// See [`IdempotentResponse::new`].
    pub fn created(view: &impl Serialize, change: Change) -> ApiResult<Self> {
        Self::new(StatusCode::CREATED, view, change)
    }

    /// Creates a 201 response from a body that is already JSON.
    pub fn created_json(body: Vec<u8>, change: Change) -> Self {
        Self { status: StatusCode::CREATED, body, change, subject: None, secret_until: None, held: None }
    }

    /// Creates a 200 response.
    ///
    /// # Errors
    /// See [`IdempotentResponse::new`].
    pub fn ok(view: &impl Serialize, change: Change) -> ApiResult<Self> {
        Self::new(StatusCode::OK, view, change)
    }

    /// Creates a 204 response without a body.
    pub fn no_content(change: Change) -> Self {
        let (status, body) = (StatusCode::NO_CONTENT, Vec::new());
        Self { status, body, change, subject: None, secret_until: None, held: None }
    }

    /// Seals the stored response with the key of this resource, and erases it with the resource. The resource must
    /// exist once the change is applied.
    pub fn about(self, subject: impl Into<About>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    /// Marks the response as containing a secret that is worthless after this time.
    pub fn secret_until(self, time: TenantTime) -> Self {
        Self { secret_until: Some(time), ..self }
    }

    /// Leases a job of the change to this request, which runs the job itself. The lease lasts 10 seconds;
    /// [`Jobs::hold`] extends it. If the request is cut off, a worker takes the job over once the lease ends.
    ///
    /// [`Jobs::hold`]: link_store::resources::Jobs::hold
    pub fn holding(self, owner: &Owner, key: String, worker: WorkerId) -> Self {
        Self { held: Some(HeldJob { owner: owner.clone(), key, worker }), ..self }
    }

    /// Creates an effect without a change and without a resource. The key is free again after `until`, unless the
    /// request is settled by then.
    pub fn pending(until: TenantTime) -> Self {
        let (status, body) = (StatusCode::ACCEPTED, Vec::new());
        let change = Change::default();
        Self { status, body, change, subject: None, secret_until: Some(until), held: None }
    }

    pub(super) fn into_response(self) -> Response {
        response(self.status, self.body)
    }
}

/// Applies the change, and stores the response for repeats if the request has a key.
pub(super) fn write(
    tx: &mut Tx<'_>,
    effect: &IdempotentResponse,
    request: Option<&KeyedRequest>,
    context: &Context,
    settled: bool,
) -> ApiResult<()> {
    tx.apply(&effect.change, context.now())?;
    if let Some(HeldJob { owner, key, worker }) = &effect.held {
        tx.jobs().hold(owner, key, worker, context.now().wall())?;
    }
    let Some(request) = request else { return Ok(()) };
    let kept = StoredResponse {
        status: effect.status.as_u16(),
        body: effect.body.clone(),
        subject: effect.subject.clone(),
        expires_at: idempotency::expires_at(context.now(), effect.secret_until),
        settled,
    };
    Ok(tx.idempotency_keys().keep(request, &kept)?)
}

/// Builds a response from its stored status and body.
pub(super) fn response(status: StatusCode, body: Vec<u8>) -> Response {
    if body.is_empty() {
        return status.into_response();
    }
    (status, json_bytes(body)).into_response()
}
