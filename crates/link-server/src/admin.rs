//! The administration socket, through which the command line talks to the running service.
//!
//! It is a Unix socket in the data folder, which only the operator can enter. A request and its response are one line
//! of JSON each. The commands need the service, because only it may use the database.

mod events;
mod keys;
mod mails;
mod retention;
mod templates;
mod tenants;
mod webhooks;

use std::io::ErrorKind;
use std::path::Path;

use link_domain::owner::Owner;
use link_store::{PageRequest, PageSize, StoreError};
use link_types::event::EventType;
use link_types::id::{EventId, InviteId, LinkTemplateId, TenantId, UserId, WebhookId};
use link_types::problem::FieldFault;
use link_types::webhook::{DeliveryStatus, RetryProfile};
use link_types::{Mode, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};

use crate::app::App;
use crate::http::problem::Problem;

/// The socket's name in the data folder.
pub const SOCKET: &str = "admin.sock";

/// The maximum size of a request in bytes.
const REQUEST_LIMIT: u64 = 64 * 1024;

/// A request of the command line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each variant is named like its command")]
pub enum AdminRequest {
    CreateTenant {
        id: TenantId,
        name: String,
    },
    ListTenants {},
    IssueKey {
        tenant: TenantId,
        mode: Mode,
    },
    ListKeys {
        tenant: TenantId,
        mode: Mode,
    },
    RotateKey {
        key: String,
        again: bool,
    },
    EndKeyRotation {
        key: String,
    },
    RevokeKey {
        key: String,
    },
    ListTemplates {
        tenant: TenantId,
        mode: Mode,
    },
    ShowTemplate {
        id: LinkTemplateId,
    },
    AllowOrigins {
        id: LinkTemplateId,
        origins: Vec<String>,
    },
    ListWebhooks {
        tenant: TenantId,
        mode: Mode,
    },
    CreateWebhook {
        tenant: TenantId,
        mode: Mode,
        webhook: NewWebhook,
    },
    PingWebhook {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
    },
    RotateWebhookSecret {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
        secret: Option<String>,
    },
    ConfirmWebhookSecret {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
    },
    RecoverWebhook {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
        since: Timestamp,
    },
    DeleteWebhook {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
    },
    ListDeliveries {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
        status: Option<DeliveryStatus>,
    },
    ShowMail {
        invite: InviteId,
    },
    ShowRetention {},
    ConfirmRetention {},
    AllowMail {
        tenant: TenantId,
        recipients: String,
    },
    DisallowMail {
        tenant: TenantId,
        recipients: String,
    },
    ListAllowedMail {
        tenant: TenantId,
    },
    CountSuppressedMail {},
    SuppressMail {
        address: String,
    },
    ReleaseMail {
        address: String,
    },
    FireEvent {
        tenant: TenantId,
        event_type: EventType,
        user_id: Option<UserId>,
    },
    EventsSince {
        tenant: TenantId,
        mode: Mode,
        since: Option<Timestamp>,
        after: Option<EventId>,
        include_payload: bool,
    },
}

/// A webhook to register. If `secret` is `None`, the service generates one and shows it once.
#[derive(Serialize, Deserialize)]
#[expect(missing_docs, reason = "the REST interface documents these fields")]
pub struct NewWebhook {
    pub name: Option<String>,
    pub url: String,
    pub event_types: Vec<String>,
    pub secret: Option<String>,
    pub include_payload: bool,
    pub retry_profile: RetryProfile,
}

/// The response to an [`AdminRequest`].
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AdminAnswer {
    /// The request succeeded, with this result.
    Done(Value),
    /// The request failed, for this reason.
    Refused(String),
}

/// Why a request failed and what to do, as a message for the operator.
struct Refusal(String);

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<Vec<FieldFault>> for Refusal {
    fn from(faults: Vec<FieldFault>) -> Self {
        let messages: Vec<String> = faults.iter().map(|it| format!("{} {}", it.field, it.message)).collect();
        Self(messages.join("; "))
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        problem.log();
        if problem.errors().is_empty() {
            Self(problem.detail().to_owned())
        } else {
            problem.errors().to_vec().into()
        }
    }
}

/// Creates the socket in the data folder of this process.
///
/// # Errors
/// If another process listens on it, or the socket cannot be created.
pub fn listen(data_dir: &Path) -> std::io::Result<UnixListener> {
    let path = data_dir.join(SOCKET);
    if std::os::unix::net::UnixStream::connect(&path).is_ok() {
        let folder = data_dir.display();
        return Err(std::io::Error::other(format!(
            "another linchpin process uses the data folder {folder}. Use a separate folder for each node"
        )));
    }
    // Remove the socket of a process that was killed.
    let removed = match std::fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    };
    removed.and_then(|()| UnixListener::bind(&path)).map_err(|error| {
        let advice = if error.kind() == ErrorKind::InvalidInput {
            "Its path is longer than 107 bytes. Choose a shorter folder with --data-dir"
        } else {
            "Give this user write access to the folder"
        };
        std::io::Error::other(format!(
            "cannot create the administration socket {} ({error}). {advice}",
            path.display()
        ))
    })
}

