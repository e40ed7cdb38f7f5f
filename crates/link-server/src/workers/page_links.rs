//! Mails the links that people ask for: to their own page, or to sign in to the developer portal. No tenant pays for these
//! mails.

use link_domain::change::job::Job;
use link_domain::console::mailed_link::{Membership, sign_in_link_address};
use link_domain::kernel::digest::{Digest32, hex};
use link_domain::kernel::owner::Owner;
use link_domain::notifications::mail::{
    Admission, AllowedRecipients, Footer, Letterhead, Mail, MailError, SignInLink, SuppressedBecause,
    counted_mailbox_of_tenant, mail_day, own_page_address, page_link_mail, recipient_hash, sign_in_mail,
    unsubscribe_address, unsubscribe_token,
};
use link_domain::notifications::page_link::{LinkMail, LinkPurpose, LinkStanding, PageLink};
use link_domain::tenancy::brand::Brand;
use link_store::{Label, Leased, Tx, page_mail_name};
use link_types::Mode;
use link_types::template::BrandTheme;

use super::settle::{Ending, settle};
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Sends the mail of an address's link if the address is known. After a crash, sends the same link again.
pub(super) async fn send(app: &App, job: &Leased<Job>, address: Digest32) -> ApiResult<()> {
    let Some(Admitted { admission, link, mail, memberships }) = admit(app, job, address).await? else {
        return Ok(());
    };
    let is_kept = admission == Admission::Keep;
    let mailer = if is_kept { &app.ports.kept_mail } else { &app.ports.mailer };
    let key = app.store.read(|reader| ApiResult::Ok(reader.derive_key(Label::Lookup))).await?;
    let mailbox = recipient_hash(&key, mail.address.expose());
    let sent =
        mailer.send(&compose(app, &link, &mail, &memberships, &unsubscribe_token(&key, &mailbox))).await;
    if sent == Err(MailError::Unavailable) {
        // The job runs again until the link expires.
        return Err(Problem::unavailable("no mail server accepted the mail"));
    }
    let (bounced, at) = (sent == Err(MailError::NoMailbox), app.wall());
    settle(app, job, move |tx, _, _| {
        if bounced {
            tx.mails().suppress(&mailbox, SuppressedBecause::Bounced, at)?;
        }
        // The person may have requested another link, or opened this one, in the meantime.
        let current = tx.page_links().get(&address)?;
        let current = current.filter(|it| it.code_hash == link.code_hash && it.is_admitted());
        Ok(current.map_or_else(Ending::nothing, |it| {
            Ending::Done(if sent.is_ok() { it.forget_mail() } else { it.not_sent() })
        }))
    })
    .await
}

/// A mail that may be sent.
struct Admitted {
    admission: Admission,
    link: PageLink,
    mail: LinkMail,
    /// The members whom a link of a sign-in offers. Empty for another link.
    memberships: Vec<Membership>,
}

/// Decides whether the mail is sent, and counts it. Returns `None`, and finishes the job, if it is not.
async fn admit(app: &App, job: &Leased<Job>, address: Digest32) -> ApiResult<Option<Admitted>> {
    let (job, local, limits) = (job.clone(), app.wall(), app.settings.mail_limits());
    let has_server = app.settings.smtp_url.is_some();
    let context = app.context(app.offset_of(&job.item.owner).await?);
    app.store
        .write(move |tx| -> ApiResult<_> {
            let now = tx.wall_clock(local)?;
            // Locks the tenants first, as a sign-in does.
            let memberships = find_memberships(tx, &address)?;
            let link = tx.page_links().get(&address)?.filter(|it| it.mail_lasts(now));
            let Some((link, mail)) = link.and_then(|it| Some((it.clone(), it.mail?))) else {
                tx.jobs().finish(&job)?;
                return Ok(None);
            };
            let day = mail_day(now);
            let recipient = recipient_hash(&tx.derive_key(Label::Lookup), mail.address.expose());
            let (mailbox, share) = count_names(&recipient);
            let standing = LinkStanding {
                environments: match link.purpose {
                    LinkPurpose::OwnPage => environments(tx, &address, &mail)?,
                    LinkPurpose::SignIn => memberships.iter().map(|_| (Mode::Production, false)).collect(),
                },
                has_server,
                is_suppressed: tx.mails().is_suppressed(&recipient)?,
                recipient_today: tx.mails().count_of_day(day, &mailbox)?,
                links_today: tx.mails().count_of_day(day, &share)?,
            };
            let at = context.now();
            let Some((admission, reach)) = standing.admit(link.is_admitted(), limits) else {
                tx.jobs().finish(&job)?;
                tx.apply(&link.refuse(), at)?;
                return Ok(None);
            };
            if (admission == Admission::HandOver { counts: true }) {
                tx.mails().count(day, &mailbox)?;
                tx.mails().count(day, &share)?;
            }
            let (link, change) = link.admit(reach);
            tx.apply(&change, at)?;
            Ok(Some(Admitted { admission, link, mail, memberships }))
        })
        .await
}

