//! A signed-in member, authenticated by the cookie of their session and authorized by the rule of the route.

use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use link_domain::console::member::Member;
use link_domain::console::permission::{is_allowed, needs_proof};
use link_domain::console::session::ConsoleSession;
use link_domain::kernel::clock::{ClockOffset, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::Tenant;
use link_store::{StoreError, Tx};
use link_types::Mode;
use link_types::audit::ActorType;
use link_types::console::{Permission, Role};
use link_types::id::MemberId;

use super::cookie::secret_hash;
use super::passkeys::confirmation_required;
use super::refusal::{forbidden_problem, signed_out_problem};
use super::rules::{Confirmation, Needs, Rule};
use crate::app::App;
use crate::http::audit::AuditSlot;
use crate::http::extract::caller::PortalCaller;
use crate::http::limits::network::{Network, UnauthenticatedRequest};
use crate::http::problem::{ApiResult, Problem};

/// A signed-in member who may send this request.
#[derive(Clone)]
pub(super) struct ConsoleCaller {
    /// Session of the request.
    pub(super) session: ConsoleSession,
    /// Member of the session.
    pub(super) member: Member,
    /// Tenant of the member.
    pub(super) tenant: Tenant,
    /// Environment that the path names. Production if it names none.
    mode: Mode,
    /// Requirement of the route.
    needs: Needs,
    /// The request's act, if it is recorded.
    audit: Option<AuditSlot>,
}

impl ConsoleCaller {
    /// Records what the act is about, if the path does not name it.
    pub(super) fn concerns(&self, id: &str) {
        if let Some(audit) = &self.audit {
            audit.set_subject(id);
        }
    }

    /// Records the act once for each thing that the unit made. Call [`ConsoleCaller::note_recorded`] after the unit.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub(super) fn record_each<'i>(
        &self,
        tx: &mut Tx<'_>,
        ids: impl Iterator<Item = &'i str>,
        context: &Context,
    ) -> Result<(), StoreError> {
        let Some(audit) = &self.audit else { return Ok(()) };
        // One context for all, so that each event has another id.
        let mut context = context.clone().with_offset(ClockOffset::default());
        for id in ids {
            audit.record_done(tx, Some(id), &mut context)?;
        }
        Ok(())
    }

    /// Notes that the request's act is recorded, or that it did nothing.
    pub(super) fn note_recorded(&self) {
        if let Some(audit) = &self.audit {
            audit.set_recorded();
        }
    }

    /// Returns the member who gives access in this session: the one who created its one-time address, so that a former
    /// owner's access ends also where they acted as another member.
    pub(super) fn giver(&self) -> MemberId {
        self.session.created_by.clone().unwrap_or_else(|| self.member.id.clone())
    }

    /// Returns the tenant and the environment that the path names.
    pub(super) fn owner(&self) -> Owner {
        Owner { tenant: self.tenant.id.clone(), mode: self.mode }
    }

    /// Checks again that the member may send this request, in the unit that does what it asks: they may have been removed
    /// while its body arrived. Locks the tenant first, so that no decision about members overlaps.
    ///
    /// # Errors
    /// 401 if the session has ended, 403 without the permission, and for a tenant that was suspended meanwhile.
    pub(super) fn check_again(&self, tx: &mut Tx<'_>, now: Wall) -> ApiResult<()> {
        if let Some(tenant) = tx.tenants().get(&self.tenant.id)? {
            tenant.check_active()?;
        }
        let session = tx.console_sessions().by_secret(&self.session.secret_hash)?;
        let member = match session.filter(|it| it.lasts(now)) {
            Some(session) => tx.console_members().get(&session.member_id)?,
            None => None,
        };
        check(member.ok_or_else(|| signed_out_problem(SIGNED_OUT))?.role, self.mode, self.needs)
    }

    /// Returns the offset of the environment's clock.
    pub(super) fn offset(&self) -> ClockOffset {
        self.tenant.offset(self.mode)
    }

    /// Returns the caller as the endpoints of the REST interface take it.
    pub(super) fn into_portal_caller(self) -> PortalCaller {
        let (owner, offset) = (self.owner(), self.offset());
        PortalCaller { owner, offset, recheck: Arc::new(move |tx, now| self.check_again(tx, now)) }
    }

    /// Returns whether the member has a permission in the environment of the path.
    pub(super) fn may(&self, permission: Permission) -> bool {
        is_allowed(self.member.role, self.mode, permission)
    }
}

