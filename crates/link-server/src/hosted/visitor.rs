//! The visitor of a hosted page: a browser with a link's code or with the cookie of a visit.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use link_domain::invitations::form_submission::{FormSubmission, site_of};
use link_domain::invitations::link_site::{LinkSite, VisitProgress, steps_of_template};
use link_domain::invitations::visit::{VISIT_LIFE, Visit, VisitOrigin};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::languages::Languages;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::{Account, Link};
use link_domain::notifications::service_text::ServiceText;
use link_store::{AccountFilter, ArchiveFilter, PageRequest, PageSize, Reader, Tx};
use link_types::Sensitive;
use link_types::account::ConnectionStatus;
use link_types::form_submission::LinkSiteForm;
use link_types::hosted_link::HostedLinkStatus;
use link_types::id::{LinkSiteId, LinkSiteSessionId};
use link_types::link_site::LinkSiteStep;

use super::embedding::{Embedding, SECRET_HEADER};
use super::invited::Invited;
use super::link_pages::LinkPages;
use super::link_sites::SitePages;
use super::page::Look;
use crate::app::App;
use crate::http::extract::caller::languages_of;
use crate::http::extract::standing::check_here;
use crate::http::extract::standing::check_tenant;
use crate::http::limits::network::Network;
use crate::http::limits::rate_limit::Traffic;
use crate::http::middleware::site_host::{own_host, serves_sites_of};
use crate::http::problem::{ApiResult, Problem};

/// The name of the visit's cookie if the pages use https.
///
/// With this prefix, browsers accept the cookie only from this exact host, so that other hosts of the domain cannot set
/// it.
const HOST_COOKIE: &str = "__Host-linchpin_visit";
/// The name of the cookie over plain http, on a developer's machine. Browsers reject the prefix there.
const PLAIN_COOKIE: &str = "linchpin_visit";

/// How many accounts are searched for a login that is under way.
const MAX_ACCOUNTS: i64 = 10;

/// The beginning of a visit.
pub(super) enum Host {
    /// An invitation.
    Invite(Box<Invited>),
    /// A link site.
    Site(Box<SitePages>),
    /// A hosted link.
    Link(Box<LinkPages>),
}

/// A visit with its invitation, link site or hosted link.
pub(super) struct Visitor {
    /// The visit.
    pub(super) visit: Visit,
    /// The beginning of the visit.
    pub(super) host: Host,
    /// The form of the visit: a version of the link site's, or that of the link template.
    pub(super) form: Option<LinkSiteForm>,
}

impl Visitor {
    /// Finds the visitor like [`Visitor::find`], but counts unknown cookies against the limit of the caller's network.
    pub(super) async fn find_limited(
        app: &App,
        headers: &HeaderMap,
        network: Network,
    ) -> ApiResult<Option<Self>> {
        let found = Self::find(app, headers).await?;
        if found.is_none() && secret_hash(app, headers).is_some() {
            network.count(app)?;
        }
        Ok(found)
    }

    /// Finds the visitor like [`Visitor::find_limited`]. In a frame, the visit must have begun at the site of the address.
    pub(super) async fn find_for(
        app: &App,
        headers: &HeaderMap,
        network: Network,
        browser: &Browser,
    ) -> ApiResult<Option<Self>> {
        let found = Self::find_limited(app, headers, network).await?;
        let Some(embedding) = &browser.embedding else { return Ok(found) };
        let secret = headers.get(SECRET_HEADER).and_then(|it| it.to_str().ok());
        let Some((mut visitor, secret)) = found.zip(secret) else { return Ok(None) };
        let id = visitor.visit.id.clone();
        let Host::Site(pages) = &mut visitor.host else { return Ok(None) };
        if embedding.path() != format!("/s/{}/embed", pages.site.site.slug) {
            return Ok(None);
        }
        pages.embedding = Some(embedding.clone().with_visit(secret, id));
        Ok(Some(visitor))
    }

