//! A signed-in member, authenticated by the cookie of their session and authorized by the rule of the route.

use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::request::Parts;
use link_domain::console::member::Member;
use link_domain::console::permission::is_allowed;
use link_domain::console::session::ConsoleSession;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::Tenant;
use link_store::Tx;
use link_types::Mode;
use link_types::audit::ActorType;
use link_types::console::{Permission, Role};

use super::cookie::secret_hash;
use super::refusal::{forbidden, signed_out};
use super::rules::Needs;
use crate::app::App;
use crate::http::audit::AuditSlot;
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

    /// Returns the tenant and the environment that the path names.
    pub(super) fn owner(&self) -> Owner {
        Owner { tenant: self.tenant.id.clone(), mode: self.mode }
    }

    /// Checks again that the member may send this request, in the unit that does what it asks: they may have been removed
    /// while its body arrived. Locks the tenant first, so that no decision about members overlaps.
    ///
    /// # Errors
    /// 401 if the session has ended, 403 without the permission.
    pub(super) fn check_again(&self, tx: &mut Tx<'_>, now: Wall) -> ApiResult<()> {
        tx.tenants().get(&self.tenant.id)?;
        let session = tx.console_sessions().by_secret(&self.session.secret_hash)?;
        let member = match session.filter(|it| it.lasts(now)) {
            Some(session) => tx.console_members().get(&session.member_id)?,
            None => None,
        };
        check(member.ok_or_else(|| signed_out(SIGNED_OUT))?.role, self.mode, self.needs)
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
        let needs = *parts.extensions.get::<Needs>().ok_or_else(Problem::missing)?;
        let mode = mode_of(route.as_str(), parts.uri.path())?;
        let Some((session, member, tenant)) = signed_in(app, parts).await? else {
            return Err(Network::of(parts, app).refused(app, signed_out(SIGNED_OUT)));
        };
        if let Some(counted) = parts.extensions.get::<UnauthenticatedRequest>() {
            counted.authenticated();
        }
        app.limits.rates.count_member(&session.id)?;
        if let Some(used) = session.touch(app.wall()) {
            app.store.write(move |tx| tx.console_sessions().set_used(&used)).await?;
        }
        let audit = parts.extensions.get::<AuditSlot>().cloned();
        if let Some(audit) = &audit {
            let owner = Owner { tenant: tenant.id.clone(), mode };
            audit.set_actor(owner, ActorType::Member, member.id.as_str());
        }
        check(member.role, mode, needs)?;
        Ok(Self { session, member, tenant, mode, needs, audit })
    }
}

const SIGNED_OUT: &str = "Sign in with a one-time address.";

fn check(role: Role, mode: Mode, needs: Needs) -> ApiResult<()> {
    match needs {
        Needs::Permission(permission) if !is_allowed(role, mode, permission) => {
            Err(forbidden("Your role does not include this permission."))
        }
        Needs::Permission(_) | Needs::Session | Needs::Nothing => Ok(()),
    }
}

/// Returns the environment that a path names, as its third segment.
fn mode_of(route: &str, path: &str) -> ApiResult<Mode> {
    if !route.contains("{environment}") {
        return Ok(Mode::Production);
    }
    match path.split('/').nth(3) {
        Some("sandbox") => Ok(Mode::Sandbox),
        Some("production") => Ok(Mode::Production),
        Some(_) | None => Err(Problem::missing()),
    }
}

async fn signed_in(app: &App, parts: &Parts) -> ApiResult<Option<(ConsoleSession, Member, Tenant)>> {
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
