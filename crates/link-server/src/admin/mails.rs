//! Mail commands: stored mail, and allowed and blocked recipients.

use link_connectors::mail::to_readable;
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::mail::{AllowedRecipients, SuppressedBecause, address_hash, recipient_hash};
use link_store::{Label, StoreError, code_mail_name, page_mail_name};
use link_types::Timestamp;
use link_types::id::{InviteId, TenantId};
use serde_json::{Value, json};

use super::protocol::{AdminError, check_tenant};
use crate::adapters::kept_mail;
use crate::app::App;

pub(super) async fn show(app: &App, invite: InviteId) -> Result<Value, AdminError> {
    let mail = kept_mail::last(&app.store, app.ports.files.as_ref(), invite).await;
    let mail = mail.map_err(|why| AdminError(why.to_string()))?;
    Ok(json!({ "text": to_readable(mail.as_bytes()), "mail": mail }))
}

pub(super) async fn page_link(app: &App, address: &str) -> Result<Value, AdminError> {
    mailbox(app, address).await?;
    let hash = address_hash(&key(app).await?, address);
    let link = app.store.write(move |tx| tx.page_links().get(&hash)).await?;
    let none = || AdminError("no mail with a link is stored for this address".to_owned());
    let name = page_mail_name(&link.ok_or_else(none)?);
    let mail =
        kept_mail::read_named(&app.store, app.ports.files.as_ref(), &name).await.map_err(|_| none())?;
    Ok(json!({ "text": to_readable(mail.as_bytes()), "mail": mail }))
}

pub(super) async fn code(app: &App, address: &str) -> Result<Value, AdminError> {
    mailbox(app, address).await?;
    let typed = address.to_owned();
    for sent in app.store.read(move |reader| reader.visits().codes_of_address(&typed)).await? {
        // The mail of a newer code may have gone to a mail server, or waits for it.
        let name = code_mail_name(&sent);
        if let Ok(mail) = kept_mail::read_named(&app.store, app.ports.files.as_ref(), &name).await {
            return Ok(json!({ "text": to_readable(mail.as_bytes()), "mail": mail }));
        }
    }
    Err(AdminError("no mail with a code is stored for this address".to_owned()))
}

pub(super) async fn allow(app: &App, tenant: TenantId, recipients: &str) -> Result<Value, AdminError> {
    let (recipients, hash) = parse_recipients(app, &tenant, recipients).await?;
    let now = app.wall();
    let is_new =
        app.store.write(move |tx| tx.mails().allow(&tenant, &hash, recipients.domain(), now)).await?;
    Ok(json!({ "allowed": true, "changed": is_new }))
}

pub(super) async fn disallow(app: &App, tenant: TenantId, recipients: &str) -> Result<Value, AdminError> {
    let (_, hash) = parse_recipients(app, &tenant, recipients).await?;
    let was = app.store.write(move |tx| tx.mails().disallow(&tenant, &hash)).await?;
    Ok(json!({ "allowed": false, "changed": was }))
}

async fn parse_recipients(
    app: &App,
    tenant: &TenantId,
    recipients: &str,
) -> Result<(AllowedRecipients, Digest32), AdminError> {
    check_tenant(app, tenant).await?;
    let recipients: AllowedRecipients = recipients.parse().map_err(|_| not_recipients())?;
    let hash = recipients.hash(&key(app).await?);
    Ok((recipients, hash))
}

fn not_recipients() -> AdminError {
    "the recipient is not valid. Give an address, like ana@example.com, or a domain, like @example.com".into()
}

pub(super) async fn list_allowed(app: &App, tenant: TenantId) -> Result<Value, AdminError> {
    check_tenant(app, &tenant).await?;
    let found = app.store.read(move |reader| reader.mails().allowances(&tenant)).await?;
    let items = found.into_iter().map(|(domain, at)| {
        let recipients = domain.map_or("one address".to_owned(), |domain| format!("@{domain}"));
        json!({ "recipients": recipients, "allowedAt": Timestamp::from_micros(at.micros()) })
    });
    Ok(items.collect())
}

pub(super) async fn list_suppressed(app: &App) -> Result<Value, AdminError> {
    let found = app.store.read(|reader| reader.mails().suppressions()).await?;
    Ok(found.into_iter().map(|(reason, count)| json!({ "reason": reason, "addresses": count })).collect())
}

pub(super) async fn suppress(app: &App, address: &str) -> Result<Value, AdminError> {
    let (hash, now) = (mailbox(app, address).await?, app.wall());
    app.store.write(move |tx| tx.mails().suppress(&hash, SuppressedBecause::Operator, now)).await?;
    Ok(json!({ "suppressed": true }))
}

pub(super) async fn release(app: &App, address: &str) -> Result<Value, AdminError> {
    let hash = mailbox(app, address).await?;
    let was = app.store.write(move |tx| tx.mails().release(&hash)).await?;
    Ok(json!({ "suppressed": false, "changed": was }))
}

async fn mailbox(app: &App, address: &str) -> Result<Digest32, AdminError> {
    match address.parse() {
        Ok(AllowedRecipients::Address(_)) => Ok(recipient_hash(&key(app).await?, address)),
        Ok(AllowedRecipients::Domain(_)) | Err(_) => {
            Err("the address is not valid. Give one like ana@example.com".into())
        }
    }
}

async fn key(app: &App) -> Result<[u8; 32], AdminError> {
    Ok(app.store.read(|reader| Ok::<_, StoreError>(reader.derive_key(Label::Lookup))).await?)
}