/// Returns the members with this address whom a link would sign in: their tenants are not suspended and do not require their own
/// provider. The addresses of other links are not members'.
fn find_memberships(tx: &mut Tx<'_>, address: &Digest32) -> ApiResult<Vec<Membership>> {
    let mut found = Vec::new();
    for member in tx.console_members().of_mailbox(address)? {
        let tenant = tx.tenants().get(&member.tenant)?.filter(|it| it.check_active().is_ok());
        let provider = tx.identity_providers().get(&member.tenant)?;
        if provider.is_some_and(|it| !it.admits_others(member.role)) {
            continue;
        }
        found.extend(tenant.map(|it| Membership { member, tenant_name: it.name }));
    }
    Ok(found)
}

/// Returns the names under which mails to the mailbox, and links to it, are counted.
fn count_names(recipient: &Digest32) -> (String, String) {
    (hex(recipient.as_bytes()), counted_mailbox_of_tenant(&Owner::service(), recipient))
}

/// Returns the environments that have data of the address, and whether the operator allowed each tenant to mail it.
fn environments(tx: &mut Tx<'_>, address: &Digest32, mail: &LinkMail) -> ApiResult<Vec<(Mode, bool)>> {
    let key = tx.derive_key(Label::Lookup);
    let hashes = AllowedRecipients::hashes_of(&key, mail.address.expose());
    let mut owners: Vec<Owner> =
        tx.given_data().of_address(address)?.into_iter().map(|(owner, _)| owner).collect();
    owners.dedup();
    let mut found = Vec::new();
    for owner in owners {
        found.push((owner.mode, tx.mails().is_allowed(&owner.tenant, &hashes)?));
    }
    Ok(found)
}

fn compose(
    app: &App,
    link: &PageLink,
    mail: &LinkMail,
    memberships: &[Membership],
    unsubscribe: &str,
) -> Mail {
    let hosted_url = app.settings.hosted_url.clone();
    let footer = Footer {
        own_page: own_page_address(&hosted_url),
        unsubscribe: (link.purpose == LinkPurpose::OwnPage)
            .then(|| unsubscribe_address(&hosted_url, unsubscribe)),
        abuse: app.settings.mail_abuse.clone(),
    };
    let brand = Brand::from_theme(&BrandTheme::default(), &[]);
    let letterhead = Letterhead { brand, hosted_url, sdk_url: app.settings.sdk_url.clone() };
    let name = page_mail_name(link);
    match link.purpose {
        LinkPurpose::OwnPage => page_link_mail(name, mail, &letterhead, &footer),
        LinkPurpose::SignIn => {
            let console_url = &app.settings.console_url;
            let links = memberships.iter().map(|it| SignInLink {
                tenant_name: it.tenant_name.clone(),
                address: sign_in_link_address(console_url, &mail.code, &it.member.id),
            });
            sign_in_mail(name, mail, &links.collect::<Vec<_>>(), &letterhead, &footer)
        }
    }
}
