//! A new tenant with everything it needs to begin: keys, a consent template and a link template of both
//! environments. Also what the very first start does.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use link_domain::change::{Change, Row};
use link_domain::clock::ClockOffset;
use link_domain::context::Context;
use link_domain::owner::Owner;
use link_domain::template::{ConsentTemplate, LinkTemplate};
use link_domain::tenant::{ApiKey, Tenant};
use link_store::StoreError;
use link_types::Mode;
use link_types::id::{ConsentTemplateId, LinkTemplateId, TenantId};
use link_types::template::{self, BrandTheme};
use serde::Serialize;

use crate::app::App;

/// Where a first start leaves the first tenant's keys, in the data folder.
pub const FIRST_KEYS: &str = "first-keys.json";

const CONSENT_TITLE: &str = "Share your account data";
const CONSENT_TEXT: &str = "By continuing you let {company} receive, through Linchpin, the information that the \
provider you choose holds about you: who you are, your employment, your income and contributions, and your \
documents.\n\nYour login is used once, to read this information. {company} never sees your password.\n\nThe \
information is kept for at most 60 days. You can withdraw your consent at any time, and it is removed at once.";

/// What a new tenant is told once. It holds secrets: it is written for its owner and nowhere else.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TenantKeys {
    tenant_id: TenantId,
    sandbox: EnvironmentKeys,
    production: EnvironmentKeys,
}

/// The same for one environment.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentKeys {
    base_url: String,
    api_key: String,
    api_secret: String,
    link_template_id: LinkTemplateId,
    consent_template_id: ConsentTemplateId,
}

/// Makes a tenant: what is to be written, and what is told once.
pub fn make_tenant(app: &App, id: TenantId, name: String) -> (Change, TenantKeys) {
    let mut context = app.context(ClockOffset::default());
    let tenant = Tenant {
        id: id.clone(),
        name: name.clone(),
        created_at: context.now().tenant(),
        sandbox_offset: ClockOffset::default(),
    };
    let mut rows = vec![Row::Tenant(tenant)];
    let mut environment = |mode| {
        let owner = Owner { tenant: id.clone(), mode };
        make_environment(owner, &name, app.api_base(mode), &mut context, &mut rows)
    };
    let keys = TenantKeys {
        tenant_id: id.clone(),
        sandbox: environment(Mode::Sandbox),
        production: environment(Mode::Production),
    };
    (Change { rows, ..Change::default() }, keys)
}

fn make_environment(
    owner: Owner,
    company: &str,
    base_url: String,
    context: &mut Context,
    rows: &mut Vec<Row>,
) -> EnvironmentKeys {
    let created_at = context.now().tenant().into();
    let consent = template::ConsentTemplate {
        id: ConsentTemplateId::from_bytes(context.uuid()),
        created_at,
        consent_type: "TERMS_AND_CONDITIONS".to_owned(),
        title: CONSENT_TITLE.to_owned(),
        version: "1.0".to_owned(),
        text: CONSENT_TEXT.replace("{company}", company),
        locale: "en".to_owned(),
    };
    let link = template::LinkTemplate {
        id: LinkTemplateId::from_bytes(context.uuid()),
        created_at,
        name: "Default".to_owned(),
        allowed_origins: Vec::new(),
        company_name: company.to_owned(),
        consent_template_id: consent.id.clone(),
        allow_consent_skip: false,
        providers: Vec::new(),
        top_providers: Vec::new(),
        uploads_enabled: true,
        file_types: Vec::new(),
        texts: BTreeMap::new(),
        theme: BrandTheme::default(),
        sync_enabled: true,
    };
    let (key, issued) = ApiKey::issue(owner.clone(), context);
    let keys = EnvironmentKeys {
        base_url,
        api_key: issued.key,
        api_secret: issued.secret.expose().to_owned(),
        link_template_id: link.id.clone(),
        consent_template_id: consent.id.clone(),
    };
    rows.push(Row::ApiKey(key));
    rows.push(Row::ConsentTemplate(ConsentTemplate { owner: owner.clone(), template: consent }));
    rows.push(Row::LinkTemplate(LinkTemplate { owner, template: link }));
    keys
}

/// What a first start made.
pub struct FirstStart {
    /// The file with the keys.
    pub file: PathBuf,
    /// Lines for the terminal: ids, no secrets.
    pub lines: Vec<String>,
}

/// On the very first start: makes the first tenant and writes its keys to a file that only the operator can read.
///
/// # Errors
/// When the file or the database cannot be written.
pub async fn first_start(app: &App) -> Result<Option<FirstStart>, Box<dyn std::error::Error + Send + Sync>> {
    if !app.store().read(|reader| reader.tenants()).await?.is_empty() {
        return Ok(None);
    }
    let id: TenantId = "demo".parse()?;
    let (change, keys) = make_tenant(app, id, "Demo Company".to_owned());
    let file = app.settings().data_dir.join(FIRST_KEYS);
    // The file comes first: keys that nobody can read would be lost, a file that is written again harms nobody.
    write_keys(&file, &keys)?;
    let now = app.now(ClockOffset::default());
    app.store().write(move |tx| -> Result<(), StoreError> { tx.apply(&change, now) }).await?;
    let line = |mode: &str, keys: &EnvironmentKeys| {
        format!(
            "{mode}: link template {}, consent template {}",
            keys.link_template_id, keys.consent_template_id
        )
    };
    let lines = vec![line("sandbox", &keys.sandbox), line("production", &keys.production)];
    Ok(Some(FirstStart { file, lines }))
}

fn write_keys(path: &Path, keys: &TenantKeys) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let draft = path.with_extension("json.new");
    let mut file =
        std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.write_all(&serde_json::to_vec_pretty(keys)?)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    std::fs::rename(&draft, path)?;
    Ok(())
}
