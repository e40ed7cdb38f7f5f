//! Commands that move a tenant to another cell: its export here, and its activation there. ADR 288 has the whole protocol.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::{Digest32, hex};
use link_domain::tenancy::tenant::Tenant;
use link_domain::tenancy::tenant::standing::{DeletionMode, Standing};
use link_store::{StoreError, check_export_target, on_thread};
use link_types::id::TenantId;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::protocol::{AdminError, check_tenant};
use super::standing::change_standing;
use crate::app::App;

/// How many seconds a tenant is suspended before its rows are read: twice as long as the body of a request may take, because a request
/// that began before the tenant was suspended is still carried out. What takes longer looks at the tenant again when it writes.
pub(crate) const REST_SECONDS: u64 = 120;
/// How long an export waits for the jobs and deliveries that workers have. A delivery takes at most 30 seconds.
const WORK_TIMEOUT: Duration = Duration::from_secs(40);
/// How often it looks.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// How many looks in a row must find no work.
const IDLE_LOOKS: u32 = 2;
/// The number of random bytes of the code of an export.
const CODE_BYTES: usize = 16;

const IN_PROGRESS: &str = "something of the tenant is still in progress, for example a long reading of an account. No file was \
                           written. Export it again in a few minutes, with --again. Until then, nothing new begins; to give the move up, run `linchpin tenant resume`";

/// Stops everything of a suspended tenant, and writes all of it to a file.
pub(super) async fn export(
    app: &App,
    id: TenantId,
    file: PathBuf,
    rest_seconds: u64,
    again: bool,
) -> Result<Value, AdminError> {
    check_tenant(app, &id).await?;
    // Before the tenant is marked, which may void an earlier export.
    let target = file.clone();
    let checked = on_thread(move || check_export_target(&target)).await?;
    checked.map_err(|error| AdminError(format!("{error}. Nothing was changed")))?;
    let random: [u8; CODE_BYTES] = app.random_bytes();
    let code = hex(&random);
    mark(app, &id, Digest32::from_text(&code), again, Duration::from_secs(rest_seconds)).await?;
    wait_for_work(app, &id).await?;
    let (files, runtime) = (app.ports.files.clone(), Handle::current());
    let fetch = move |object: &str| runtime.block_on(files.get(object));
    let began = Instant::now();
    let written = app.store.export_tenant(id.clone(), code.clone(), app.wall(), file.clone(), fetch).await;
    let written = written.map_err(|error| {
        AdminError(format!(
            "{error}. The tenant is stopped, and no file was written: export it again with --again, or run `linchpin tenant resume {id}`"
        ))
    })?;
    Ok(json!({
        "id": id,
        "file": file.display().to_string(),
        "bytes": file.metadata().ok().map(|it| it.len()),
        "rows": written.rows,
        "files": written.objects,
        "seconds": format!("{:.1}", began.elapsed().as_secs_f32()),
        "code": code,
    }))
}

/// Marks a tenant as moving once it has been stopped for a while. A tenant that is resumed and suspended meanwhile begins to rest again.
async fn mark(
    app: &App,
    id: &TenantId,
    export: Digest32,
    again: bool,
    rest: Duration,
) -> Result<(), AdminError> {
    loop {
        let local = app.wall();
        let now = app.store.read(move |reader| reader.wall_clock(local)).await?;
        let (id, context) = (id.clone(), app.context(ClockOffset::default()));
        let missing = app.store.write(move |tx| -> Result<Duration, AdminError> {
            let Some(tenant) = tx.tenants().get(&id)? else { return Err("the tenant does not exist".into()) };
            let missing = rest.saturating_sub(tenant.resting_time(now));
            let marked = tenant.begin_move(export, again, context.now().wall());
            let (_, change) = marked.map_err(|it| AdminError(it.to_string()))?;
            if missing.is_zero() {
                tx.apply(&change, context.now())?;
            }
            Ok(missing)
        });
        let missing = missing.await?;
        if missing.is_zero() {
            return Ok(());
        }
        tokio::time::sleep(missing).await;
    }
}

/// Waits until no worker has a job or a delivery of a tenant. Units of work that read the tenant before it was marked, such as claims
/// and the operator's commands, have ended before the first look.
async fn wait_for_work(app: &App, id: &TenantId) -> Result<(), AdminError> {
    tokio::time::sleep(app.store.max_unit_time()).await;
    let (began, mut idle) = (Instant::now(), 0);
    while idle < IDLE_LOOKS {
        tokio::time::sleep(LOOK_INTERVAL).await;
        let (id, local) = (id.clone(), app.wall());
        let looked = app
            .store
            .write(move |tx| -> Result<bool, StoreError> { tx.tenants().end_lapsed_leases(&id, local) });
        idle = if looked.await? { 0 } else { idle + 1 };
        if idle == 0 && began.elapsed() >= WORK_TIMEOUT {
            return Err(IN_PROGRESS.into());
        }
    }
    Ok(())
}

async fn get(app: &App, id: &TenantId) -> Result<Tenant, AdminError> {
    let id = id.clone();
    let found = app.store.read(move |reader| reader.tenants().get(&id)).await?;
    found.ok_or_else(|| "the tenant does not exist".into())
}

/// Begins the erasure of a tenant that another cell has imported, and returns the code that activates it there.
pub(super) async fn leave(app: &App, id: TenantId, name: String, code: &str) -> Result<Value, AdminError> {
    check_tenant(app, &id).await?;
    let Some(export) = get(app, &id).await?.export() else {
        return Err("the tenant has no export that is under way. Run `linchpin tenant export`".into());
    };
    let Some(copy) = app.store.find_copy(&id, export, code.trim()) else {
        return Err("the code is not that of an import of the last export of this tenant. `linchpin import-tenant` prints it \
                    when the other cell has all of the tenant. Nothing was erased"
            .into());
    };
    let deleted = change_standing(app, id.clone(), move |tenant, context| {
        tenant.delete(&name, DeletionMode::Imported(copy), context)
    });
    let mut shown = deleted.await?;
    shown["activationCode"] = json!(app.store.activation_code(&id, &copy));
    Ok(shown)
}

/// Lets an imported tenant work here, once the other cell erases it.
pub(super) async fn activate(app: &App, id: TenantId, code: &str) -> Result<Value, AdminError> {
    check_tenant(app, &id).await?;
    let tenant = get(app, &id).await?;
    let Standing::Arriving { copy, .. } = tenant.standing else {
        // Refused with the reason, unless another node has activated the tenant just now.
        return change_standing(app, id, |tenant, _| tenant.activate()).await;
    };
    if app.store.activation_code(&id, &copy) != code.trim() {
        return Err("the code is not the one with which the first cell let the tenant go to this import: `linchpin tenant delete \
                    --moved --imported` prints it there. The tenant stays stopped here"
            .into());
    }
    change_standing(app, id, |tenant, _| tenant.activate()).await
}
