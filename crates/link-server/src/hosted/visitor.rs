//! The visitor of a hosted page: a browser with a link's code or with the cookie of a visit.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use link_domain::invitations::invite::{Invite, InviteTexts, Variables, Visit, texts_for};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::languages::Languages;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::service_text::ServiceText;
use link_domain::tenancy::logo::LogoSize;
use link_domain::tenancy::template::LinkTemplate;
use link_store::{Reader, StoreError, Tx};
use link_types::Sensitive;
use link_types::id::UserId;
use link_types::invite_template::InviteTemplate;

use super::page::{Look, Passage};
use crate::app::App;
use crate::http::extract::caller::languages_of;
use crate::http::limits::network::Network;
use crate::http::limits::rate_limit::Traffic;
use crate::http::problem::ApiResult;

/// The name of the visit's cookie if the pages use https.
///
/// With this prefix, browsers accept the cookie only from this exact host, so that other hosts of the domain cannot set
/// it.
const HOST_COOKIE: &str = "__Host-linchpin_visit";
/// The name of the cookie over plain http, on a developer's machine. Browsers reject the prefix there.
const PLAIN_COOKIE: &str = "linchpin_visit";

/// An invitation with its templates.
pub(super) struct Invited {
    /// The invitation, which is not revoked.
    pub(super) invite: Invite,
    /// The invite template with the texts.
    pub(super) template: InviteTemplate,
    /// The link template. `None` if the tenant deleted it.
    pub(super) link_template: Option<LinkTemplate>,
    /// The sizes of the link template's logos.
    pub(super) logos: Vec<LogoSize>,
    /// The languages of the person, best first.
    pub(super) languages: Languages,
}

impl Invited {
    /// Finds the invitation by its link's code. Counts unknown codes against the limit of the caller's network.
    pub(super) async fn by_code(
        app: &App,
        code: &str,
        network: Network,
        browser: &Browser,
    ) -> ApiResult<Option<Self>> {
        let (hash, Browser(browser)) = (Digest32::from_text(code), browser.clone());
        let found = app
            .store
            .read(move |reader| -> ApiResult<_> {
                let Some((owner, id)) = reader.invites().by_code(&hash)? else { return Ok(None) };
                let Some(invite) = reader.invites().get(&owner, &id)? else { return Ok(None) };
                Self::read(reader, invite, browser)
            })
            .await?;
        match &found {
            Some(found) => count(app, &found.invite.owner, found.invite.id.as_str())?,
            None => network.count(app)?,
        }
        Ok(found)
    }

    /// Finds and locks the invitation by its link's code. It may be revoked.
    pub(super) fn locked(tx: &mut Tx<'_>, code: &Digest32) -> Result<Option<Invite>, StoreError> {
        let Some((owner, id)) = tx.invites().by_code(code)? else { return Ok(None) };
        tx.invites().get(&owner, &id)
    }

    fn read(reader: &mut Reader<'_>, invite: Invite, browser: Languages) -> ApiResult<Option<Self>> {
        if invite.details.is_none() {
            return Ok(None);
        }
        let template = reader.invite_templates().get_kept(&invite.owner, &invite.invite_template_id)?;
        let link_template = reader.link_templates().get(&invite.owner, &invite.link_template_id)?;
        let logos = match &link_template {
            Some(found) => reader.logos().sizes(&found.template)?,
            None => Vec::new(),
        };
        let languages = invite.languages(browser);
        Ok(template.map(|it| Self { invite, template: it.template, link_template, logos, languages }))
    }

    /// Returns the tenant's texts in the best language for the person.
    pub(super) fn texts(&self) -> InviteTexts<'_> {
        texts_for(&self.template, &self.languages)
    }

    /// Returns one of the tenant's texts for a page, with its variables filled in.
    pub(super) fn passage(
        &self,
        look: &Look,
        pick: impl for<'a> FnOnce(InviteTexts<'a>) -> &'a str,
    ) -> Passage {
        let texts = self.texts();
        let full_name = self.invite.details.as_ref().map_or("", |it| it.full_name.expose());
        let variables =
            Variables { company_name: &self.template.company.name, full_name, locale: texts.locale };
        Passage::of_tenant(variables.fill(pick(texts)), texts.locale, look.locale())
    }

    /// Returns the branding of the invitation's pages.
    pub(super) fn look(&self, app: &App) -> Look {
        Look::of(app, self)
    }
}

/// A visit with its invitation.
pub(super) struct Visitor {
    /// The visit.
    pub(super) visit: Visit,
    /// The invitation.
    pub(super) invited: Invited,
}

