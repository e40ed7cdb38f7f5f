//! The keys of a new tenant, and the first tenant that the first start creates.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use link_domain::change::Change;
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::use_cases::{NewEnvironment, create_tenant};
use link_store::StoreError;
use link_types::Mode;
use link_types::id::{ConsentTemplateId, InviteTemplateId, LinkTemplateId, TenantId};
use serde::Serialize;

use crate::app::App;
use crate::settings::DEFAULT_DATA_DIR;

/// The file in the data folder to which the first start writes the first tenant's keys.
pub const FIRST_KEYS: &str = "first-keys.json";

/// The keys and ids of a new tenant. They contain secrets, which are shown only once.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TenantKeys {
    tenant_id: TenantId,
    sandbox: EnvironmentKeys,
    production: EnvironmentKeys,
}

/// An API key and its secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FirstKey {
    api_key: String,
    api_secret: String,
}

/// The key and ids of one environment.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentKeys {
    base_url: String,
    /// `None` in production, where keys are created on request.
    #[serde(flatten)]
    key: Option<FirstKey>,
    link_template_id: LinkTemplateId,
    consent_template_id: ConsentTemplateId,
    invite_template_id: InviteTemplateId,
}

/// Creates a tenant. Returns the change to apply, and the keys to show once.
pub fn make_tenant(app: &App, id: TenantId, name: String) -> (Change, TenantKeys) {
    let mut context = app.context(ClockOffset::default());
    // An ephemeral service has no other way to provide a production key.
    let production_key = app.settings.ephemeral;
    let (tenant, change) = create_tenant(id.clone(), name, production_key, &mut context);
    let keys = TenantKeys {
        tenant_id: id,
        sandbox: EnvironmentKeys::new(tenant.sandbox, app.api_base(Mode::Sandbox)),
        production: EnvironmentKeys::new(tenant.production, app.api_base(Mode::Production)),
    };
    (change, keys)
}

impl EnvironmentKeys {
    fn new(environment: NewEnvironment, base_url: String) -> Self {
        let key = environment
            .key
            .map(|issued| FirstKey { api_key: issued.key, api_secret: issued.secret.expose().to_owned() });
        Self {
            base_url,
            key,
            link_template_id: environment.link_template_id,
            consent_template_id: environment.consent_template_id,
            invite_template_id: environment.invite_template_id,
        }
    }
}

/// The result of a first start.
pub struct FirstStart {
    /// The file with the keys; `None` for an ephemeral service.
    pub file: Option<PathBuf>,
    /// The keys as a line of JSON; `None` if they are in the file.
    pub printed_keys: Option<String>,
    /// Lines for the terminal: where the keys are, the ids, and what to do next. They contain no secrets.
    pub lines: Vec<String>,
}

/// Creates the first tenant at the first start, and writes its keys to a file that only the operator can read.
///
/// # Errors
/// If the file or the database cannot be written, or the database is empty and the file already exists.
pub async fn first_start(app: &App) -> Result<Option<FirstStart>, Box<dyn std::error::Error + Send + Sync>> {
    let file = (!app.settings.ephemeral).then(|| app.settings.data_dir.join(FIRST_KEYS));
    if !app.store.read(|reader| reader.tenants().list()).await?.is_empty() {
        if let Some(file) = &file {
            finish_first_start(app, file).await?;
        }
        return Ok(None);
    }
    if let Some(file) = file.as_deref().filter(|file| file.exists()) {
        return Err(format!(
            "the database is empty, but {} contains the keys of a database that was in use. Check that \
             --data-dir and --database-url name the right database, or restore it from a backup. To start with \
             an empty database, use another data folder, or move this file away",
            file.display()
        )
        .into());
    }
    let id: TenantId = "demo".parse()?;
    let (change, keys) = make_tenant(app, id, "Demo Company".to_owned());
    if let Some(file) = &file {
        // Write the draft before the commit. Otherwise a crash in between would lose the keys.
        write_draft(file, &keys)?;
    }
    let now = app.now(ClockOffset::default());
    app.store.write(move |tx| -> Result<(), StoreError> { tx.apply(&change, now) }).await?;
    let Some(path) = file.as_deref() else {
        let lines = vec!["Nothing is stored on disk. All data is lost when this process ends".to_owned()];
        return Ok(Some(FirstStart { file, printed_keys: Some(serde_json::to_string(&keys)?), lines }));
    };
    publish(path)?;
    let lines = first_lines(&keys, path, &app.settings.data_dir);
    Ok(Some(FirstStart { file, printed_keys: None, lines }))
}

