//! The jobs of invitations: sending mail, deleting stored mail, and expiry. And the ends of hosted links.

use link_domain::change::job::Job;
use link_domain::invitations::hosted_link::HostedLinkInput;
use link_domain::invitations::invite::InviteInput;
use link_domain::kernel::clock::Now;
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::{Digest32, hex};
use link_domain::linking::account::Account;
use link_domain::notifications::mail::MailError;
use link_domain::notifications::mail::{
    Admission, AllowedRecipients, Footer, Letterhead, Mail, MailStanding, SuppressedBecause,
    admit_without_server, counted_mailbox_of_tenant, counted_tenant, invitation, is_mailbox, mail_day,
    next_mail_day, own_page_address, recipient_hash, unsubscribe_address, unsubscribe_token,
};
use link_domain::tenancy::brand::Brand;
use link_domain::use_cases::{LinkedThrough, mail_admitted, mail_sent, record_mail};
use link_store::{Label, Leased, StoreError, Tx};
use link_types::id::{HostedLinkId, InviteId};

use super::settle::{Ending, finish, settle};
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Sends an invitation's mail. After a crash, the job sends the mail again with the same id.
pub(super) async fn send(app: &App, job: &Leased<Job>, id: InviteId, number: u32) -> ApiResult<()> {
    let Some((mail, recipient)) = compose(app, job, &id, number).await? else {
        return finish(app, job).await;
    };
    let (mailer, kept) = match admit(app, job, &id, number, &recipient).await? {
        Admission::HandOver { .. } => (&app.ports.mailer, false),
        Admission::Keep => (&app.ports.kept_mail, true),
        // `admit` has finished or postponed the job.
        Admission::Suppressed | Admission::Wait | Admission::NoServer => return Ok(()),
    };
    let sent = mailer.send(&mail).await;
    let Some(input) = mail_sent(sent, kept, number, job.item.attempts) else {
        return Err(Problem::unavailable("no mail server accepted the mail"));
    };
    let (bounced, at) = (sent == Err(MailError::NoMailbox), app.wall());
    settle(app, job, move |tx, job, context| {
        if bounced {
            tx.mails().suppress(&recipient.hash, SuppressedBecause::Bounced, at)?;
        }
        let invite = tx.invites().get(&job.owner, &id)?;
        Ok(Ending::Done(record_mail((&job.owner, id.clone()), invite, input, context)))
    })
    .await
}

/// A mail's recipient, as keyed hashes.
#[derive(Clone, Copy)]
struct Recipient {
    /// Whether mail may be sent to the address ([`is_mailbox`]). Invitations of older versions may have other addresses.
    is_mailbox: bool,
    hash: Digest32,
    /// For mail from the sandbox, the operator must have allowed one of these hashes.
    allowed_as: [Digest32; 2],
}

/// Writes the mail and determines its recipient. Returns `None` if the mail is no longer needed.
async fn compose(
    app: &App,
    job: &Leased<Job>,
    id: &InviteId,
    number: u32,
) -> ApiResult<Option<(Mail, Recipient)>> {
    let (owner, id) = (job.item.owner.clone(), id.clone());
    let settings = &app.settings;
    let (hosted_url, sdk_url) = (settings.hosted_url.clone(), settings.sdk_url.clone());
    let abuse = settings.mail_abuse.clone();
    let now = app.now(app.offset_of(&owner).await?).tenant();
    app.store
        .read(move |reader| -> ApiResult<_> {
            let invite = reader.invites().get(&owner, &id)?;
            let Some(invite) = invite.filter(|it| it.owes_mail(number, now)) else { return Ok(None) };
            let Some(details) = &invite.details else { return Ok(None) };
            let Some(template) = reader.invite_templates().get_kept(&owner, &invite.invite_template_id)?
            else {
                return Ok(None);
            };
            let link_template = reader.link_templates().get_kept(&owner, &invite.link_template_id)?;
            let logos = match &link_template {
                Some(found) => reader.logos().sizes(&found.template)?,
                None => Vec::new(),
            };
            let theme = link_template.map(|it| it.template.theme).unwrap_or_default();
            let letterhead = Letterhead { brand: Brand::from_theme(&theme, &logos), hosted_url, sdk_url };
            let (key, address) = (reader.derive_key(Label::Lookup), details.email_address.expose());
            let hash = recipient_hash(&key, address);
            let recipient = Recipient {
                is_mailbox: is_mailbox(address),
                hash,
                allowed_as: AllowedRecipients::hashes_of(&key, address),
            };
            let token = unsubscribe_token(&key, &hash);
            let unsubscribe = unsubscribe_address(&letterhead.hosted_url, &token);
            let mail = invitation(
                &invite,
                &template,
                &letterhead,
                &Footer {
                    own_page: own_page_address(&letterhead.hosted_url),
                    unsubscribe: Some(unsubscribe),
                    abuse,
                },
            );
            Ok(mail.map(|mail| (mail, recipient)))
        })
        .await
}

