//! The administration socket, through which the command line talks to the running service.
//!
//! It is a Unix socket in the data folder, which only the operator can enter. A request and its response are one line
//! of JSON each. While the service runs, only it may use the database.

mod backup;
mod check;
mod clock;
mod events;
mod keys;
mod lookup;
mod mails;
mod protocol;
mod refusal;
mod retention;
mod templates;
pub mod tenant_setup;
mod tenants;
mod webhooks;

pub use self::protocol::{AdminRequest, AdminResponse, NewWebhook};

use std::io::ErrorKind;
use std::path::Path;

use crate::connections::ACCEPT_PAUSE;
use link_domain::kernel::owner::Owner;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};

use self::refusal::Refusal;
use crate::app::App;

/// The socket's name in the data folder.
pub const SOCKET: &str = "admin.sock";

/// The maximum size of a request in bytes.
const REQUEST_LIMIT: u64 = 64 * 1024;

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
            Err(error) => {
                tracing::error!(%error, "Accepting on the administration socket failed");
                // Without file descriptors, every attempt fails at once.
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn converse(app: &App, stream: UnixStream) -> std::io::Result<()> {
    let (reading, mut writing) = stream.into_split();
    let mut line = String::new();
    if BufReader::new(reading.take(REQUEST_LIMIT)).read_line(&mut line).await? == 0 {
        // A command only looked whether a service runs.
        return Ok(());
    }
    let answer = match serde_json::from_str(&line) {
        Ok(request) => match carry_out(app, request).await {
            Ok(answer) => AdminResponse::Done(answer),
            Err(Refusal(why)) => AdminResponse::Refused(why),
        },
        Err(_) => AdminResponse::Refused(
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
        AdminRequest::BackUp { file } => backup::write(app, file).await,
        AdminRequest::Check {} => Ok(check::show(app)),
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
        AdminRequest::ShowClock { tenant } => clock::show(app, tenant).await,
        AdminRequest::StopClock { tenant } => clock::stop(app, tenant).await,
        AdminRequest::AdvanceClock { tenant, seconds, until } => {
            clock::advance(app, tenant, seconds, until).await
        }
        AdminRequest::FireEvent { tenant, event_type, user_id } => {
            events::fire(app, tenant, event_type, user_id).await
        }
        AdminRequest::EventsSince { tenant, mode, since, after, include_payload } => {
            events::since(app, Owner { tenant, mode }, since, after, include_payload).await
        }
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