/// Publishes the keys of a first start that was killed after its commit. If the database does not have the draft's key,
/// the process was killed before the commit, and this removes the draft.
async fn finish_first_start(app: &App, file: &Path) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let draft = draft_of(file);
    let Ok(text) = std::fs::read(&draft) else { return Ok(()) };
    let keys: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    let key = keys.pointer("/sandbox/apiKey").and_then(serde_json::Value::as_str).unwrap_or_default();
    if !file.exists() && app.store.caller(Digest32::from_text(key)).await?.is_some() {
        publish(file)?;
        tracing::warn!(
            file = %file.display(),
            "The first start was interrupted; this file contains the first tenant's keys"
        );
    } else {
        std::fs::remove_file(&draft)?;
    }
    Ok(())
}

/// Returns the lines to print after a first start.
fn first_lines(keys: &TenantKeys, file: &Path, data_dir: &Path) -> Vec<String> {
    let line = |mode: &str, keys: &EnvironmentKeys| {
        format!(
            "{mode}: link template {}, consent template {}, invite template {}",
            keys.link_template_id, keys.consent_template_id, keys.invite_template_id
        )
    };
    let (place, flag) = place_and_flag(data_dir);
    vec![
        format!("First start: created the tenant demo. Its sandbox API key is only in {}", file.display()),
        line("sandbox", &keys.sandbox),
        line("production", &keys.production),
        format!(
            "To create a production key: linchpin key create --tenant demo --environment production{flag}"
        ),
        format!("Next, in another terminal{place}, with the URLs of your own page and server:"),
        format!("  linchpin template allow {} http://localhost:3000{flag}", keys.sandbox.link_template_id),
        format!("  linchpin listen --tenant demo --forward-to http://localhost:3000/webhooks{flag}"),
    ]
}

/// Returns where to run commands so that they find the service of a data folder, and the flag that they need.
fn place_and_flag(data_dir: &Path) -> (&'static str, String) {
    if data_dir == Path::new(DEFAULT_DATA_DIR) {
        return (" in this folder", String::new());
    }
    let whole = std::path::absolute(data_dir).unwrap_or_else(|_| data_dir.to_owned());
    let whole = whole.to_string_lossy();
    let is_plain = whole.chars().all(|it| it.is_alphanumeric() || "/._-+,:@%".contains(it));
    let shown = if is_plain { whole.into_owned() } else { format!("'{}'", whole.replace('\'', r"'\''")) };
    ("", format!(" --data-dir {shown}"))
}

/// Returns the path of the draft, which holds the keys until the database is committed.
fn draft_of(file: &Path) -> PathBuf {
    file.with_extension("json.new")
}

fn write_draft(file: &Path, keys: &TenantKeys) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let draft = draft_of(file);
    let mut open =
        std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    open.write_all(&serde_json::to_vec_pretty(keys)?)?;
    open.write_all(b"\n")?;
    open.sync_all()?;
    Ok(())
}

/// Renames the draft to its final name. Never replaces an existing file.
fn publish(file: &Path) -> std::io::Result<()> {
    let draft = draft_of(file);
    std::fs::hard_link(&draft, file)?;
    std::fs::remove_file(&draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case::default_folder(DEFAULT_DATA_DIR, " in this folder", "")]
    #[case::other_folder("/var/lib/linchpin", "", " --data-dir /var/lib/linchpin")]
    #[case::folder_that_needs_quotes("/srv/ana's data", "", r" --data-dir '/srv/ana'\''s data'")]
    fn printed_commands_find_the_service(
        #[case] folder: &str,
        #[case] place: &'static str,
        #[case] flag: &str,
    ) {
        assert_eq!(place_and_flag(Path::new(folder)), (place, flag.to_owned()));
    }
}
