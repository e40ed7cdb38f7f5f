//! The jobs of invitations: handing over the mail, removing what is kept of it, the end of their time.

use link_domain::brand::theme;
use link_domain::change::Change;
use link_domain::invite::{Invite, InviteInput, InviteRefused};
use link_domain::job::{Job, JobKind};
use link_domain::mail::{Mail, invitation};
use link_domain::ports::MailFault;
use link_store::Leased;
use link_types::id::InviteId;
use link_types::invite::{InviteMailError, InviteStatus};

use super::settle::{Ending, finish, settle};
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
    settle(app, job, move |tx, job, context| {
        let applied = tx.invite(&job.owner, &id)?.map(|invite| invite.apply(input, context));
        match applied {
            // It went while the mail was on its way: what was written since is not to stay.
            None | Some(Err(InviteRefused::Revoked)) => {
                let forget = Job::now(&job.owner, JobKind::ForgetMail { invite_id: id.clone() }, context);
                Ok(Ending::Done(Change { jobs: vec![forget], ..Change::default() }))
            }
            Some(applied) => Ok(Ending::of(applied)),
        }
    })
    .await
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
    settle(app, job, move |tx, job, context| {
        let Some(invite) = tx.invite(&job.owner, &id)? else { return Ok(Ending::nothing()) };
        Ok(Ending::of(invite.apply(InviteInput::Expire, context)))
    })
    .await
}