impl FromRequestParts<App> for ConsoleCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let route = MatchedPath::from_request_parts(parts, app).await.map_err(Problem::system)?;
        let rule = *parts.extensions.get::<&'static Rule>().ok_or_else(Problem::missing)?;
        let needs = rule.needs;
        let mode = mode_of(route.as_str(), parts.uri.path())?;
        let Some((session, member, tenant)) = find_signed_in(app, parts).await? else {
            return Err(Network::from_parts(parts, app).count_refusal(app, signed_out_problem(SIGNED_OUT)));
        };
        if let Some(counted) = parts.extensions.get::<UnauthenticatedRequest>() {
            counted.mark_authenticated();
        }
        app.limits.rates.count_member(&session.id)?;
        tenant.check_active()?;
        if let Some(used) = session.touch(app.wall()) {
            app.store.write(move |tx| tx.console_sessions().set_used(&used)).await?;
        }
        let audit = parts.extensions.get::<AuditSlot>().cloned();
        if let Some(audit) = &audit {
            let owner = Owner { tenant: tenant.id.clone(), mode };
            audit.set_actor(owner, ActorType::Member, member.id.as_str());
        }
        check(member.role, mode, needs)?;
        let is_needed = match rule.confirmation {
            Confirmation::No => false,
            Confirmation::InProduction => mode == Mode::Production,
            Confirmation::Yes => true,
        };
        // The other routes of a session concern only what is the member's own, or check it themselves.
        let has_permission = matches!(needs, Needs::Permission(_));
        let is_unproven = has_permission && needs_proof(mode, rule.act) && !session.is_proven();
        if is_unproven || is_needed && !session.is_confirmed(app.wall()) {
            return Err(confirmation_required());
        }
        Ok(Self { session, member, tenant, mode, needs, audit })
    }
}

/// Authenticates the member of a request to an endpoint of the REST interface.
pub(super) async fn layer(State(app): State<App>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    match ConsoleCaller::from_request_parts(&mut parts, &app).await {
        Ok(caller) => {
            parts.extensions.insert(caller.into_portal_caller());
            next.run(Request::from_parts(parts, body)).await
        }
        Err(problem) => problem.into_response(),
    }
}

const SIGNED_OUT: &str = "Sign in with a passkey, a one-time address or a mailed link.";

fn check(role: Role, mode: Mode, needs: Needs) -> ApiResult<()> {
    match needs {
        Needs::Permission(permission) if !is_allowed(role, mode, permission) => {
            Err(forbidden_problem("Your role does not include this permission."))
        }
        Needs::Permission(_) | Needs::Session | Needs::Nothing => Ok(()),
    }
}

/// Returns the environment that a path names, as its third segment. Production if it names none.
fn mode_of(route: &str, path: &str) -> ApiResult<Mode> {
    match path.split('/').nth(3) {
        Some("sandbox") => Ok(Mode::Sandbox),
        Some("production") => Ok(Mode::Production),
        Some(_) | None if route.contains("{environment}") => Err(Problem::missing()),
        Some(_) | None => Ok(Mode::Production),
    }
}

async fn find_signed_in(app: &App, parts: &Parts) -> ApiResult<Option<(ConsoleSession, Member, Tenant)>> {
    let Some(hash) = secret_hash(app, &parts.headers) else { return Ok(None) };
    let now = app.wall();
    app.store
        .read(move |reader| -> ApiResult<_> {
            let session = reader.console_sessions().by_secret(&hash)?;
            let Some(session) = session.filter(|it| it.lasts(now)) else { return Ok(None) };
            let Some(member) = reader.console_members().get(&session.member_id)? else { return Ok(None) };
            let tenant = reader.tenants().get(&session.tenant)?;
            Ok(tenant.map(|tenant| (session, member, tenant)))
        })
        .await
}
