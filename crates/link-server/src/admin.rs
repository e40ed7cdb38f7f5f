//! The administration socket, through which the command line talks to the running service.
//!
//! It is a Unix socket in the data folder, which only the operator can enter. A request and its response are one line
//! of JSON each. While the service runs, only it may use the database.

mod acts;
mod audit;
mod console;
pub(crate) mod doctor;
mod keys;
mod mails;
pub(crate) mod master_key;
pub(crate) mod moves;
mod protocol;
mod site_hosts;
mod standing;
pub mod tenant_setup;
mod tenants;
mod webhooks;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

use link_domain::kernel::owner::Owner;
use link_domain::kernel::retention::ClockJump;
use link_store::BackupForm;
use link_types::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};

use self::protocol::AdminError;
use crate::app::App;
use crate::connections::ACCEPT_PAUSE;
use crate::workers::housekeeping;

pub(crate) use self::audit::WARNING;
pub use self::protocol::{AdminRequest, AdminResponse, NewWebhook};

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
    let mut stopping = app.stopping.clone();
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
    let response = match serde_json::from_str(&line) {
        Ok(request) => match audit::carry_out_and_record(app, request).await {
            Ok(response) => AdminResponse::Done(response),
            Err(AdminError(why)) => AdminResponse::Refused(why),
        },
        Err(_) => AdminResponse::Refused(
            "the running service has another version than this command. Restart it with this program"
                .to_owned(),
        ),
    };
    let mut line = serde_json::to_vec(&response)?;
    line.push(b'\n');
    writing.write_all(&line).await
}

async fn carry_out(app: &App, request: AdminRequest) -> Result<Value, AdminError> {
    match request {
        AdminRequest::BackUp { file, portable, is_draft } => {
            let written = write_backup(app, file, portable).await?;
            if !is_draft {
                count_backup(app);
            }
            Ok(written)
        }
        AdminRequest::CountBackup {} => {
            count_backup(app);
            Ok(Value::Null)
        }
        AdminRequest::RotateMasterKey { program, keys_dir } => {
            master_key::check_same(&app.settings, program.as_deref(), keys_dir.as_deref())?;
            Ok(master_key::rotate(&app.store, &app.settings, app.wall()).await?)
        }
        AdminRequest::ListMasterKeys {} => Ok(master_key::list(&app.store, app.wall()).await?),
        AdminRequest::Examine {} => Ok(doctor::examine(app).await),
        AdminRequest::CreateTenant { id, name } => tenants::create(app, id, name).await,
        AdminRequest::ListTenants {} => tenants::list(app).await,
        AdminRequest::SuspendTenant { tenant } => standing::suspend(app, tenant).await,
        AdminRequest::ResumeTenant { tenant } => standing::resume(app, tenant).await,
        AdminRequest::DeleteTenant { tenant, name, now, moved, imported } => {
            standing::delete(app, tenant, name, (now, moved), imported).await
        }
        AdminRequest::ExportTenant { tenant, file, rest_seconds, again } => {
            moves::export(app, tenant, file, rest_seconds, again).await
        }
        AdminRequest::ActivateTenant { tenant, code } => moves::activate(app, tenant, &code).await,
        AdminRequest::InviteOwner { tenant, email } => console::invite(app, tenant, email).await,
        AdminRequest::RecoverOwner { tenant, email } => console::recover(app, tenant, email).await,
        AdminRequest::ConfirmDomain { tenant, domain } => console::confirm_domain(app, tenant, domain).await,
        AdminRequest::ConfirmSiteHost { tenant, mode, host } => {
            site_hosts::confirm(app, Owner { tenant, mode }, host).await
        }
        AdminRequest::IssueKey { tenant, mode, key } => keys::issue(app, Owner { tenant, mode }, &key).await,
        AdminRequest::ListKeys { tenant, mode } => keys::list(app, Owner { tenant, mode }).await,
        AdminRequest::RotateKey { key, again } => keys::rotate(app, &key, again).await,
        AdminRequest::EndKeyRotation { key } => keys::end_rotation(app, &key).await,
        AdminRequest::RevokeKey { key } => keys::revoke(app, &key).await,
        AdminRequest::ListTemplates { tenant, mode } => {
            tenants::list_templates(app, Owner { tenant, mode }).await
        }
        AdminRequest::ShowTemplate { id } => tenants::show_template(app, id).await,
        AdminRequest::AllowOrigins { id, origins } => tenants::allow(app, id, origins).await,
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
        AdminRequest::ShowRetention {} => show_retention(app).await,
        AdminRequest::ConfirmRetention {} => confirm_retention(app).await,
        AdminRequest::ShowPageLink { address } => mails::page_link(app, &address).await,
        AdminRequest::ShowCode { address } => mails::code(app, &address).await,
        AdminRequest::AllowMail { tenant, recipients } => mails::allow(app, tenant, &recipients).await,
        AdminRequest::DisallowMail { tenant, recipients } => mails::disallow(app, tenant, &recipients).await,
        AdminRequest::ListAllowedMail { tenant } => mails::list_allowed(app, tenant).await,
        AdminRequest::CountSuppressedMail {} => mails::list_suppressed(app).await,
        AdminRequest::SuppressMail { address } => mails::suppress(app, &address).await,
        AdminRequest::ReleaseMail { address } => mails::release(app, &address).await,
        AdminRequest::ShowClock { tenant } => tenants::show_clock(app, tenant).await,
        AdminRequest::StopClock { tenant } => tenants::stop_clock(app, tenant).await,
        AdminRequest::AdvanceClock { tenant, seconds, until } => {
            tenants::advance_clock(app, tenant, seconds, until).await
        }
        AdminRequest::FireEvent { tenant, event_type, user_id } => {
            webhooks::fire(app, tenant, event_type, user_id).await
        }
        AdminRequest::VerifyAudit { tenant } => audit::verify(app, tenant).await,
        AdminRequest::EventsSince { tenant, mode, since, after, include_payload } => {
            webhooks::since(app, Owner { tenant, mode }, since, after, include_payload).await
        }
    }
}

