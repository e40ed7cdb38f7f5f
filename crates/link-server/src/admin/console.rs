//! Commands of the developer portal: one-time addresses for owners, and domains that the operator confirms.

use link_domain::console::member::{Member, MemberError, fold_email};
use link_domain::console::sign_in::{INVITATION_LIFE, RECOVERY_LIFE, SignInAddress, address};
use link_domain::console::single_sign_on::SignOnDomain;
use link_domain::kernel::clock::{ClockOffset, TenantTime};
use link_domain::kernel::domain_proof::check_domain;
use link_types::console::{MemberDraft, Role};
use link_types::id::TenantId;
use link_types::{Sensitive, Timestamp};
use serde_json::{Value, json};

use super::protocol::{AdminError, check_tenant};
use crate::app::App;
use crate::http::audit::record_lost_domain;

/// Invites an owner. Their name is the part of the address before `@`.
pub(super) async fn invite(app: &App, tenant: TenantId, email: String) -> Result<Value, AdminError> {
    check(app, &tenant).await?;
    let context = app.context(ClockOffset::default());
    let invited = app
        .store
        .write(move |tx| -> Result<_, AdminError> {
            let mut context = context.clone();
            // Locks the tenant, so that no two decisions about its members overlap.
            tx.tenants().get(&tenant)?;
            let members = tx.console_members().list_knowing(&tenant, &fold_email(&email))?;
            let name = email.split('@').next().unwrap_or_default().chars().take(80).collect();
            let draft = MemberDraft { email: email.clone(), name, role: Role::Owner };
            let (member, change) = Member::invite(tenant.clone(), &draft, &members, &mut context)
                .map_err(|error| to_refusal(error, &tenant))?;
            let (unused, code, created) =
                SignInAddress::create(member.id.clone(), None, INVITATION_LIFE, &mut context);
            tx.apply(&change.then(created), context.now())?;
            Ok((member, unused, code))
        })
        .await?;
    Ok(show_address(app, &invited))
}

/// Creates a one-time address for an owner who cannot sign in.
pub(super) async fn recover(app: &App, tenant: TenantId, email: Option<String>) -> Result<Value, AdminError> {
    check(app, &tenant).await?;
    let context = app.context(ClockOffset::default());
    let email = email.unwrap_or_default();
    let recovered = app
        .store
        .write(move |tx| -> Result<_, AdminError> {
            let mut context = context.clone();
            tx.tenants().get(&tenant)?;
            let members = tx.console_members().list_knowing(&tenant, &fold_email(&email))?;
            let email = (!email.is_empty()).then_some(email.as_str());
            let owner =
                Member::owner_to_recover(email, &members).map_err(|owners| unclear(owners, &tenant))?;
            let (unused, code, change) =
                SignInAddress::create(owner.id.clone(), None, RECOVERY_LIFE, &mut context);
            tx.apply(&change, context.now())?;
            Ok((owner.clone(), unused, code))
        })
        .await?;
    Ok(show_address(app, &recovered))
}

/// Confirms that a domain is the tenant's, for example one that only an internal name server knows. Adds it if the tenant does not
/// have it.
pub(super) async fn confirm_domain(app: &App, tenant: TenantId, domain: String) -> Result<Value, AdminError> {
    check(app, &tenant).await?;
    let context = app.context(ClockOffset::default());
    let confirmed = app
        .store
        .write(move |tx| -> Result<_, AdminError> {
            let mut context = context.clone();
            tx.tenants().get(&tenant)?;
            let domains = tx.identity_providers().domains(&tenant)?;
            let known = check_domain(&domain).and_then(|it| domains.iter().find(|found| found.domain == it));
            let added = match known {
                Some(known) => known.clone(),
                None => {
                    let added = SignOnDomain::add(tenant.clone(), &domain, &domains, &mut context);
                    added.map_err(|error| AdminError(error.to_string()))?.0
                }
            };
            let (confirmed, change) = added.confirm(context.now().wall());
            record_lost_domain(tx, &tenant, &confirmed.domain, &mut context)?;
            tx.apply(&change, context.now())?;
            Ok(confirmed)
        })
        .await?;
    Ok(json!({"domain": confirmed.domain}))
}

async fn check(app: &App, tenant: &TenantId) -> Result<(), AdminError> {
    if app.settings.console_host().is_none() {
        return Err("the developer portal is off, because its URL has http. Start the service with --console-url and \
                    an https URL"
            .into());
    }
    check_tenant(app, tenant).await
}

fn show_address(app: &App, (member, unused, code): &(Member, SignInAddress, Sensitive)) -> Value {
    json!({
        "owner": member.email.expose(),
        "address": address(&app.settings.console_url, code).expose(),
        "expiresAt": Timestamp::from(TenantTime::from_micros(unused.expires_at.micros())),
    })
}

fn unclear(owners: usize, tenant: &TenantId) -> AdminError {
    AdminError(match owners {
        0 => format!(
            "the tenant {tenant} has no such owner. To invite one, run \
             `linchpin console invite --tenant {tenant} --owner EMAIL`"
        ),
        several => format!(
            "the tenant {tenant} has {several} owners. Name one: \
             `linchpin console recover --tenant {tenant} EMAIL`"
        ),
    })
}

fn to_refusal(error: MemberError, tenant: &TenantId) -> AdminError {
    AdminError(match error {
        MemberError::Exists => format!(
            "the tenant {tenant} already has a member with this address. If they are an owner who cannot sign in, run \
             `linchpin console recover --tenant {tenant} EMAIL`"
        ),
        MemberError::Email | MemberError::Name | MemberError::Limit | MemberError::LastOwner => {
            error.to_string()
        }
    })
}
