//! Replaces the master key, and lists those that the database had: for a running service, and for the command without one.

use link_domain::kernel::clock::Wall;
use link_store::{RotatedMasterKey, Store, StoreError};
use link_types::Timestamp;
use serde_json::{Value, json};

/// Wraps the root key with a new master key. The log has a line about it, because no tenant has an audit log for it.
pub(crate) async fn rotate(store: &Store, now: Wall) -> Result<Value, StoreError> {
    let RotatedMasterKey { old, old_file, new } = store.rotate_master_key(now).await?;
    tracing::warn!(old, new, "The operator rotated the master key");
    Ok(json!({ "new": new, "old": old, "oldFile": old_file.display().to_string() }))
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
