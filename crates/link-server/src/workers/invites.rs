//! The jobs of invitations: handing over the mail, removing what is kept of it, the end of their time.

use link_domain::brand::theme;
use link_domain::clock::Now;
use link_domain::context::Context;
use link_domain::invite::{Invite, InviteInput, InviteRefused};
use link_domain::job::Job;
use link_domain::mail::{Mail, invitation};
use link_domain::ports::MailFault;
use link_store::Leased;
use link_types::id::InviteId;
use link_types::invite::{InviteMailError, InviteStatus};

use crate::app::App;
use crate::http::problem::{Answer, Problem};

/// How often a mail is tried; the waits between double from two seconds to five minutes, two hours in all.
const TRIES: u32 = 30;

/// Hands an invitation's mail over. A crash on the way leaves the job: the mail goes once more, under the same name.
pub(super) async fn send(app: &App, job: &Leased<Job>, id: InviteId, number: u32) -> Answer<()> {
    let Some(mail) = compose(app, job, &id, number).await? else { return finish(app, job).await };
    let input = match app.mailer().send(&mail).await {
        Ok(()) => InviteInput::MailHandedOver { mail: number },
        Err(MailFault::Refused) => InviteInput::MailFailed { mail: number, error: InviteMailError::Refused },
        Err(MailFault::Unavailable) if job.item.attempts < TRIES => {
            return Err(Problem::unavailable("no mail server took the mail"));
        }
        Err(MailFault::Unavailable) => {
            InviteInput::MailFailed { mail: number, error: InviteMailError::Unavailable }
        }
    };
    if !settle(app, job, id.clone(), input).await? {
        // It was revoked while the mail went: what was written since is not to stay.
        app.mailer().forget(id.as_str()).await.map_err(Problem::unavailable)?;
    }
    Ok(())
}

/// The mail; null when it is not owed any more.
async fn compose(app: &App, job: &Leased<Job>, id: &InviteId, number: u32) -> Answer<Option<Mail>> {
    let (owner, id, hosted_url) = (job.item.owner.clone(), id.clone(), app.settings().hosted_url.clone());
    app.store()
        .read(move |reader| -> Answer<_> {
            let invite = reader.invite(&owner, &id)?;
            let owed =
                |it: &Invite| it.progress.mails == number && it.progress.status != InviteStatus::Linked;
            let Some(invite) = invite.filter(owed) else { return Ok(None) };
            let Some(template) = reader.kept_invite_template(&owner, &invite.invite_template_id)? else {
                return Ok(None);
            };
            let link_template = reader.kept_link_template(&owner, &invite.link_template_id)?;
            let colours = theme(link_template.and_then(|it| it.template.theme.accent));
            Ok(invitation(&invite, &template, colours, &hosted_url))
        })
        .await
}

/// Removes what is kept of the mails of an invitation that was revoked or is over.
pub(super) async fn forget(app: &App, job: &Leased<Job>, id: InviteId) -> Answer<()> {
    app.mailer().forget(id.as_str()).await.map_err(Problem::unavailable)?;
    finish(app, job).await
}

/// Removes an invitation whose time is over; a job of its own removes what is kept of its mails.
pub(super) async fn expire(app: &App, job: &Leased<Job>, id: InviteId) -> Answer<()> {
    settle(app, job, id, InviteInput::Expire).await.map(drop)
}

async fn finish(app: &App, job: &Leased<Job>) -> Answer<()> {
    let job = job.clone();
    Ok(app.store().write(move |tx| tx.finish_job(&job).map(drop)).await?)
}

/// Applies what the job came to, and finishes it, in one unit; nothing happens when the lease was lost meanwhile. Says
/// whether the invitation stands.
async fn settle(app: &App, job: &Leased<Job>, id: InviteId, input: InviteInput) -> Answer<bool> {
    let (offset, local, seed) = (app.offset_of(&job.item.owner).await?, app.wall(), app.random_bytes());
    let job = job.clone();
    app.store()
        .write(move |tx| -> Answer<bool> {
            // The clock by which the job was claimed: by another it might not be due yet.
            let mut context = Context::new(Now::new(tx.wall_clock(local)?, offset), seed);
            let now = context.now();
            let found = tx.invite(&job.item.owner, &id)?;
            let decision = found.map(|invite| invite.apply(input, &mut context));
            if let Some(Err(InviteRefused::NotDue { due_at })) = decision {
                tx.postpone_job(&job, now.run_at(due_at))?;
                return Ok(true);
            }
            let stands = !matches!(decision, None | Some(Err(InviteRefused::Revoked)));
            // An input that does not apply any more changes nothing: the job's reason is gone.
            if tx.finish_job(&job)?
                && let Some(Ok((_, change))) = decision
            {
                tx.apply(&change, now)?;
            }
            Ok(stands)
        })
        .await
}
