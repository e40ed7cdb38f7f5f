//! Mails that were kept because no mail server is configured.

use link_types::id::InviteId;
use serde_json::{Value, json};

use super::Refusal;
use crate::app::App;
use crate::kept_mail;

pub(super) async fn show(app: &App, invite: InviteId) -> Result<Value, Refusal> {
    let mail = kept_mail::last(app.store(), app.files().as_ref(), invite).await;
    Ok(json!({ "mail": mail.map_err(|why| Refusal(why.to_string()))? }))
}