impl Visitor {
    /// Finds the visitor like [`Visitor::find`], but counts unknown cookies against the limit of the caller's network.
    pub(super) async fn of(app: &App, headers: &HeaderMap, network: Network) -> ApiResult<Option<Self>> {
        let found = Self::find(app, headers).await?;
        if found.is_none() && secret_hash(app, headers).is_some() {
            network.count(app)?;
        }
        Ok(found)
    }

    /// Finds the visit by the browser's cookie. `None` if it has expired or its invitation was revoked.
    pub(super) async fn find(app: &App, headers: &HeaderMap) -> ApiResult<Option<Self>> {
        let Some(hash) = secret_hash(app, headers) else { return Ok(None) };
        let (now, Browser(browser)) = (app.wall(), Browser::of(headers));
        let found = app
            .store
            .read(move |reader| -> ApiResult<_> {
                let Some(visit) = reader.visits().by_secret(&hash)?.filter(|it| it.lasts(now)) else {
                    return Ok(None);
                };
                let Some(invite) = reader.invites().get(&visit.owner, &visit.invite_id)? else {
                    return Ok(None);
                };
                Ok(Invited::read(reader, invite, browser)?.map(|invited| Self { visit, invited }))
            })
            .await?;
        if let Some(found) = &found {
            count(app, &found.visit.owner, found.visit.id.as_str())?;
        }
        Ok(found)
    }

    /// Locks the visit, and returns true if it, its user and its invitation still exist.
    ///
    /// A revoked invitation counts as missing.
    pub(super) fn still_exists(tx: &mut Tx<'_>, visit: &Visit, user_id: &UserId) -> ApiResult<bool> {
        Ok(tx.users().get(&visit.owner, user_id)?.is_some()
            && tx.invites().get(&visit.owner, &visit.invite_id)?.is_some_and(|it| it.details.is_some())
            && tx.visits().by_secret(&visit.secret_hash)?.is_some())
    }
}

/// Counts a request against the limit of an invitation or a visit.
///
/// # Errors
/// 429 if the limit of one caller, or of the tenant's end users, is exceeded.
pub(super) fn count(app: &App, owner: &Owner, name: &str) -> ApiResult<()> {
    app.limits.rates.count_of(owner, Traffic::People, name).map(drop)
}

/// Returns true if the pages use https.
pub(super) fn is_https(app: &App) -> bool {
    app.settings.hosted_url.starts_with("https://")
}

fn cookie_name(app: &App) -> &'static str {
    if is_https(app) { HOST_COOKIE } else { PLAIN_COOKIE }
}

fn secret_hash(app: &App, headers: &HeaderMap) -> Option<Digest32> {
    cookie_value(headers, cookie_name(app)).map(Digest32::from_text)
}

/// Returns the value of a cookie.
pub(super) fn cookie_value<'a>(headers: &'a HeaderMap, expected: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(name, _)| *name == expected).map(|(_, value)| value)
}

/// Returns the cookie of a visit. It is limited to this host, and scripts cannot read it.
///
/// `SameSite=Lax` sends the cookie if a person opens the mail's link again in a webmail program, which is another site.
/// It does not send the cookie with the forms of other sites.
pub(super) fn cookie(app: &App, secret: &Sensitive) -> Option<HeaderValue> {
    let name = cookie_name(app);
    let secure = if is_https(app) { "; Secure" } else { "" };
    let life = link_domain::invitations::invite::VISIT_LIFE.as_secs();
    let text = format!("{name}={}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}", secret.expose());
    HeaderValue::from_str(&text).ok()
}

/// Returns the page for a browser without a visit.
pub(super) fn over(app: &App, browser: &Browser) -> Response {
    Look::plain(app, browser).say(
        StatusCode::FORBIDDEN,
        ServiceText::PageVisitOverTitle,
        ServiceText::PageVisitOverText,
    )
}

/// Returns the page for an unknown link.
pub(super) fn nowhere(app: &App, browser: &Browser) -> Response {
    Look::plain(app, browser).say(
        StatusCode::NOT_FOUND,
        ServiceText::PageLinkUnknownTitle,
        ServiceText::PageLinkUnknownText,
    )
}

/// The languages that a browser accepts, best first.
#[derive(Clone, Debug)]
pub(super) struct Browser(pub(super) Languages);

impl Browser {
    /// Reads them from the headers of a request.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        Self(languages_of(headers))
    }
}

impl<S: Sync> FromRequestParts<S> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}