    /// Finds the visit by the browser's cookie. `None` if it has expired, its invitation was revoked, or its link site was
    /// deleted.
    pub(super) async fn find(app: &App, headers: &HeaderMap) -> ApiResult<Option<Self>> {
        let Some(hash) = secret_hash(app, headers) else { return Ok(None) };
        let (now, browser) = (app.wall(), languages_of(headers));
        let found = app
            .store
            .read(move |reader| -> ApiResult<_> {
                let Some(visit) = reader.visits().by_secret(&hash)?.filter(|it| it.lasts(now)) else {
                    return Ok(None);
                };
                Self::read(reader, visit, browser)
            })
            .await?;
        let Some(found) = found else { return Ok(None) };
        if !found.is_served_at(app, own_host(headers)).await? {
            return Ok(None);
        }
        count(app, &found.visit.owner, found.visit.id.as_str())?;
        Ok(Some(found))
    }

    fn read(reader: &mut Reader<'_>, visit: Visit, browser: Languages) -> ApiResult<Option<Self>> {
        check_tenant(reader, &visit.owner)?;
        let host = match &visit.origin {
            VisitOrigin::Invite(id) => {
                let Some(invite) = reader.invites().get(&visit.owner, id)? else { return Ok(None) };
                let Some(invited) = Invited::read(reader, invite, browser)? else { return Ok(None) };
                Host::Invite(Box::new(invited))
            }
            VisitOrigin::LinkSite(id) => {
                let Some(site) = reader.link_sites().get(&visit.owner, id)? else { return Ok(None) };
                let Some(pages) = SitePages::read(reader, site, browser)? else { return Ok(None) };
                Host::Site(Box::new(pages))
            }
            VisitOrigin::HostedLink(id) => {
                let Some(link) = reader.hosted_links().get(&visit.owner, id)? else { return Ok(None) };
                let Some(pages) = LinkPages::read(reader, link, browser)? else { return Ok(None) };
                Host::Link(Box::new(pages))
            }
        };
        let mut visitor = Self { visit, host, form: None };
        visitor.form = match visitor.site() {
            Some(site) => match visitor.visit.form_version {
                Some(version) => reader.link_sites().version(&visitor.visit.owner, site.id(), version)?,
                None => None,
            },
            // A hosted link has no form, so that an app's person is at the widget at once.
            None if matches!(visitor.host, Host::Link(_)) => None,
            None => visitor.link_template().and_then(|it| it.form.clone()),
        };
        Ok(Some(visitor))
    }

    /// Returns whether a host serves the visit's pages. An own host serves those of its owner's link sites only.
    async fn is_served_at(&self, app: &App, own_host: Option<&str>) -> ApiResult<bool> {
        match &self.host {
            Host::Site(_) => serves_sites_of(app, own_host, &self.visit.owner).await,
            Host::Invite(_) | Host::Link(_) => Ok(own_host.is_none()),
        }
    }

    /// Returns the link site. `None` if the visit has the steps of a link template.
    pub(super) fn site(&self) -> Option<&LinkSite> {
        match &self.host {
            Host::Invite(invited) => invited.site.as_ref(),
            Host::Site(pages) => Some(&pages.site),
            Host::Link(_) => None,
        }
    }

    /// Returns the link template. `None` if the tenant deleted it.
    pub(super) fn link_template(&self) -> Option<&link_types::template::LinkTemplate> {
        match &self.host {
            Host::Invite(invited) => invited.link_template.as_ref().map(|it| &it.template),
            Host::Site(pages) => Some(&pages.link_template),
            Host::Link(pages) => Some(&pages.link_template),
        }
    }

    /// Returns the id under which REST lists the form's answers.
    pub(super) fn site_id(&self) -> Option<LinkSiteId> {
        let of_template = || self.link_template().map(|it| site_of(&it.id));
        self.site().map(|it| it.id().clone()).or_else(of_template)
    }

