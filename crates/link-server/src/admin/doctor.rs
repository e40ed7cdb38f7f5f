//! `linchpin doctor`: the running service uses each of its dependencies, and says what production lacks.

use std::time::Duration;

use link_domain::tenancy::tenant::standing::Standing;
use link_store::{ScheduledBackup, StoreError};
use link_types::id::TenantId;
use serde_json::{Value, json};

use crate::app::App;
use crate::dependencies::checks::{Check, NO_BACKUPS, check_surroundings};
use crate::dependencies::production::find_missing_of_production;
use crate::dependencies::{Dependency, DependencyError, probes};

/// How long a tenant may be between two cells before it is reported.
const MAX_MOVE: Duration = Duration::from_secs(86_400);

/// Returns one line for each dependency, and one for each part of production that is not configured.
pub(super) async fn examine(app: &App) -> Value {
    let mut checks = vec![check_database(app).await];
    if !app.settings.ephemeral {
        checks.push(check_keys(app).await);
    }
    let files = probes::probe_files(app.ports.files.as_ref(), app.random()).await;
    app.health.dependencies.note_result(Dependency::Files, files.clone());
    checks.push(Check::of_probe(Dependency::Files, files));
    checks.push(check_backups(app).await);
    checks.push(check_clock(app));
    checks.extend(check_surroundings(&app.settings).await);
    let mut lines: Vec<Value> = checks.iter().map(Check::view).collect();
    lines.extend(find_missing_of_production(&app.settings));
    lines.extend(find_between_cells(app).await);
    lines.into()
}

/// Returns a line for each tenant that waits for the end of a move for long: in both cells, nothing of it is erased meanwhile.
async fn find_between_cells(app: &App) -> Vec<Value> {
    let tenants = app.store.read(|reader| reader.tenants().list()).await.unwrap_or_default();
    let now = app.wall();
    let waiting = tenants.into_iter().filter_map(|tenant| match tenant.standing {
        Standing::Moving { since, .. } | Standing::Arriving { since, .. } => {
            Some((tenant.id, now.since(since)))
        }
        Standing::Active
        | Standing::Suspended { .. }
        | Standing::Deleted { .. }
        | Standing::Erased { .. } => None,
    });
    let line = |(id, waits): (TenantId, Duration)| {
        json!({
            "check": "tenant",
            "subject": id,
            "result": "WARNING",
            "code": "BetweenCells",
            "cause": format!("it is between two cells for {} hours, and nothing of it is erased", waits.as_secs() / 3_600),
            "remedy": "Complete the move, or give it up (docs/how-to/cells.md)",
        })
    };
    waiting.filter(|(_, waits)| *waits >= MAX_MOVE).map(line).collect()
}

/// Checks the key folder and the master key, and says how old that is.
async fn check_keys(app: &App) -> Check {
    // Otherwise a program whose grant was revoked would look good.
    app.settings.master_key.forget();
    let probed = match probes::probe_keys(&app.settings.keys_dir) {
        Ok(()) => probes::probe_master_key(&app.store).await,
        refused => refused,
    };
    let keys = app.store.master_keys().await.unwrap_or_default();
    let current = keys.first().map(|it| {
        let days = app.wall().since(it.created_at).as_secs() / 86_400;
        format!("master key {}, {days} days old", it.id)
    });
    Check { subject: current.unwrap_or_default(), ..Check::of_probe(Dependency::Keys, probed) }
}

async fn check_database(app: &App) -> Check {
    let is_ready = app.health.readiness.is_ready(&app.store).await;
    let pool = app.store.pool_health().filter(|it| !it.is_good() || it.fault.is_some());
    let fault = |code: &str, cause: String| DependencyError {
        dependency: Dependency::Database,
        code: code.to_owned(),
        cause,
        remedy: "Look for ERROR lines in the log, which name the cause (docs/how-to/operating.md)".into(),
    };
    let result = match pool {
        Some(pool) => {
            let cause = format!("{} of {} connections fail", pool.failing, pool.connections);
            let why = pool.fault.map(|it| format!(": {it}")).unwrap_or_default();
            Err(fault("Connections", cause + &why))
        }
        None if !is_ready => {
            Err(fault("NotReady", "the database cannot be read and written in time".to_owned()))
        }
        None => Ok(()),
    };
    Check::of_probe(Dependency::Database, result)
}

/// Checks the place of backups, and the last one, which another node may have written.
async fn check_backups(app: &App) -> Check {
    let dependency = Dependency::Backups;
    let Some(settings) = &app.settings.backups else { return Check::skip(dependency, NO_BACKUPS) };
    let fault = |code: String, cause: String, remedy: String| {
        Err(DependencyError { dependency, code, cause, remedy: remedy.into() })
    };
    let last = app.store.read(|reader| reader.scheduled_backups().get()).await;
    let is_used = last.as_ref().is_ok_and(|it| it.place.as_ref() == Some(&settings.address));
    let probed = probes::probe_backups(&settings.target, app.random(), is_used).await;
    let now = app.wall();
    let result = match (probed, last) {
        (Err(fault), _) => Err(fault),
        (Ok(()), Err::<_, StoreError>(error)) => {
            fault(error.code(), error.to_string(), "See the check of the database".to_owned())
        }
        (Ok(()), Ok(ScheduledBackup { fault: Some(last), .. })) => fault(last.code, last.cause, last.remedy),
        (Ok(()), Ok(ScheduledBackup { good_at: Some(at), .. })) if now.since(at) > 2 * settings.every => {
            let hours = now.since(at).as_secs() / 3_600;
            let remedy = "Look for backups in the log of every node".to_owned();
            fault("Late".to_owned(), format!("the last good backup is {hours} hours old"), remedy)
        }
        (Ok(()), Ok(ScheduledBackup { good_at: None, .. }))
            if app.reports.metrics.uptime() > settings.every =>
        {
            let remedy = "Look for backups in the log of every node".to_owned();
            fault("Late".to_owned(), "no backup was written yet".to_owned(), remedy)
        }
        (Ok(()), Ok(_)) => Ok(()),
    };
    Check::of_probe(dependency, result)
}

fn check_clock(app: &App) -> Check {
    let jump = app.health.known_jump.get().is_some();
    let result = if jump {
        Err(DependencyError {
            dependency: Dependency::Clock,
            code: "Jump".to_owned(),
            cause: "the clock jumped, so retention is paused".to_owned(),
            remedy: "Run `linchpin retention show`".into(),
        })
    } else {
        Ok(())
    };
    Check::of_probe(Dependency::Clock, result)
}

/// Returns whether a check failed.
pub(crate) fn has_fault(lines: &Value) -> bool {
    lines.as_array().is_some_and(|lines| lines.iter().any(|it| it["result"] == "FAULT"))
}
