//! Records the acts of callers in the audit log.
//!
//! Each route declares its [`Act`](link_domain::tenancy::audit::Act). An [`Audited`] handler, or the portal's layer, creates
//! an [`AuditSlot`] for the request. The caller's extractor fills in who acts. A POST of the REST interface adds its event
//! in the unit of work that does the act; all other requests add it after the handler, before the response is sent.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{FromRequestParts, Request};
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use link_domain::invitations::link_site_host::LinkSiteHost;
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::audit::{Ending, Origin, event, subject_in};
use link_store::{StoreError, Tx};
use link_types::Mode;
use link_types::audit::{ActorType, AuditAction, AuditActor, AuditEvent};
use link_types::id::{MemberId, TenantId};

use crate::app::App;
use crate::http::idempotency::IDEMPOTENCY_REPLAYED;
use crate::http::limits::network::address_of;
use crate::http::middleware::request_id::RequestId;
use crate::http::problem::Problem;
use crate::logs::log_failure;

/// The act of a request, as far as it is known.
#[derive(Clone)]
pub struct AuditSlot(Arc<Slot>);

struct Slot {
    action: AuditAction,
    origin: Origin,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The act, if the request's content makes it another one than the route says.
    action: Option<AuditAction>,
    actor: Option<(Owner, AuditActor)>,
    subject: Option<String>,
    is_recorded: bool,
}

impl AuditSlot {
    fn new(action: AuditAction, request: &Request, app: &App) -> Self {
        let header = request.headers().get(header::USER_AGENT).and_then(|it| it.to_str().ok());
        let id = request.extensions().get::<RequestId>();
        let origin = Origin {
            address: address_of(request.extensions(), request.headers(), &app.settings.trusted_proxies),
            user_agent: header.unwrap_or_default().to_owned(),
            request_id: id.map(|it| it.0.to_string()).unwrap_or_default(),
        };
        let known =
            Known { subject: subject_in(request.uri().path()).map(str::to_owned), ..Known::default() };
        Self(Arc::new(Slot { action, origin, known: Mutex::new(known) }))
    }

    fn lock_known(&self) -> MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets who acts.
    pub fn set_actor(&self, owner: Owner, kind: ActorType, id: &str) {
        self.lock_known().actor = Some((owner, AuditActor { kind, id: Some(id.to_owned()) }));
    }

    /// Sets which act it is, if that depends on the request's content.
    pub fn set_action(&self, action: AuditAction) {
        self.lock_known().action = Some(action);
    }

    /// Sets what the act is about, if the path does not name it.
    pub fn set_subject(&self, id: &str) {
        self.lock_known().subject = Some(id.to_owned());
    }

    /// Adds the event of an act that the unit does. Call [`AuditSlot::set_recorded`] after the unit is committed.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn record_done(
        &self,
        tx: &mut Tx<'_>,
        subject: Option<&str>,
        context: &mut Context,
    ) -> Result<(), StoreError> {
        match self.event(Ending::Done, subject, context) {
            Some((owner, event)) => tx.audit_events().wait(&owner, &event),
            None => Ok(()),
        }
    }

    /// Adds another event of the same request: an act of a member about themselves, which is done.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn record_also(
        &self,
        tx: &mut Tx<'_>,
        (action, owner, member): (AuditAction, &Owner, &MemberId),
        context: &mut Context,
    ) -> Result<(), StoreError> {
        let actor = AuditActor { kind: ActorType::Member, id: Some(member.as_str().to_owned()) };
        let event = event(action, actor, Ending::Done, Some(member.as_str()), Some(&self.0.origin), context);
        tx.audit_events().wait(owner, &event)
    }

    /// Returns whether the event is stored.
    pub(in crate::http) fn is_recorded(&self) -> bool {
        self.lock_known().is_recorded
    }

    /// Notes that the event is stored.
    pub fn set_recorded(&self) {
        self.lock_known().is_recorded = true;
    }

    fn event(
        &self,
        ending: Ending,
        subject: Option<&str>,
        context: &mut Context,
    ) -> Option<(Owner, AuditEvent)> {
        let known = self.lock_known();
        let (owner, actor) = known.actor.clone()?;
        let subject = known.subject.as_deref().or(subject);
        let action = known.action.unwrap_or(self.0.action);
        Some((owner, event(action, actor, ending, subject, Some(&self.0.origin), context)))
    }

    /// Returns how the act ended. `None` if it must not be recorded after the handler: its unit of work did, or the
    /// request is not an act, because it was above a rate limit or repeats an earlier one.
    fn ending(&self, response: &Response) -> Option<Ending> {
        let is_repeat = response.headers().contains_key(IDEMPOTENCY_REPLAYED);
        if is_repeat || response.status() == StatusCode::TOO_MANY_REQUESTS || self.is_recorded() {
            return None;
        }
        let code = response.extensions().get::<Problem>().map(Problem::code);
        Some(match (response.status(), code) {
            (status, _) if status.is_success() || status.is_redirection() => Ending::Done,
            (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, Some(code)) => Ending::Denied(code),
            (_, code) => Ending::Failed(code),
        })
    }

    async fn finish(&self, app: &App, ending: Ending) {
        let mut context = app.context(ClockOffset::default());
        let Some((owner, event)) = self.event(ending, None, &mut context) else { return };
        record(app, owner, event).await;
    }
}