/// Decides whether a mail may be sent, and records the decision in the same unit: the count, or why the mail is not
/// sent today.
async fn admit(
    app: &App,
    job: &Leased<Job>,
    id: &InviteId,
    number: u32,
    recipient: &Recipient,
) -> ApiResult<Admission> {
    let (offset, local, seed) = (app.offset_of(&job.item.owner).await?, app.wall(), app.random_bytes());
    let without_server = app.settings.smtp_url.is_none().then(|| admit_without_server(job.item.owner.mode));
    if let Some(stored @ Admission::HandOver { .. }) = without_server {
        return Ok(stored);
    }
    let limits = app.settings.mail_limits();
    let (job, id, recipient) = (job.clone(), id.clone(), *recipient);
    app.store
        .write(move |tx| -> ApiResult<Admission> {
            let mut context = Context::new(Now::new(tx.wall_clock(local)?, offset), seed);
            let (owner, now) = (&job.item.owner, context.now());
            let Some(invite) = tx.invites().get(owner, &id)? else {
                tx.jobs().finish(&job)?;
                return Ok(Admission::Suppressed);
            };
            let day = mail_day(now.wall());
            let (tenant, mailbox) = (counted_tenant(owner), hex(recipient.hash.as_bytes()));
            let share = counted_mailbox_of_tenant(owner, &recipient.hash);
            let mut standing = MailStanding {
                mode: owner.mode,
                is_allowed: tx.mails().is_allowed(&owner.tenant, &recipient.allowed_as)?,
                is_suppressed: !recipient.is_mailbox || tx.mails().is_suppressed(&recipient.hash)?,
                is_counted: invite.progress.counted_mail == number,
                tenant_today: 0,
                recipient_today: 0,
                recipient_of_tenant_today: 0,
            };
            // Read, and thereby lock, the counts only for mails that depend on them.
            if standing.admit(limits) == (Admission::HandOver { counts: true }) {
                standing.tenant_today = tx.mails().count_of_day(day, &tenant)?;
                standing.recipient_today = tx.mails().count_of_day(day, &mailbox)?;
                standing.recipient_of_tenant_today = tx.mails().count_of_day(day, &share)?;
            }
            let admission = without_server.unwrap_or_else(|| standing.admit(limits));
            let is_held = match admission {
                Admission::HandOver { counts: true } => {
                    tx.mails().count(day, &tenant)?;
                    tx.mails().count(day, &mailbox)?;
                    tx.mails().count(day, &share)?;
                    true
                }
                Admission::HandOver { counts: false } | Admission::Keep => true,
                Admission::Suppressed | Admission::NoServer => tx.jobs().finish(&job)?,
                Admission::Wait => tx.jobs().postpone(&job, next_mail_day(now.wall()))?,
            };
            if is_held && let Some(input) = mail_admitted(admission, number) {
                tx.apply(&invite.note(input, &mut context), now)?;
            }
            Ok(admission)
        })
        .await
}

/// Deletes the stored mails of an invitation that was revoked or has expired.
pub(super) async fn forget(app: &App, job: &Leased<Job>, id: InviteId) -> ApiResult<()> {
    for mailer in [&app.ports.mailer, &app.ports.kept_mail] {
        mailer.forget(id.as_str()).await.map_err(Problem::unavailable)?;
    }
    finish(app, job).await
}

/// Expires an invitation. A separate job deletes its stored mails.
pub(super) async fn expire(app: &App, job: &Leased<Job>, id: InviteId) -> ApiResult<()> {
    settle(app, job, move |tx, job, context| {
        let Some(invite) = tx.invites().get(&job.owner, &id)? else { return Ok(Ending::nothing()) };
        Ok(Ending::from_result(invite.apply(InviteInput::Expire, context)))
    })
    .await
}

/// Ends a hosted link that lapsed, or deletes it at the end of its retention.
pub(super) async fn end_hosted_link(
    app: &App,
    job: &Leased<Job>,
    id: HostedLinkId,
    input: HostedLinkInput,
) -> ApiResult<()> {
    settle(app, job, move |tx, job, context| {
        let Some(link) = tx.hosted_links().get(&job.owner, &id)? else { return Ok(Ending::nothing()) };
        Ok(Ending::from_result(link.apply(input.clone(), context)))
    })
    .await
}

/// Returns the invitation and the hosted link that an account was started through.
pub(super) fn find_started_through(tx: &mut Tx<'_>, account: &Account) -> Result<LinkedThrough, StoreError> {
    let invite = match tx.invites().by_account(&account.id)? {
        Some(id) => tx.invites().get(&account.owner, &id)?,
        None => None,
    };
    let hosted_link = match tx.hosted_links().by_account(&account.id)? {
        Some(id) => tx.hosted_links().get(&account.owner, &id)?,
        None => None,
    };
    Ok(LinkedThrough { invite, hosted_link })
}
