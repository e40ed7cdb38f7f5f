//! `linchpin doctor`: the running service uses each of its dependencies, and says what production lacks.

use serde_json::Value;

use crate::app::App;
use crate::dependencies::checks::{Check, check_surroundings};
use crate::dependencies::production::find_missing_of_production;
use crate::dependencies::{Dependency, DependencyFault, probes};

/// Returns one line for each dependency, and one for each part of production that is not configured.
pub(super) async fn examine(app: &App) -> Value {
    let mut checks = vec![check_database(app).await];
    if !app.settings.ephemeral {
        checks.push(Check::of_probe(Dependency::Keys, probes::probe_keys(&app.settings.keys_dir)));
    }
    let files = probes::probe_files(app.ports.files.as_ref(), app.random()).await;
    app.dependencies.note_result(Dependency::Files, files.clone());
    checks.push(Check::of_probe(Dependency::Files, files));
    checks.push(check_clock(app));
    checks.extend(check_surroundings(&app.settings).await);
    let mut lines: Vec<Value> = checks.iter().map(Check::view).collect();
    lines.extend(find_missing_of_production(&app.settings));
    lines.into()
}

async fn check_database(app: &App) -> Check {
    let is_ready = app.readiness.is_ready(&app.store).await;
    let pool = app.store.pool_health().filter(|it| !it.is_good() || it.fault.is_some());
    let fault = |code: &str, cause: String| DependencyFault {
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

fn check_clock(app: &App) -> Check {
    let jump = app.known_jump.get().is_some();
    let result = if jump {
        Err(DependencyFault {
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