    /// Returns the steps of the visit. A form that the site got after the visit began is not among them.
    pub(super) fn steps(&self) -> Vec<LinkSiteStep> {
        let steps = match self.site() {
            Some(site) => &site.site.steps,
            None => steps_of_template(self.form.as_ref()),
        };
        let has_form = self.form.is_some();
        steps.iter().copied().filter(|it| has_form || *it != LinkSiteStep::Form).collect()
    }

    /// Returns the languages of the person, best first.
    pub(super) fn languages(&self) -> &Languages {
        match &self.host {
            Host::Invite(invited) => &invited.languages,
            Host::Site(pages) => &pages.languages,
            Host::Link(pages) => &pages.languages,
        }
    }

    /// Returns the branding of the visit's pages.
    pub(super) fn look(&self, app: &App) -> Look {
        match &self.host {
            Host::Invite(invited) => invited.look(app),
            Host::Site(pages) => pages.look(app),
            Host::Link(pages) => Look::for_link(app, pages),
        }
    }

    /// Reads what the person has done in the visit, and the answers to its form.
    pub(super) async fn progress(&self, app: &App) -> ApiResult<(VisitProgress, Option<FormSubmission>)> {
        let (owner, id) = (self.visit.owner.clone(), self.visit.id.clone());
        let (invite, is_completed) = match &self.host {
            Host::Invite(invited) => (Some(invited.invite.progress.clone()), false),
            Host::Site(_) => (None, false),
            Host::Link(pages) => (None, pages.link.status == HostedLinkStatus::Completed),
        };
        app.store
            .read(move |reader| -> ApiResult<_> {
                let form = reader.forms().of_visit(&owner, &id)?;
                let (is_linked, is_uploaded) = match invite {
                    Some(progress) => (progress.linked_at.is_some(), progress.uploaded_at.is_some()),
                    None => has_made(reader, &owner, &id)?,
                };
                // A person may have signed in again to an account that was made elsewhere.
                let is_linked = is_linked || (is_completed && !is_uploaded);
                let is_submitted = form.as_ref().is_some_and(FormSubmission::is_submitted);
                Ok((VisitProgress { is_submitted, is_linked, is_uploaded }, form))
            })
            .await
    }

    /// Returns whether one of the person's newest accounts has a login that waits for them or is being checked.
    pub(super) async fn has_login_under_way(&self, app: &App) -> ApiResult<bool> {
        let (owner, user) = (self.visit.owner.clone(), self.visit.user_id.clone());
        app.store
            .read(move |reader| -> ApiResult<_> {
                let accounts = AccountFilter { user: Some(&user), ..AccountFilter::default() };
                let newest = PageRequest::first(PageSize::new(MAX_ACCOUNTS)?);
                let accounts = reader.accounts().list(&owner, accounts, &newest)?.items;
                Ok(accounts.iter().filter_map(Account::link).any(Link::is_under_way))
            })
            .await
    }

    /// Locks the visit, and returns true if it, its user and its invitation still exist.
    ///
    /// A revoked invitation counts as missing.
    ///
    /// # Errors
    /// 403 if the tenant is being moved to another cell: its form may have begun an hour ago.
    pub(super) fn still_exists(tx: &mut Tx<'_>, visit: &Visit) -> ApiResult<bool> {
        check_here(tx, &visit.owner.tenant)?;
        let is_invited = match visit.invite_id() {
            Some(id) => tx.invites().get(&visit.owner, id)?.is_some_and(|it| it.details.is_some()),
            None => true,
        };
        Ok(is_invited
            && tx.users().get(&visit.owner, &visit.user_id)?.is_some()
            && tx.visits().by_secret(&visit.secret_hash)?.is_some())
    }
}

