//! Own hosts of link sites that the operator confirms.

use link_domain::invitations::link_site_host::{HostError, LinkSiteHost};
use link_domain::kernel::clock::{ClockOffset, Now};
use link_domain::kernel::context::Context;
use link_domain::kernel::domain_proof::check_domain;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::audit::{Ending, event};
use link_types::audit::{ActorType, AuditAction, AuditActor};
use serde_json::{Value, json};

use super::protocol::{AdminError, check_tenant};
use crate::app::App;
use crate::http::audit::record_lost_host;

/// Confirms that a host is the tenant's, for example one that only an internal name server knows. Adds it if the tenant does not
/// have it. The response names its id, which the audit log then has.
pub(super) async fn confirm(app: &App, owner: Owner, host: String) -> Result<Value, AdminError> {
    check_tenant(app, &owner.tenant).await?;
    let reserved = app.settings.reserved_hosts();
    let reserved = reserved.ok_or("own hosts are off. Start the service with --site-host-target")?;
    let context = app.context(app.offset_of(&owner).await?);
    let confirmed = app
        .store
        .write(move |tx| -> Result<_, AdminError> {
            let mut context = context.clone();
            // The audit log is in real time.
            let now = Now::new(context.now().wall(), ClockOffset::default());
            let mut audit = Context::new(now, context.secret());
            tx.tenants().get(&owner.tenant)?;
            let hosts = tx.link_site_hosts().of_tenant(&owner.tenant)?;
            let known = check_domain(&host);
            let known = hosts.iter().find(|it| it.owner == owner && Some(&it.host) == known.as_ref());
            let added = match known {
                Some(known) => known.clone(),
                None => {
                    let added = LinkSiteHost::create(owner.clone(), &host, &reserved, &hosts, &mut context);
                    let (added, _) = added.map_err(refuse)?;
                    let actor = AuditActor { kind: ActorType::Operator, id: None };
                    let (action, id) = (AuditAction::LinkSiteHostCreated, Some(added.id.as_str()));
                    let created = event(action, actor, Ending::Done, id, None, &mut audit);
                    tx.audit_events().wait(&owner, &created)?;
                    added
                }
            };
            let (confirmed, change) = added.confirm(&hosts, &mut context).map_err(refuse)?;
            record_lost_host(tx, &confirmed, &mut audit)?;
            tx.apply(&change, context.now())?;
            Ok(confirmed)
        })
        .await?;
    app.caches.site_hosts.forget();
    Ok(json!({"id": confirmed.id, "host": confirmed.host}))
}

fn refuse(error: HostError) -> AdminError {
    AdminError(error.to_string())
}
