//! `Idempotency-Key`: a repeated POST runs once and gets the same response.
//!
//! Our own: a middleware with a response cache runs an effect twice if it fails before the cache is written (ADR 85).
//!
//! Every POST of the tenant's API runs its unit of work through [`TenantCaller::once`], whether or not the caller
//! sent a key. The unit returns its change and its response as an [`IdempotentResponse`]:
//!
//! ```text
//! pub(super) async fn handler(caller: TenantCaller, Body(body): Body<CreateThing>) -> ApiResult<Response> {
//!     let owner = caller.owner().clone();
//!     caller
//!         .once(move |tx, context| {
//!             let user = tx.users().get(&owner, &body.user_id)?.ok_or_else(Problem::missing)?;
//!             let (thing, change) = Thing::create(&user, body.clone(), context);
//!             Ok(IdempotentResponse::for_created(&thing.view(), change)?.about(Subject::Thing(thing.id)))
//!         })
//!         .await
//! }
//! ```
//!
//! - [`IdempotentResponse::about`] names the resource that the stored response describes. The response is sealed with
//!   the resource's key and erased with it.
//! - [`IdempotentResponse::secret_until`] sets when to delete a stored response that contains a secret, such as a link
//!   token.
//! - An error rolls the unit back and frees the key, so the caller can correct the request and send it again.
//! - Call [`TenantCaller::find_earlier_response`] before checks outside the unit whose result may change, such as a DNS lookup.
//! - A POST that calls another system starts with [`TenantCaller::begin`], makes the call, and ends with
//!   [`TenantCaller::settle`].
//! - The fingerprint of a request includes its body, so the handler must take it through [`Body`].
//!
//! [`Body`]: crate::http::extract::body::Body
//! [`TenantCaller::find_earlier_response`]: crate::http::extract::caller::TenantCaller::find_earlier_response
//! [`TenantCaller::begin`]: crate::http::extract::caller::TenantCaller::begin
//! [`TenantCaller::once`]: crate::http::extract::caller::TenantCaller::once
//! [`TenantCaller::settle`]: crate::http::extract::caller::TenantCaller::settle

mod run;

use std::sync::{Arc, OnceLock};

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use link_domain::change::Change;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::idempotency::{self, About, Claim, IdempotencyKey, KeyedRequest, StoredResponse};
use link_store::{Tx, WorkerId};
use link_types::problem::{FaultCode, ProblemCode};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::http::list::json_bytes;
use crate::http::problem::{ApiResult, Problem};

pub use self::run::{Begun, IsOver};

/// The request header with the caller's idempotency key.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A POST with an idempotency key, as the caller's extractor reads it.
#[derive(Clone)]
pub(in crate::http) struct Keyed {
    key: IdempotencyKey,
    method: Method,
    path: String,
    query: String,
    body: BodyDigest,
}

/// The slot into which the body's extractor writes the body's digest.
#[derive(Clone, Default)]
pub(in crate::http) struct BodyDigest(Arc<OnceLock<[u8; 32]>>);

impl BodyDigest {
    /// Stores the digest of these bytes.
    pub(in crate::http) fn set(&self, bytes: &[u8]) {
        self.0.get_or_init(|| Sha256::digest(bytes).into());
    }
}

impl Keyed {
    /// Reads the idempotency key of a POST, if it has one.
    pub(in crate::http) fn from_parts(parts: &mut Parts) -> Result<Option<Self>, Problem> {
        if parts.method != Method::POST {
            return Ok(None);
        }
        let Some(key) = key_in(&parts.headers)? else { return Ok(None) };
        let body = BodyDigest::default();
        parts.extensions.insert(body.clone());
        let (path, query) = (parts.uri.path().to_owned(), parts.uri.query().unwrap_or_default().to_owned());
        Ok(Some(Self { key, method: parts.method.clone(), path, query, body }))
    }

    fn request(&self, owner: &Owner) -> KeyedRequest {
        // A POST without a `Body` extractor counts as one with an empty body.
        let body = self.body.0.get().copied().unwrap_or_else(|| Sha256::digest([]).into());
        let fingerprint = KeyedRequest::fingerprint(self.method.as_str(), &self.path, &self.query, &body);
        KeyedRequest { owner: owner.clone(), key: self.key.clone(), fingerprint }
    }
}

fn key_in(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let mut sent = headers.get_all(IDEMPOTENCY_KEY).iter();
    let invalid = |message: String| Problem::invalid_field("Idempotency-Key", FaultCode::Invalid, message);
    let Some(first) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(invalid("given more than once".to_owned()));
    }
    IdempotencyKey::parse(first.as_bytes()).map(Some).map_err(|error| invalid(error.to_string()))
}

/// The response header that is `true` if the response repeats an earlier one.
pub const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Marks a response as a repeat of an earlier one.
pub fn mark_replayed(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    response.headers_mut().insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    response
}

/// The state of a request whose key was used before.
enum Met {
    Responded(Response),
    Open(Option<String>),
}

impl Met {
    /// Returns the response. Fails if the request is open, which cannot happen for a POST that uses `once`.
    fn require_response(self) -> ApiResult<Response> {
        match self {
            Self::Responded(response) => Ok(response),
            Self::Open(_) => Err(Problem::system("a POST with a single unit of work left its response open")),
        }
    }
}

/// Returns the state that a claim of the key found. `None` if the request is the first with its key.
fn read_claim(claim: Claim) -> ApiResult<Option<Met>> {
    match claim {
        Claim::Mine => Ok(None),
        Claim::Responded { status, body } => {
            let status = StatusCode::from_u16(status).map_err(Problem::system)?;
            Ok(Some(Met::Responded(mark_replayed(response(status, body)))))
        }
        Claim::Open { subject } => Ok(Some(Met::Open(subject))),
        Claim::OtherRequest => Err(Problem::new(
            ProblemCode::IdempotencyKeyReused,
            "This `Idempotency-Key` was used for a different request. Send this request with a new key.",
        )),
    }
}

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
    pub fn for_created(view: &impl Serialize, change: Change) -> ApiResult<Self> {
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

    fn into_response(self) -> Response {
        response(self.status, self.body)
    }
}

/// Applies the change, and stores the response for repeats if the request has a key.
fn write(
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
fn response(status: StatusCode, body: Vec<u8>) -> Response {
    if body.is_empty() {
        return status.into_response();
    }
    (status, json_bytes(body)).into_response()
}
