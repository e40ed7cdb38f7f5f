//! The administration socket: a Unix socket in the data folder (which only the operator can enter), one JSON line
//! each way. The command line speaks to the running service through it, because the service alone owns the
//! database.

use std::path::Path;

use link_domain::change::{Change, Row};
use link_domain::clock::ClockOffset;
use link_domain::digest::Digest32;
use link_domain::link::OPENING_MEMORY;
use link_domain::owner::Owner;
use link_domain::tenant::ApiKey;
use link_store::{PageRequest, PageSize, StoreError};
use link_types::Mode;
use link_types::id::{LinkTemplateId, TenantId};
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};

use crate::app::App;
use crate::endpoints::link_templates::ORIGIN_PATTERN;
use crate::tenant_setup::make_tenant;

/// The socket's name in the data folder.
pub const SOCKET: &str = "admin.sock";

/// The longest request.
const REQUEST_LIMIT: u64 = 64 * 1024;

/// What the command line may ask for.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each variant is the command of its name")]
pub enum AdminRequest {
    CreateTenant { id: TenantId, name: String },
    ListTenants {},
    IssueKey { tenant: TenantId, mode: Mode },
    RevokeKey { key: String },
    ListTemplates { tenant: TenantId, mode: Mode },
    ShowTemplate { id: LinkTemplateId },
    AllowOrigins { id: LinkTemplateId, origins: Vec<String> },
    ListWebhooks { tenant: TenantId, mode: Mode },
}

/// What it is told.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AdminAnswer {
    /// Done; the answer in full.
    Done(Value),
    /// Not done, and why.
    Refused(String),
}

/// Why a request was not carried out, in words for the operator.
struct Refusal(String);

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

impl From<&str> for Refusal {
    fn from(words: &str) -> Self {
        Self(words.to_owned())
    }
}

/// Opens the socket of a data folder that this process owns.
///
/// # Errors
/// When the socket cannot be made.
pub fn listen(data_dir: &Path) -> std::io::Result<UnixListener> {
    let path = data_dir.join(SOCKET);
    // Left by a process that was killed: the folder's lock says that it lives no more.
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    UnixListener::bind(&path)
}

/// Answers until the service stops.
pub async fn run(app: App, listener: UnixListener) {
    let mut stopping = app.stopping();
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopping.wait_for(|stop| *stop) => return,
        };
        match stream {
            Ok((stream, _)) => {
                let app = app.clone();
                tokio::spawn(async move {
                    if let Err(error) = converse(&app, stream).await {
                        tracing::warn!(%error, "an administration request broke off");
                    }
                });
            }
            Err(error) => tracing::error!(%error, "the administration socket fails"),
        }
    }
}

async fn converse(app: &App, stream: UnixStream) -> std::io::Result<()> {
    let (reading, mut writing) = stream.into_split();
    let mut line = String::new();
    BufReader::new(reading.take(REQUEST_LIMIT)).read_line(&mut line).await?;
    let answer = match serde_json::from_str(&line) {
        Ok(request) => match carry_out(app, request).await {
            Ok(answer) => AdminAnswer::Done(answer),
            Err(Refusal(why)) => AdminAnswer::Refused(why),
        },
        Err(_) => AdminAnswer::Refused("the request is not one this service knows".to_owned()),
    };
    let mut line = serde_json::to_vec(&answer)?;
    line.push(b'\n');
    writing.write_all(&line).await
}

async fn carry_out(app: &App, request: AdminRequest) -> Result<Value, Refusal> {
    match request {
        AdminRequest::CreateTenant { id, name } => create_tenant(app, id, name).await,
        AdminRequest::ListTenants {} => {
            let tenants = app.store().read(|reader| reader.tenants()).await?;
            Ok(tenants.iter().map(|it| json!({"id": it.id, "name": it.name})).collect())
        }
        AdminRequest::IssueKey { tenant, mode } => issue_key(app, Owner { tenant, mode }).await,
        AdminRequest::RevokeKey { key } => revoke_key(app, &key).await,
        AdminRequest::ListTemplates { tenant, mode } => {
            let page = PageRequest::first(PageSize::new(PageSize::MAX.into())?);
            let owner = Owner { tenant, mode };
            let found = app.store().read(move |reader| reader.link_templates(&owner, &page)).await?;
            Ok(found.items.iter().map(|it| json!(it.template)).collect())
        }
        AdminRequest::ShowTemplate { id } => show_template(app, id).await,
        AdminRequest::AllowOrigins { id, origins } => allow_origins(app, id, origins).await,
        AdminRequest::ListWebhooks { tenant, mode } => {
            let page = PageRequest::first(PageSize::new(PageSize::MAX.into())?);
            let owner = Owner { tenant, mode };
            let found = app.store().read(move |reader| reader.webhooks(&owner, &page)).await?;
            Ok(found.items.iter().map(|it| json!(it.registration)).collect())
        }
    }
}

