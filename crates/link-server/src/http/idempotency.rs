//! `Idempotency-Key`: a POST that is sent again is done once and answered alike.
//!
//! Every POST of the tenant's API runs its unit of work through [`TenantCaller::once`], whether or not the caller
//! sent a key. What the handler used to apply itself goes into an [`Effect`]:
//!
//! ```text
//! pub(super) async fn handler(caller: TenantCaller, Body(body): Body<CreateThing>) -> Answer<Response> {
//!     let owner = caller.owner().clone();
//!     caller
//!         .once(move |tx, context| {
//!             let user = tx.user(&owner, &body.user_id)?.ok_or_else(Problem::missing)?;
//!             let (thing, change) = Thing::create(&user, body.clone(), context);
//!             Ok(Effect::created(&thing.view(), change)?.about(Subject::Thing(thing.id)))
//!         })
//!         .await
//! }
//! ```
//!
//! - [`Effect::about`] names what the answer tells of: the answer is sealed with its key and erased with it.
//! - [`Effect::secret_until`] lets the answer go with the secret in it, such as a link token.
//! - A refusal (`Err`) undoes the unit and frees the key: it may be sent again, corrected.
//! - What is checked before the unit and may change by itself (a name that is resolved) comes after
//!   [`TenantCaller::answered`].
//! - A POST that has to ask outside begins with [`TenantCaller::begin`], asks, and ends with
//!   [`TenantCaller::settle`].
//! - The body is part of what is asked: it must come through [`super::body::Body`].

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use link_domain::change::Change;
use link_domain::clock::TenantTime;
use link_domain::context::Context;
use link_domain::idempotency::{self, About, Claim, IdempotencyKey, KeptAnswer, KeyedRequest};
use link_domain::owner::Owner;
use link_store::{Reader, Tx, WorkerId};
use link_types::problem::{FaultCode, ProblemCode};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::caller::TenantCaller;
use super::list::json_bytes;
use super::problem::{Answer, Problem};

/// The header with the caller's own name of the request.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Says `true` on an answer that was given before.
pub const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// How long a twin waits for the outside that the first one asks.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it looks whether the first one was answered.
const LOOK: Duration = Duration::from_millis(50);

/// What a POST does and is answered.
#[must_use = "an effect that is not returned is lost"]
pub struct Effect {
    status: StatusCode,
    body: Vec<u8>,
    change: Change,
    subject: Option<About>,
    secret_until: Option<TenantTime>,
    held: Option<HeldJob>,
}

/// A job whose work a request does itself.
struct HeldJob {
    owner: Owner,
    key: String,
    worker: WorkerId,
}

impl Effect {
    /// An answer with a JSON body, and what is written with it.
    ///
    /// # Errors
    /// 500 when the view is no JSON; no type of `link-types` is such.
    pub fn new(status: StatusCode, view: &impl Serialize, change: Change) -> Answer<Self> {
        let body = serde_json::to_vec(view).map_err(Problem::system)?;
        Ok(Self { status, body, change, subject: None, secret_until: None, held: None })
    }

    /// 201.
    ///
    /// # Errors
    /// As [`Effect::new`].
    pub fn created(view: &impl Serialize, change: Change) -> Answer<Self> {
        Self::new(StatusCode::CREATED, view, change)
    }

    /// 201, with a body that is JSON already.
    pub fn created_json(body: Vec<u8>, change: Change) -> Self {
        Self { status: StatusCode::CREATED, body, change, subject: None, secret_until: None, held: None }
    }

    /// 200.
    ///
    /// # Errors
    /// As [`Effect::new`].
    pub fn ok(view: &impl Serialize, change: Change) -> Answer<Self> {
        Self::new(StatusCode::OK, view, change)
    }

    /// 204, without a body.
    pub fn no_content(change: Change) -> Self {
        let (status, body) = (StatusCode::NO_CONTENT, Vec::new());
        Self { status, body, change, subject: None, secret_until: None, held: None }
    }

