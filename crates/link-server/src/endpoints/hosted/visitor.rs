//! Who looks at a hosted page: a browser with a link's code, or with the cookie of a visit.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use link_domain::digest::Digest32;
use link_domain::invite::{Invite, Variables, Visit};
use link_domain::owner::Owner;
use link_domain::template::LinkTemplate;
use link_store::{Reader, StoreError, Tx};
use link_types::Sensitive;
use link_types::id::UserId;
use link_types::invite_template::InviteTemplate;

use super::page::Look;
use crate::app::App;
use crate::http::client::Network;
use crate::http::problem::Answer;
use crate::http::rate_limit::Traffic;

/// The visit's cookie where the pages are reached over https: with this prefix, browsers take it from this very host alone,
/// and no other host of the domain can set it.
const HOST_COOKIE: &str = "__Host-linchpin_visit";
/// The same where they are reached over plain http, on a developer's machine: browsers refuse the prefix there.
const PLAIN_COOKIE: &str = "linchpin_visit";

/// An invitation with the texts and the widget it leads to.
pub(super) struct Invited {
    /// The invitation; it is not revoked.
    pub(super) invite: Invite,
    /// Its texts.
    pub(super) template: InviteTemplate,
    /// Its widget; null once the tenant deleted the link template.
    pub(super) link_template: Option<LinkTemplate>,
}

impl Invited {
    /// The one that a link's code names. Whoever sends codes of none is counted by their network.
    pub(super) async fn by_code(app: &App, code: &str, network: Network) -> Answer<Option<Self>> {
        let hash = Digest32::of(code);
        let found = app
            .store()
            .read(move |reader| -> Answer<_> {
                let Some((owner, id)) = reader.invite_of_code(&hash)? else { return Ok(None) };
                let Some(invite) = reader.invite(&owner, &id)? else { return Ok(None) };
                Self::read(reader, invite)
            })
            .await?;
        match &found {
            Some(found) => count(app, &found.invite.owner, found.invite.id.as_str())?,
            None => network.count(app)?,
        }
        Ok(found)
    }

    /// The invitation that a link's code names, locked; it may be revoked.
    pub(super) fn locked(tx: &mut Tx<'_>, code: &Digest32) -> Result<Option<Invite>, StoreError> {
        let Some((owner, id)) = tx.invite_of_code(code)? else { return Ok(None) };
        tx.invite(&owner, &id)
    }

    fn read(reader: &mut Reader<'_>, invite: Invite) -> Answer<Option<Self>> {
        if invite.details.is_none() {
            return Ok(None);
        }
        let template = reader.kept_invite_template(&invite.owner, &invite.invite_template_id)?;
        let link_template = reader.link_template(&invite.owner, &invite.link_template_id)?;
        Ok(template.map(|it| Self { invite, template: it.template, link_template }))
    }

    /// A text of the template with its variables filled in.
    pub(super) fn fill(&self, text: &str) -> String {
        let full_name = self.invite.details.as_ref().map_or("", |it| it.full_name.expose());
        Variables { company_name: &self.template.company.name, full_name }.fill(text)
    }

    /// Whose page it is.
    pub(super) fn look(&self, app: &App) -> Look {
        Look::of(app, &self.template, self.link_template.as_ref())
    }
}

/// A visit under way.
pub(super) struct Visitor {
    /// The visit.
    pub(super) visit: Visit,
    /// Its invitation.
    pub(super) invited: Invited,
}

impl Visitor {
    /// As [`Visitor::find`]. Whoever sends cookies of none is counted by their network.
    pub(super) async fn of(app: &App, headers: &HeaderMap, network: Network) -> Answer<Option<Self>> {
        let found = Self::find(app, headers).await?;
        if found.is_none() && secret_hash(app, headers).is_some() {
            network.count(app)?;
        }
        Ok(found)
    }

    /// The visit whose cookie the browser sent, while it lasts and its invitation stands.
    pub(super) async fn find(app: &App, headers: &HeaderMap) -> Answer<Option<Self>> {
        let Some(hash) = secret_hash(app, headers) else { return Ok(None) };
        let now = app.wall();
        let found = app
            .store()
            .read(move |reader| -> Answer<_> {
                let Some(visit) = reader.visit(&hash)?.filter(|it| it.lasts(now)) else { return Ok(None) };
                let Some(invite) = reader.invite(&visit.owner, &visit.invite_id)? else { return Ok(None) };
                Ok(Invited::read(reader, invite)?.map(|invited| Self { visit, invited }))
            })
            .await?;
        if let Some(found) = &found {
            count(app, &found.visit.owner, found.visit.id.as_str())?;
        }
        Ok(found)
    }

    /// Whether all of it still stands, locked: the user was not erased meanwhile, the invitation not revoked.
    pub(super) fn stands(tx: &mut Tx<'_>, visit: &Visit, user_id: &UserId) -> Answer<bool> {
        Ok(tx.user(&visit.owner, user_id)?.is_some()
            && tx.invite(&visit.owner, &visit.invite_id)?.is_some_and(|it| it.details.is_some())
            && tx.visit(&visit.secret_hash)?.is_some())
    }
}

/// Counts a request for an invitation, or for a visit, by its name.
///
/// # Errors
/// 429 over the limit that callers of the API have, or that of the tenant's end users.
pub(super) fn count(app: &App, owner: &Owner, name: &str) -> Answer<()> {
    app.limits().count_of(owner, Traffic::People, name).map(drop)
}

fn is_https(app: &App) -> bool {
    app.settings().hosted_url.starts_with("https://")
}

fn cookie_name(app: &App) -> &'static str {
    if is_https(app) { HOST_COOKIE } else { PLAIN_COOKIE }
}

fn secret_hash(app: &App, headers: &HeaderMap) -> Option<Digest32> {
    let wanted = cookie_name(app);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).map(|(_, secret)| Digest32::of(secret))
}

/// The cookie of a visit: for these pages alone, and no script reads it. Whoever presses the mail's link once more comes
/// from another site and is to find their visit, so a link carries it; a form of another site does not.
pub(super) fn cookie(app: &App, secret: &Sensitive) -> Option<HeaderValue> {
    let name = cookie_name(app);
    let secure = if is_https(app) { "; Secure" } else { "" };
    let life = link_domain::invite::VISIT_LIFE.as_secs();
    let text = format!("{name}={}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}", secret.expose());
    HeaderValue::from_str(&text).ok()
}

/// What is answered without a visit.
pub(super) fn over(app: &App) -> Response {
    Look::plain(app).say(
        StatusCode::FORBIDDEN,
        "This visit is over",
        "Open the link in your invitation once more. If it was used already, the page offers to send you another.",
    )
}

/// What is answered for a link that leads nowhere.
pub(super) fn nowhere(app: &App) -> Response {
    Look::plain(app).say(
        StatusCode::NOT_FOUND,
        "This link is not valid",
        "It may have been replaced by a newer one, or the invitation was taken back. Look for the latest mail of the \
         company that invited you.",
    )
}
