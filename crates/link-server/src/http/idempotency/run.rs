//! Runs a POST once for each key.

use std::time::Duration;

use axum::response::Response;
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::idempotency::{Claim, KeyedRequest};
use link_store::{Reader, Tx};

use super::{IdempotentResponse, Met, read_claim, write};
use crate::http::audit::AuditSlot;
use crate::http::extract::caller::TenantCaller;
use crate::http::problem::{ApiResult, Problem};

/// How long a concurrent duplicate waits for the first request to finish.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How often the duplicate checks whether the first request finished.
const LOOK: Duration = Duration::from_millis(50);

/// Checks whether the resource with this id, which a POST created, is complete. A repeated request then stops waiting.
pub type IsOver = fn(&mut Reader<'_>, &Owner, &str) -> ApiResult<bool>;

/// The result of [`TenantCaller::begin`].
pub enum Begun<T> {
    /// This request is the first, and its unit returned this value: make the call, then [`TenantCaller::settle`].
    Mine(T),
    /// The request already has a response: return it.
    Responded(Response),
    /// An earlier request began and has not settled: it is still running, or its process is gone. Contains the id of
    /// the resource that it created, if any. If that resource is complete, call [`TenantCaller::settle`] with it, so
    /// that all further repeats get the same response; otherwise return [`Problem::at_work`].
    Open(Option<String>),
}

/// Returns the context with the clock as it is in this unit. A sandbox may have been advanced since the caller was
/// authenticated, for example while the body arrived.
fn at_its_time(tx: &mut Tx<'_>, context: &Context, owner: &Owner) -> ApiResult<Context> {
    Ok(context.clone().with_offset(tx.tenants().offset(owner)?))
}

/// Records the act of a request in the unit that does it. `begin` may have done so before `settle`.
fn record(
    audit: Option<&AuditSlot>,
    tx: &mut Tx<'_>,
    effect: &IdempotentResponse,
    context: &Context,
) -> ApiResult<()> {
    #[derive(serde::Deserialize)]
    struct Created {
        id: String,
    }
    let Some(audit) = audit.filter(|it| !it.is_recorded()) else { return Ok(()) };
    let subject = match &effect.subject {
        Some(subject) => Some(subject.as_str().to_owned()),
        None => serde_json::from_slice(&effect.body).ok().map(|it: Created| it.id),
    };
    let mut context = context.clone().with_offset(ClockOffset::default());
    Ok(audit.record_done(tx, subject.as_deref(), &mut context)?)
}

impl TenantCaller {
    /// Runs the unit of work of a POST. Its change and the response for repeats commit together.
    ///
    /// The unit may run more than once, so it must not do I/O. It does not run if the request already has a response.
    ///
    /// # Errors
    /// The unit's error; 422 IDEMPOTENCY_KEY_REUSED if the key belongs to a different request; 409 if the first request
    /// with the key is still running after 5 seconds.
    pub async fn once(
        &self,
        mut unit: impl FnMut(&mut Tx<'_>, &mut Context) -> ApiResult<IdempotentResponse> + Send + 'static,
    ) -> ApiResult<Response> {
        let (request, context, owner) = (self.keyed_request(), self.context(), self.owner().clone());
        let (recheck, audit) = (self.recheck(), self.audit().cloned());
        let done = self
            .store()
            .write(move |tx| {
                recheck(tx, context.now().wall())?;
                let mut context = at_its_time(tx, &context, &owner)?;
                if let Some(request) = &request
                    && let Some(response) = read_claim(tx.idempotency_keys().claim(request, context.now())?)?
                {
                    return response.require_response();
                }
                let effect = unit(tx, &mut context)?;
                write(tx, &effect, request.as_ref(), &context, true)?;
                record(audit.as_ref(), tx, &effect, &context)?;
                Ok(effect.into_response())
            })
            .await;
        self.note_recorded(done.is_ok());
        done
    }

    fn note_recorded(&self, is_recorded: bool) {
        if let Some(audit) = self.audit().filter(|_| is_recorded) {
            audit.set_recorded();
        }
    }

    /// Returns the earlier response to this request, for a POST with checks outside its unit.
    ///
    /// # Errors
    /// 422 IDEMPOTENCY_KEY_REUSED if the key belongs to a different request.
    pub async fn find_earlier_response(&self) -> ApiResult<Option<Response>> {
        let Some(request) = self.keyed_request() else { return Ok(None) };
        let now = self.now();
        let claim = self.store().read(move |reader| reader.idempotency_keys().find(&request, now)).await?;
        match claim.map(read_claim).transpose()?.flatten() {
            Some(Met::Responded(response)) => Ok(Some(response)),
            Some(Met::Open(_)) | None => Ok(None),
        }
    }

    /// Begins a POST that calls another system.
    ///
    /// The unit creates the resource in its PROCESSING state and returns an effect [`IdempotentResponse::about`] it, or
    /// [`IdempotentResponse::pending`] if it creates nothing. A concurrent duplicate waits up to 5 seconds for the first request to
    /// settle, or until `is_over` reports that a job completed the resource of an interrupted request.
    ///
    /// # Errors
    /// See [`TenantCaller::once`].
    pub async fn begin<T: Send + 'static>(
        &self,
        is_over: IsOver,
        mut unit: impl FnMut(&mut Tx<'_>, &mut Context) -> ApiResult<(IdempotentResponse, T)> + Send + 'static,
    ) -> ApiResult<Begun<T>> {
        let (request, context, owner) = (self.keyed_request(), self.context(), self.owner().clone());
        let (keyed, recheck, audit) = (request.clone(), self.recheck(), self.audit().cloned());
        let begun = self
            .store()
            .write(move |tx| -> ApiResult<_> {
                recheck(tx, context.now().wall())?;
                let mut context = at_its_time(tx, &context, &owner)?;
                if let Some(request) = &request
                    && let Some(met) = read_claim(tx.idempotency_keys().claim(request, context.now())?)?
                {
                    return Ok(Err(met));
                }
                let (effect, made) = unit(tx, &mut context)?;
                write(tx, &effect, request.as_ref(), &context, false)?;
                if effect.subject.is_some() {
                    record(audit.as_ref(), tx, &effect, &context)?;
                }
                Ok(Ok((made, effect.subject.is_some())))
            })
            .await?;
        match (begun, keyed) {
            (Ok((made, is_recorded)), _) => {
                self.note_recorded(is_recorded);
                Ok(Begun::Mine(made))
            }
            (Err(Met::Responded(response)), _) => Ok(Begun::Responded(response)),
            (Err(Met::Open(subject)), Some(request)) => self.until_settled(request, subject, is_over).await,
            // Unreachable: a request without a key has no duplicates.
            (Err(Met::Open(subject)), None) => Ok(Begun::Open(subject)),
        }
    }

    /// Completes a POST that started with [`TenantCaller::begin`]. The unit writes the result of the call.
    ///
    /// # Errors
    /// The unit's error.
    pub async fn settle(
        &self,
        mut unit: impl FnMut(&mut Tx<'_>, &mut Context) -> ApiResult<IdempotentResponse> + Send + 'static,
    ) -> ApiResult<Response> {
        let (request, context, owner) = (self.keyed_request(), self.context(), self.owner().clone());
        let audit = self.audit().cloned();
        let done = self
            .store()
            .write(move |tx| {
                let mut context = at_its_time(tx, &context, &owner)?;
                let effect = unit(tx, &mut context)?;
                write(tx, &effect, request.as_ref(), &context, true)?;
                record(audit.as_ref(), tx, &effect, &context)?;
                Ok(effect.into_response())
            })
            .await;
        self.note_recorded(done.is_ok());
        done
    }

    fn keyed_request(&self) -> Option<KeyedRequest> {
        self.idempotency_key().map(|keyed| keyed.request(self.owner()))
    }

    async fn until_settled<T>(
        &self,
        request: KeyedRequest,
        subject: Option<String>,
        is_over: IsOver,
    ) -> ApiResult<Begun<T>> {
        let settled = async {
            let mut looks = tokio::time::interval(LOOK);
            loop {
                looks.tick().await;
                let (request, now) = (request.clone(), self.now());
                let read = move |reader: &mut Reader<'_>| -> ApiResult<_> {
                    let claim = reader.idempotency_keys().find(&request, now)?;
                    let over = match &claim {
                        Some(Claim::Open { subject: Some(id) }) => is_over(reader, &request.owner, id)?,
                        Some(_) | None => false,
                    };
                    Ok((claim, over))
                };
                let (claim, over) = self.store().read(read).await?;
                match claim.map(read_claim).transpose()?.flatten() {
                    Some(Met::Responded(response)) => return Ok(Begun::Responded(response)),
                    Some(Met::Open(subject)) if over => return Ok(Begun::Open(subject)),
                    Some(Met::Open(_)) => {}
                    None => return Err(Problem::missing()),
                }
            }
        };
        tokio::time::timeout(TIMEOUT, settled).await.unwrap_or(Ok(Begun::Open(subject)))
    }
}