/// Serves requests until the service stops.
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
                        tracing::warn!(%error, "Administration connection failed");
                    }
                });
            }
            Err(error) => tracing::error!(%error, "Accepting on the administration socket failed"),
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
        Err(_) => AdminAnswer::Refused(
            "the running service has another version than this command. Restart it with this program"
                .to_owned(),
        ),
    };
    let mut line = serde_json::to_vec(&answer)?;
    line.push(b'\n');
    writing.write_all(&line).await
}

async fn carry_out(app: &App, request: AdminRequest) -> Result<Value, Refusal> {
    match request {
        AdminRequest::CreateTenant { id, name } => tenants::create(app, id, name).await,
        AdminRequest::ListTenants {} => tenants::list(app).await,
        AdminRequest::IssueKey { tenant, mode } => keys::issue(app, Owner { tenant, mode }).await,
        AdminRequest::ListKeys { tenant, mode } => keys::list(app, Owner { tenant, mode }).await,
        AdminRequest::RotateKey { key, again } => keys::rotate(app, &key, again).await,
        AdminRequest::EndKeyRotation { key } => keys::end_rotation(app, &key).await,
        AdminRequest::RevokeKey { key } => keys::revoke(app, &key).await,
        AdminRequest::ListTemplates { tenant, mode } => templates::list(app, Owner { tenant, mode }).await,
        AdminRequest::ShowTemplate { id } => templates::show(app, id).await,
        AdminRequest::AllowOrigins { id, origins } => templates::allow(app, id, origins).await,
        AdminRequest::ListWebhooks { tenant, mode } => webhooks::list(app, Owner { tenant, mode }).await,
        AdminRequest::CreateWebhook { tenant, mode, webhook } => {
            webhooks::create(app, Owner { tenant, mode }, webhook).await
        }
        AdminRequest::PingWebhook { tenant, mode, id } => {
            webhooks::ping(app, Owner { tenant, mode }, id).await
        }
        AdminRequest::RotateWebhookSecret { tenant, mode, id, secret } => {
            webhooks::rotate(app, Owner { tenant, mode }, id, secret).await
        }
        AdminRequest::ConfirmWebhookSecret { tenant, mode, id } => {
            webhooks::confirm(app, Owner { tenant, mode }, id).await
        }
        AdminRequest::RecoverWebhook { tenant, mode, id, since } => {
            webhooks::recover(app, Owner { tenant, mode }, id, since).await
        }
        AdminRequest::DeleteWebhook { tenant, mode, id } => {
            webhooks::delete(app, Owner { tenant, mode }, id).await
        }
        AdminRequest::ListDeliveries { tenant, mode, id, status } => {
            webhooks::deliveries(app, Owner { tenant, mode }, id, status).await
        }
        AdminRequest::ShowMail { invite } => mails::show(app, invite).await,
        AdminRequest::ShowRetention {} => retention::show(app).await,
        AdminRequest::ConfirmRetention {} => retention::confirm(app).await,
        AdminRequest::AllowMail { tenant, recipients } => mails::allow(app, tenant, &recipients).await,
        AdminRequest::DisallowMail { tenant, recipients } => mails::disallow(app, tenant, &recipients).await,
        AdminRequest::ListAllowedMail { tenant } => mails::allowed(app, tenant).await,
        AdminRequest::CountSuppressedMail {} => mails::suppressed(app).await,
        AdminRequest::SuppressMail { address } => mails::suppress(app, &address).await,
        AdminRequest::ReleaseMail { address } => mails::release(app, &address).await,
        AdminRequest::FireEvent { tenant, event_type, user_id } => {
            events::fire(app, tenant, event_type, user_id).await
        }
        AdminRequest::EventsSince { tenant, mode, since, after, include_payload } => {
            events::since(app, Owner { tenant, mode }, since, after, include_payload).await
        }
    }
}

/// Returns a request for the largest possible page, which is what the command line lists.
fn one_page() -> Result<PageRequest, Refusal> {
    Ok(PageRequest::first(PageSize::new(PageSize::MAX.into())?))
}

/// Fails if the tenant does not exist. Otherwise a list would be empty, as if the tenant had nothing.
async fn check_tenant(app: &App, id: &TenantId) -> Result<(), Refusal> {
    let wanted = id.clone();
    match app.store().read(move |reader| reader.tenants().get(&wanted)).await? {
        Some(_) => Ok(()),
        None => Err(Refusal(format!(
            "the tenant {id} does not exist. `linchpin tenant list` shows all tenants; to create it, run \
             `linchpin tenant create {id} --name NAME`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn socket_in_use_is_kept_and_stale_socket_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let first = listen(folder.path()).unwrap();
        let refused = listen(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("Use a separate folder for each node"), "{refused}");
        assert!(
            UnixStream::connect(folder.path().join(SOCKET)).await.is_ok(),
            "the first socket still works"
        );
        drop(first);
        assert!(folder.path().join(SOCKET).exists());
        listen(folder.path()).unwrap();
    }
}