/// Returns whether an account was linked, and whether documents were uploaded.
fn has_made(reader: &mut Reader<'_>, owner: &Owner, visit: &LinkSiteSessionId) -> ApiResult<(bool, bool)> {
    let first = PageRequest::first(PageSize::new(1)?);
    let connection = Some(ConnectionStatus::Connected);
    let accounts = AccountFilter { visit: Some(visit), connection, ..AccountFilter::default() };
    let archives = ArchiveFilter { visit: Some(visit), ..ArchiveFilter::default() };
    let is_linked = !reader.accounts().list(owner, accounts, &first)?.items.is_empty();
    Ok((is_linked, !reader.archives().list(owner, archives, &first)?.items.is_empty()))
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

/// Returns the hash of the visit's secret: that of a page in a frame, or that of the browser's cookie.
fn secret_hash(app: &App, headers: &HeaderMap) -> Option<Digest32> {
    let of_frame = headers.get(SECRET_HEADER).and_then(|it| it.to_str().ok());
    of_frame.or_else(|| cookie_value(headers, cookie_name(app))).map(Digest32::from_text)
}

/// Returns the value of a cookie.
pub(super) fn cookie_value<'a>(headers: &'a HeaderMap, expected: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(name, _)| *name == expected).map(|(_, value)| value)
}

/// Returns the response that begins a visit: its cookie, and the way to its page.
///
/// # Errors
/// 500 if the cookie is not a valid header.
pub(super) fn begin_visit(app: &App, secret: &Sensitive) -> ApiResult<Response> {
    let cookie =
        cookie(app, secret).ok_or_else(|| Problem::system("A visit's cookie is not a valid header"))?;
    let mut response = Redirect::to("/visit").into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Returns the cookie of a visit. It is limited to this host, and scripts cannot read it.
///
/// `SameSite=Lax` sends the cookie if a person opens the mail's link again in a webmail program, which is another site.
/// It does not send the cookie with the forms of other sites.
fn cookie(app: &App, secret: &Sensitive) -> Option<HeaderValue> {
    let name = cookie_name(app);
    let secure = if is_https(app) { "; Secure" } else { "" };
    let life = VISIT_LIFE.as_secs();
    let text = format!("{name}={}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}", secret.expose());
    HeaderValue::from_str(&text).ok()
}

/// Returns the page for a browser without a visit. In a frame, it leads to the first page.
pub(super) fn over(app: &App, browser: &Browser) -> Response {
    let look = Look::plain(app, browser);
    let text = look.text(ServiceText::PageVisitOverText);
    let again = browser.embedding.as_ref().map(Embedding::address);
    look.stop(StatusCode::FORBIDDEN, ServiceText::PageVisitOverTitle, text, again.as_deref())
}

/// Returns the page for an unknown link.
pub(super) fn nowhere(app: &App, browser: &Browser) -> Response {
    Look::plain(app, browser).say(
        StatusCode::NOT_FOUND,
        ServiceText::PageLinkUnknownTitle,
        ServiceText::PageLinkUnknownText,
    )
}

/// How a browser shows the page that it asks for.
#[derive(Clone, Debug)]
pub(super) struct Browser {
    /// The languages that it accepts, best first.
    pub(super) languages: Languages,
    /// The frame that the page is in, if it can be in one.
    pub(super) embedding: Option<Embedding>,
    /// The own host of link sites that the page is on. `None` on a host of the service.
    pub(super) own_host: Option<String>,
}

impl Browser {
    /// Reads the headers of a request for a page that is in no frame.
    pub(super) fn from_headers(headers: &HeaderMap) -> Self {
        let own_host = own_host(headers).map(str::to_owned);
        Self { languages: languages_of(headers), embedding: None, own_host }
    }

    /// Reads the headers of a request, and finds the frame that was added to its extensions.
    pub(super) fn of_request(headers: &HeaderMap, extensions: &Extensions) -> Self {
        Self { embedding: extensions.get().cloned(), ..Self::from_headers(headers) }
    }
}

impl<S: Sync> FromRequestParts<S> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of_request(&parts.headers, &parts.extensions))
    }
}
