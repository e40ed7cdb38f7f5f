//! Mails the codes with which visitors of link sites prove an email address.

use link_domain::change::job::Job;
use link_domain::change::{Change, Row};
use link_domain::invitations::visit::{Visit, VisitOrigin};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::mail::{
    CodeText, Footer, Letterhead, Mail, MailError, SuppressedBecause, code_mail, own_page_address,
    recipient_hash, unsubscribe_address, unsubscribe_token,
};
use link_domain::tenancy::brand::Brand;
use link_store::{Label, Leased, Tx, code_mail_name};
use link_types::id::LinkSiteSessionId;

use super::settle::{Ending, finish, settle};
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// A mail to send.
struct Composed {
    mail: Mail,
    /// Whether the mail is stored for the operator, although the service has a mail server.
    is_kept: bool,
    code: Digest32,
    recipient: Digest32,
}

/// Sends the mail of a visit's code. It was admitted and counted when it was requested. After a crash, sends the same mail
/// again.
pub(super) async fn send(app: &App, job: &Leased<Job>, visit_id: LinkSiteSessionId) -> ApiResult<()> {
    let Some(waiting) = find_waiting(app, job, &visit_id).await? else { return finish(app, job).await };
    let Some(Composed { mail, is_kept, code, recipient }) = compose(app, job, &visit_id).await? else {
        return settle(app, job, move |tx, job, _| settle_mail(tx, &job.owner, &visit_id, &waiting)).await;
    };
    let mailer = if is_kept { &app.ports.kept_mail } else { &app.ports.mailer };
    let sent = mailer.send(&mail).await;
    if sent == Err(MailError::Unavailable) {
        // The job runs again until the code expires.
        return Err(Problem::unavailable("no mail server accepted the mail"));
    }
    let (bounced, at) = (sent == Err(MailError::NoMailbox), app.wall());
    settle(app, job, move |tx, job, _| {
        if bounced {
            tx.mails().suppress(&recipient, SuppressedBecause::Bounced, at)?;
        }
        settle_mail(tx, &job.owner, &visit_id, &code)
    })
    .await
}

/// Returns the hash of the code whose mail waits.
async fn find_waiting(
    app: &App,
    job: &Leased<Job>,
    visit_id: &LinkSiteSessionId,
) -> ApiResult<Option<Digest32>> {
    let (owner, visit_id) = (job.item.owner.clone(), visit_id.clone());
    let visit = app.store.read(move |reader| reader.visits().get(&owner, &visit_id)).await?;
    let sent = visit.as_ref().and_then(|it| it.proof.sent_code());
    Ok(sent.filter(|it| it.mail.is_some()).map(|it| it.code_hash))
}

/// Forgets the mail of a code, which was sent or will not be.
fn settle_mail(
    tx: &mut Tx<'_>,
    owner: &Owner,
    visit_id: &LinkSiteSessionId,
    code: &Digest32,
) -> ApiResult<Ending> {
    let visit = tx.visits().lock(owner, visit_id)?;
    Ok(visit.map_or_else(Ending::nothing, |visit| {
        let proof = visit.proof.clone().mail_settled(code);
        Ending::Done(Change::row(Row::Visit(Visit { proof, ..visit })))
    }))
}

/// Writes the mail. Returns `None` if it is not needed any more.
async fn compose(app: &App, job: &Leased<Job>, visit_id: &LinkSiteSessionId) -> ApiResult<Option<Composed>> {
    let (owner, visit_id, now) = (job.item.owner.clone(), visit_id.clone(), app.wall());
    let settings = &app.settings;
    let (hosted_url, sdk_url) = (settings.hosted_url.clone(), settings.sdk_url.clone());
    let abuse = settings.mail_abuse.clone();
    app.store
        .read(move |reader| -> ApiResult<_> {
            let Some(visit) = reader.visits().get(&owner, &visit_id)? else { return Ok(None) };
            let Some(sent) = visit.proof.sent_code().filter(|it| it.works(now)) else { return Ok(None) };
            let (Some(waiting), VisitOrigin::LinkSite(site)) = (&sent.mail, &visit.origin) else {
                return Ok(None);
            };
            let Some(site) = reader.link_sites().get(&owner, site)? else { return Ok(None) };
            let Some(template) = reader.link_templates().get(&owner, &site.site.link_template_id)? else {
                return Ok(None);
            };
            let template = template.template;
            let brand = Brand::from_theme(&template.theme, &reader.logos().sizes(&template)?);
            let key = reader.derive_key(Label::Lookup);
            let recipient = recipient_hash(&key, sent.address.expose());
            let footer = Footer {
                own_page: own_page_address(&hosted_url),
                unsubscribe: Some(unsubscribe_address(&hosted_url, &unsubscribe_token(&key, &recipient))),
                abuse,
            };
            let content = CodeText {
                address: &sent.address,
                code: &waiting.code,
                locale: &sent.locale,
                company: &template.company_name,
            };
            let letterhead = Letterhead { brand, hosted_url, sdk_url };
            let mail = code_mail(code_mail_name(sent), &content, &letterhead, &footer);
            Ok(Some(Composed { mail, is_kept: waiting.is_kept, code: sent.code_hash, recipient }))
        })
        .await
}