    /// The answer tells of this: it is sealed with its key and erased with it. It must exist once the change is
    /// applied.
    pub fn about(self, subject: impl Into<About>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    /// The answer holds a secret that is worth nothing after this moment.
    pub fn secret_until(self, moment: TenantTime) -> Self {
        Self { secret_until: Some(moment), ..self }
    }

    /// The request does the work of this job of the change itself: no worker takes it up while the request lives, and
    /// one does within seconds when the request is cut off. It is held for ten seconds, and longer by
    /// [`Tx::hold_job`].
    pub fn holding(self, owner: &Owner, key: String, worker: WorkerId) -> Self {
        Self { held: Some(HeldJob { owner: owner.clone(), key, worker }), ..self }
    }

    /// Nothing yet, and no thing to name: unless it is settled by then, the key is free again after this moment.
    pub fn pending(until: TenantTime) -> Self {
        let (status, body) = (StatusCode::ACCEPTED, Vec::new());
        let change = Change::default();
        Self { status, body, change, subject: None, secret_until: Some(until), held: None }
    }

    fn into_response(self) -> Response {
        response(self.status, self.body)
    }
}

/// Whether the resource of this id, which a POST created, is complete. A repeated request then stops waiting.
pub type IsOver = fn(&mut Reader<'_>, &Owner, &str) -> Answer<bool>;

/// How a POST goes on that has to ask outside.
pub enum Begun<T> {
    /// This request began, and made this: ask, then [`TenantCaller::settle`].
    Mine(T),
    /// It was answered before: answer this.
    Answered(Response),
    /// It was begun before and is not settled: somebody still asks, or the process that did is gone. This is the id of
    /// the thing that was made, if one was. Where that has its end by now, [`TenantCaller::settle`] with it, so that
    /// everybody is answered alike from then on; else answer [`Problem::at_work`].
    Open(Option<String>),
}

/// Marks an answer as one that was given before.
pub fn replayed(answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    response
}

/// A POST under a key, as the extractor of its caller finds it.
#[derive(Clone)]
pub(super) struct Keyed {
    key: IdempotencyKey,
    method: Method,
    path: String,
    query: String,
    body: BodyDigest,
}

/// Where the extractor of the body leaves its digest.
#[derive(Clone, Default)]
pub(super) struct BodyDigest(Arc<OnceLock<[u8; 32]>>);

impl BodyDigest {
    /// Leaves the digest.
    pub(super) fn set(&self, bytes: &[u8]) {
        self.0.get_or_init(|| Sha256::digest(bytes).into());
    }
}

impl Keyed {
    /// The key of a POST, if it has one.
    pub(super) fn of(parts: &mut Parts) -> Result<Option<Self>, Problem> {
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
        // A POST whose body nobody reads has none.
        let body = self.body.0.get().copied().unwrap_or_else(|| Sha256::digest([]).into());
        let fingerprint = KeyedRequest::fingerprint(self.method.as_str(), &self.path, &self.query, &body);
        KeyedRequest { owner: owner.clone(), key: self.key.clone(), fingerprint }
    }
}

fn key_in(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let mut sent = headers.get_all(IDEMPOTENCY_KEY).iter();
    let invalid = |words: String| Problem::invalid_field("Idempotency-Key", FaultCode::Invalid, words);
    let Some(first) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(invalid("given more than once".to_owned()));
    }
    IdempotencyKey::parse(first.as_bytes()).map(Some).map_err(|error| invalid(error.to_string()))
}

impl TenantCaller {
    /// Runs the unit of work of a POST: its change, and what is answered to whoever sends it again, commit together.
    /// The unit may run again, so it does no I/O; it is not run when the request was answered before.
    ///
    /// # Errors
    /// Whatever the unit answers; 422 IDEMPOTENCY_KEY_REUSED for another request's key; 409 when the first one with
    /// the key is still at work after five seconds.
    pub async fn once(
        &self,
        mut unit: impl FnMut(&mut Tx<'_>, &mut Context) -> Answer<Effect> + Send + 'static,
    ) -> Answer<Response> {
        let (request, context) = (self.keyed_request(), self.context());
        self.store()
            .write(move |tx| {
                let mut context = context.clone();
                if let Some(request) = &request
                    && let Some(answer) = met(tx.claim_key(request, context.now())?)?
                {
                    return answer.answered();
                }
                let effect = unit(tx, &mut context)?;
                write(tx, &effect, request.as_ref(), &context, true)?;
                Ok(effect.into_response())
            })
            .await
    }

    /// The answer that this request was given before, for a POST whose checks take place outside its unit.
    ///
    /// # Errors
    /// 422 IDEMPOTENCY_KEY_REUSED for another request's key.
    pub async fn answered(&self) -> Answer<Option<Response>> {
        let Some(request) = self.keyed_request() else { return Ok(None) };
        let now = self.now();
        let claim = self.store().read(move |reader| reader.kept_answer(&request, now)).await?;
        match claim.map(met).transpose()?.flatten() {
            Some(Met::Answered(response)) => Ok(Some(response)),
            Some(Met::Open(_)) | None => Ok(None),
        }
    }

    /// Begins a POST that has to ask outside: the unit makes the thing in its PROCESSING state, and the effect is
    /// [`Effect::about`] it, or [`Effect::pending`] where nothing is made. A concurrent duplicate waits up to five seconds
    /// for the first one to settle, or until `is_over` says that a job ended what a request that was cut off had begun.
    ///
    /// # Errors
    /// As [`TenantCaller::once`].
    pub async fn begin<T: Send + 'static>(
        &self,
        is_over: IsOver,
        mut unit: impl FnMut(&mut Tx<'_>, &mut Context) -> Answer<(Effect, T)> + Send + 'static,
    ) -> Answer<Begun<T>> {
        let (request, context) = (self.keyed_request(), self.context());
        let keyed = request.clone();
        let begun = self
            .store()
            .write(move |tx| -> Answer<_> {
                let mut context = context.clone();
                if let Some(request) = &request
                    && let Some(met) = met(tx.claim_key(request, context.now())?)?
                {
                    return Ok(Err(met));
                }
                let (effect, made) = unit(tx, &mut context)?;
                write(tx, &effect, request.as_ref(), &context, false)?;
                Ok(Ok(made))
            })
            .await?;
        match (begun, keyed) {
            (Ok(made), _) => Ok(Begun::Mine(made)),
            (Err(Met::Answered(response)), _) => Ok(Begun::Answered(response)),
            (Err(Met::Open(subject)), Some(request)) => self.until_settled(request, subject, is_over).await,
            // Whoever sends no key meets nobody.
            (Err(Met::Open(subject)), None) => Ok(Begun::Open(subject)),
        }
    }

    /// Ends what [`TenantCaller::begin`] began: the unit writes what the outside said.
    ///
    /// # Errors
    /// Whatever the unit answers.
    pub async fn settle(
        &self,
        mut unit: impl FnMut(&mut Tx<'_>, &mut Context) -> Answer<Effect> + Send + 'static,
    ) -> Answer<Response> {
        let (request, context) = (self.keyed_request(), self.context());
        self.store()
            .write(move |tx| {
                let mut context = context.clone();
                let effect = unit(tx, &mut context)?;
                write(tx, &effect, request.as_ref(), &context, true)?;
                Ok(effect.into_response())
            })
            .await
    }

    fn keyed_request(&self) -> Option<KeyedRequest> {
        self.keyed().map(|keyed| keyed.request(self.owner()))
    }

    async fn until_settled<T>(
        &self,
        request: KeyedRequest,
        subject: Option<String>,
        is_over: IsOver,
    ) -> Answer<Begun<T>> {
        let settled = async {
            let mut looks = tokio::time::interval(LOOK);
            loop {
                looks.tick().await;
                let (request, now) = (request.clone(), self.now());
                let read = move |reader: &mut Reader<'_>| -> Answer<_> {
                    let claim = reader.kept_answer(&request, now)?;
                    let over = match &claim {
                        Some(Claim::Open { subject: Some(id) }) => is_over(reader, &request.owner, id)?,
                        Some(_) | None => false,
                    };
                    Ok((claim, over))
                };
                let (claim, over) = self.store().read(read).await?;
                match claim.map(met).transpose()?.flatten() {
                    Some(Met::Answered(response)) => return Ok(Begun::Answered(response)),
                    Some(Met::Open(subject)) if over => return Ok(Begun::Open(subject)),
                    Some(Met::Open(_)) => {}
                    None => return Err(Problem::missing()),
                }
            }
        };
        tokio::time::timeout(PATIENCE, settled).await.unwrap_or(Ok(Begun::Open(subject)))
    }
}

/// What a request under a used key comes to.
enum Met {
    Answered(Response),
    Open(Option<String>),
}

impl Met {
    /// The answer, where nothing is ever left open.
    fn answered(self) -> Answer<Response> {
        match self {
            Self::Answered(response) => Ok(response),
            Self::Open(_) => Err(Problem::system("an answer was left open by a POST that asks nobody")),
        }
    }
}

fn met(claim: Claim) -> Answer<Option<Met>> {
    match claim {
        Claim::Mine => Ok(None),
        Claim::Answered { status, body } => {
            let status = StatusCode::from_u16(status).map_err(Problem::system)?;
            Ok(Some(Met::Answered(replayed(response(status, body)))))
        }
        Claim::Open { subject } => Ok(Some(Met::Open(subject))),
        Claim::OtherRequest => Err(Problem::new(
            ProblemCode::IdempotencyKeyReused,
            "Another request was sent with this `Idempotency-Key`; send this one with a key of its own.",
        )),
    }
}

fn write(
    tx: &mut Tx<'_>,
    effect: &Effect,
    request: Option<&KeyedRequest>,
    context: &Context,
    settled: bool,
) -> Answer<()> {
    tx.apply(&effect.change, context.now())?;
    if let Some(HeldJob { owner, key, worker }) = &effect.held {
        tx.hold_job(owner, key, worker, context.now().wall())?;
    }
    let Some(request) = request else { return Ok(()) };
    let kept = KeptAnswer {
        status: effect.status.as_u16(),
        body: effect.body.clone(),
        subject: effect.subject.clone(),
        expires_at: idempotency::expires_at(context.now(), effect.secret_until),
        settled,
    };
    Ok(tx.keep_answer(request, &kept)?)
}

fn response(status: StatusCode, body: Vec<u8>) -> Response {
    if body.is_empty() {
        return status.into_response();
    }
    (status, json_bytes(body)).into_response()
}