impl<S: Send + Sync> FromRequestParts<S> for AuditSlot {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Problem::system("the route declares no audit action"))
    }
}

/// Adds an event to the audit logs of the other tenants that have a domain, which one tenant proves: they lose it.
///
/// # Errors
/// If the database cannot be read or written.
pub fn record_lost_domain(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    domain: &str,
    context: &mut Context,
) -> Result<(), StoreError> {
    for other in tx.identity_providers().others_with(tenant, domain)? {
        let owner = Owner { tenant: other, mode: Mode::Production };
        record_loss(tx, &owner, (AuditAction::DomainRemoved, None), context)?;
    }
    Ok(())
}

/// Adds an event to the audit logs of the other owners that have proven a host, which one proves now: they lose it.
///
/// # Errors
/// If the database cannot be read or written.
pub fn record_lost_host(
    tx: &mut Tx<'_>,
    host: &LinkSiteHost,
    context: &mut Context,
) -> Result<(), StoreError> {
    for other in tx.link_site_hosts().list_proven_by_others(host)? {
        let act = (AuditAction::LinkSiteHostDeleted, Some(other.id.as_str()));
        record_loss(tx, &other.owner, act, context)?;
    }
    Ok(())
}

/// Adds the event of a loss. It is the act of another tenant: the losing tenant must not learn whose.
fn record_loss(
    tx: &mut Tx<'_>,
    owner: &Owner,
    (action, subject): (AuditAction, Option<&str>),
    context: &mut Context,
) -> Result<(), StoreError> {
    let actor = AuditActor { kind: ActorType::Operator, id: None };
    let lost = event(action, actor, Ending::Done, subject, None, context);
    tx.audit_events().wait(owner, &lost)
}

/// Adds an event. An act that is done stays done if this fails.
pub async fn record(app: &App, owner: Owner, event: AuditEvent) {
    let action = event.action;
    let added = app.store.write(move |tx| tx.audit_events().wait(&owner, &event)).await;
    if let Err(error) = added {
        log_failure!(error, %error, %action, "Recording an act in the audit log failed");
    }
}

/// Runs a request whose act is recorded.
pub async fn run_and_record<N, F>(app: &App, action: AuditAction, mut request: Request, next: N) -> Response
where
    N: FnOnce(Request) -> F,
    F: Future<Output = Response>,
{
    let slot = AuditSlot::new(action, &request, app);
    request.extensions_mut().insert(slot.clone());
    let response = next(request).await;
    if let Some(ending) = slot.ending(&response) {
        slot.finish(app, ending).await;
    }
    response
}

/// A handler whose requests are recorded as an action.
#[derive(Clone)]
pub struct Audited<H> {
    handler: H,
    action: AuditAction,
}

impl<H> Audited<H> {
    /// Wraps a handler.
    pub const fn new(handler: H, action: AuditAction) -> Self {
        Self { handler, action }
    }
}

impl<T: 'static, H: Handler<T, App>> Handler<T, App> for Audited<H> {
    type Future = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn call(self, request: Request, app: App) -> Self::Future {
        let Self { handler, action } = self;
        Box::pin(async move {
            let inner = app.clone();
            run_and_record(&app, action, request, |request| handler.call(request, inner)).await
        })
    }
}
