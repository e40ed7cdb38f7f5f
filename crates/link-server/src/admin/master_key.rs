//! Replaces the master key, and lists those that the database had: for a running service, and for the command without one.

use std::path::{Path, PathBuf};

use link_domain::kernel::clock::Wall;
use link_store::{RotatedMasterKey, Store, StoreError};
use link_types::Timestamp;
use serde_json::{Value, json};

use super::protocol::AdminError;
use crate::settings::Settings;

const CLEAR: &str = "in clear, with mode 0600";

/// Wraps the root key with a new master key. The log has a line about it, because no tenant has an audit log for it.
pub(crate) async fn rotate(store: &Store, settings: &Settings, now: Wall) -> Result<Value, StoreError> {
    let RotatedMasterKey { old, old_file, new, new_file, is_settled } = store.rotate_master_key(now).await?;
    let program = settings.master_key.program();
    let stored = program.map_or(CLEAR.to_owned(), |it| format!("wrapped by {}", it.display()));
    tracing::warn!(old, new, stored, "The operator rotated the master key");
    let warning = "master.key is still the old key: correct the rights or the space of the key folder. The service tries it \
                   again every 10 s";
    Ok(json!({
        "new": new,
        "newFile": new_file.display().to_string(),
        "stored": stored,
        "old": old,
        "oldFile": old_file.display().to_string(),
        "warning": (!is_settled).then_some(warning),
    }))
}

/// Refuses a rotation by a command whose own settings store the new key otherwise than this service would.
pub(super) fn check_same(
    settings: &Settings,
    program: Option<&Path>,
    keys_dir: Option<&Path>,
) -> Result<(), AdminError> {
    let own = settings.master_key.program();
    if let Some(wanted) = program
        && own.is_none_or(|own| find_real(own) != find_real(wanted))
    {
        let own = own.map_or(CLEAR.to_owned(), |it| format!("wrapped by {}", it.display()));
        return Err(AdminError(format!(
            "this command has --master-key-command {}, but the running service would store the new key {own}. Nothing was \
             changed. Restart the service with that setting, and rotate the key then",
            wanted.display()
        )));
    }
    if let Some(wanted) = keys_dir
        && find_real(&settings.keys_dir) != find_real(wanted)
    {
        return Err(AdminError(format!(
            "this command has --keys-dir {}, but the running service has its keys in {}. Nothing was changed. Correct the \
             setting of one of them",
            wanted.display(),
            settings.keys_dir.display()
        )));
    }
    Ok(())
}

/// Returns the path that a setting means, also through links.
pub(crate) fn find_real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Returns the master keys of the database, the current one first.
pub(crate) async fn list(store: &Store, now: Wall) -> Result<Value, StoreError> {
    let keys = store.master_keys().await?;
    let shown = keys.into_iter().map(|it| {
        let age = now.since(it.created_at).as_secs() / 86_400;
        json!({
            "id": it.id,
            "state": if it.replaced_at.is_none() { "CURRENT" } else { "REPLACED" },
            "createdAt": Timestamp::from_micros(it.created_at.micros()),
            "replacedAt": it.replaced_at.map(|at| Timestamp::from_micros(at.micros())),
            "days": age,
        })
    });
    Ok(shown.collect())
}