/// Survey answers shown.
const ANSWERS: u32 = 20;

async fn show_template(app: &App, id: LinkTemplateId) -> Result<Value, Refusal> {
    let (wanted, since) = (id.clone(), app.wall() - OPENING_MEMORY);
    let (found, exits, traps, surveys) = app
        .store()
        .read(move |reader| {
            let found = reader.link_template_by_id(&wanted)?.ok_or("there is no such link template")?;
            let (exits, traps) = (reader.exit_points(&wanted, since)?, reader.traps(&wanted, since)?);
            Ok::<_, Refusal>((found, exits, traps, reader.surveys(&wanted, ANSWERS)?))
        })
        .await?;
    let exits = exits.iter().map(|(name, openings)| json!({"lastEvent": name, "openings": openings}));
    let traps = traps.iter().map(|(trap, count)| json!({"trap": trap, "count": count}));
    Ok(json!({
        "template": found.template,
        "refusedOrigins": app.refused_origins().of(&id),
        "exitPoints": exits.collect::<Vec<_>>(),
        "traps": traps.collect::<Vec<_>>(),
        "notFound": surveys.iter().map(|it| json!(it.answer)).collect::<Vec<_>>(),
    }))
}

async fn create_tenant(app: &App, id: TenantId, name: String) -> Result<Value, Refusal> {
    let (change, keys) = make_tenant(app, id.clone(), name);
    let now = app.now(ClockOffset::default());
    app.store()
        .write(move |tx| {
            if tx.tenant(&id)?.is_some() {
                return Err(Refusal::from("there is a tenant with this id already"));
            }
            Ok(tx.apply(&change, now)?)
        })
        .await?;
    Ok(json!(keys))
}

async fn issue_key(app: &App, owner: Owner) -> Result<Value, Refusal> {
    let mut context = app.context(ClockOffset::default());
    let (key, issued) = ApiKey::issue(owner.clone(), &mut context);
    app.store()
        .write(move |tx| {
            tx.tenant(&owner.tenant)?.ok_or("there is no such tenant")?;
            Ok::<_, Refusal>(tx.apply(&Change::row(Row::ApiKey(key.clone())), context.now())?)
        })
        .await?;
    Ok(json!({"apiKey": issued.key, "apiSecret": issued.secret.expose()}))
}

async fn revoke_key(app: &App, key: &str) -> Result<Value, Refusal> {
    let hash = Digest32::of(key);
    let now = app.now(ClockOffset::default());
    app.store()
        .write(move |tx| {
            let mut key = tx.api_key(&hash)?.ok_or("there is no such key")?;
            key.revoked_at = key.revoked_at.or(Some(now.tenant()));
            Ok::<_, Refusal>(tx.apply(&Change::row(Row::ApiKey(key)), now)?)
        })
        .await?;
    Ok(json!({"revoked": true}))
}

async fn allow_origins(app: &App, id: LinkTemplateId, origins: Vec<String>) -> Result<Value, Refusal> {
    let form = Regex::new(ORIGIN_PATTERN).map_err(|error| Refusal(error.to_string()))?;
    if let Some(wrong) = origins.iter().find(|it| !form.is_match(it)) {
        return Err(Refusal(format!(
            "{wrong} is no origin: write it as a browser does, like https://app.example.com"
        )));
    }
    let now = app.now(ClockOffset::default());
    let template = app
        .store()
        .write(move |tx| {
            let mut found = tx.link_template_by_id(&id)?.ok_or("there is no such link template")?;
            found.template.allowed_origins.clone_from(&origins);
            tx.apply(&Change::row(Row::LinkTemplate(found.clone())), now)?;
            Ok::<_, Refusal>(found.template)
        })
        .await?;
    Ok(json!(template))
}
