//! The backup command.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::refusal::Refusal;
use crate::app::App;

/// Writes a backup of the database to a new file.
pub(super) async fn write(app: &App, file: PathBuf) -> Result<Value, Refusal> {
    app.store().back_up(file.clone()).await.map_err(|error| Refusal(error.to_string()))?;
    Ok(json!({ "backup": file.display().to_string() }))
}