/// Writes a backup of the database to a new file.
async fn write_backup(app: &App, file: PathBuf, is_portable: bool) -> Result<Value, AdminError> {
    let form = if is_portable { BackupForm::Portable } else { BackupForm::Usual };
    let began = Instant::now();
    let written = app.store.back_up(file.clone(), form, app.wall()).await;
    written.map_err(|error| AdminError(error.to_string()))?;
    Ok(show_backup(&file, began))
}

fn count_backup(app: &App) {
    app.reports.metrics.count_backup();
    // With a schedule, the time is that of its last good backup.
    if app.settings.backups.is_none() {
        app.reports.metrics.note_backup(app.wall().micros() / 1_000_000);
    }
}

/// Returns the response about a backup that was written.
pub(crate) fn show_backup(file: &Path, began: Instant) -> Value {
    json!({
        "backup": file.display().to_string(),
        "bytes": file.metadata().ok().map(|it| it.len()),
        "seconds": format!("{:.1}", began.elapsed().as_secs_f32()),
    })
}

async fn show_retention(app: &App) -> Result<Value, AdminError> {
    let (now, jump) = housekeeping::look_at_clock(app).await?;
    Ok(json!({
        "paused": jump.is_some(),
        "clock": Timestamp::from_micros(now.micros()),
        "lastSeen": jump.map(|jump| Timestamp::from_micros(jump.from.micros())),
        "advice": if jump.is_some() { PAUSED } else { RUNS },
    }))
}

async fn confirm_retention(app: &App) -> Result<Value, AdminError> {
    Ok(match housekeeping::confirm_clock(app).await? {
        Some(ClockJump { to, .. }) => json!({
            "paused": false,
            "confirmed": true,
            "clock": Timestamp::from_micros(to.micros()),
            "advice": "The clock is confirmed. Expired data is removed within a minute.",
        }),
        None => json!({ "paused": false, "confirmed": false, "advice": RUNS }),
    })
}

const RUNS: &str = "Retention is running. Expired data is removed.";
const PAUSED: &str = "Retention is paused: expired data is not removed. If the clock is right, run \
                      `linchpin retention confirm`. If the clock is wrong, correct it.";

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
