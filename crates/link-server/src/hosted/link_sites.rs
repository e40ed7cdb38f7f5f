//! `/s/{slug}`: the first page of a link site, and the visit that it starts.
//!
//! A GET does not change anything, so that programs that follow links create no users. The page's button starts a visit.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::invitations::link_site::{LinkSite, SiteClosedError, next_step};
use link_domain::kernel::languages::Languages;
use link_domain::notifications::service_text::{Locale, ServiceText};
use link_domain::tenancy::logo::LogoSize;
use link_domain::use_cases::enter_link_site;
use link_store::Reader;
use link_types::Sensitive;
use link_types::link_site::LinkSiteStep;
use link_types::template::LinkTemplate;
use maud::html;

use super::embedding::Embedding;
use super::page::{Look, Page, Passage};
use super::visitor::{Browser, Visitor, begin_visit};
use crate::app::App;
use crate::http::extract::standing::check_tenant;
use crate::http::limits::network::Network;
use crate::http::limits::rate_limit::Traffic;
use crate::http::middleware::site_host::serves_sites_of;
use crate::http::problem::ApiResult;

/// A link site with its link template.
pub(super) struct SitePages {
    /// The link site.
    pub(super) site: LinkSite,
    /// The link template.
    pub(super) link_template: LinkTemplate,
    /// The sizes of the link template's logos.
    logos: Vec<LogoSize>,
    /// The languages of the person, best first.
    pub(super) languages: Languages,
    /// The frame that the pages are in, if they can be in one.
    pub(super) embedding: Option<Embedding>,
}

impl SitePages {
    /// Reads the link template. `None` if the tenant deleted it.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        site: LinkSite,
        languages: Languages,
    ) -> ApiResult<Option<Self>> {
        check_tenant(reader, &site.owner)?;
        let found = reader.link_templates().get(&site.owner, &site.site.link_template_id)?;
        let Some(link_template) = found.map(|it| it.template) else { return Ok(None) };
        let logos = reader.logos().sizes(&link_template)?;
        Ok(Some(Self { site, link_template, logos, languages, embedding: None }))
    }

    /// Finds a link site. Counts the request against the limit of the caller's network on this site, or for an unknown
    /// slug against that of the network.
    pub(super) async fn by_slug(
        app: &App,
        slug: String,
        network: Network,
        Browser { languages, embedding, own_host }: &Browser,
    ) -> ApiResult<Option<Self>> {
        if !is_slug(&slug) {
            network.count(app)?;
            return Ok(None);
        }
        let languages = languages.clone();
        let found = app
            .store
            .read(move |reader| -> ApiResult<_> {
                let Some(site) = reader.link_sites().by_slug(&slug)? else { return Ok(None) };
                Self::read(reader, site, languages)
            })
            .await?;
        let found = match found {
            Some(it) if serves_sites_of(app, own_host.as_deref(), &it.site.owner).await? => Some(it),
            Some(_) | None => None,
        };
        match &found {
            Some(found) => {
                let caller = (network.bytes(), found.site.id().as_str());
                app.limits.rates.count_of(&found.site.owner, Traffic::People, caller)?;
            }
            None => network.count(app)?,
        }
        Ok(found.map(|it| Self { embedding: embedding.clone(), ..it }))
    }

    /// Returns the branding of the site's pages.
    pub(super) fn look(&self, app: &App) -> Look {
        let locale = Locale::choose(&self.languages, Some(self.site.texts(&self.languages).locale()));
        Look::of_link_template(app, &self.link_template, &self.logos, locale)
            .into_embedded(self.embedding.as_ref())
    }

    /// Returns one of the tenant's texts for a page.
    pub(super) fn passage<'a>(&'a self, look: &Look, text: &'a str) -> Passage {
        let (text, locale) = self.site.texts(&self.languages).text(text);
        Passage::of_tenant(text.to_owned(), locale, look.locale())
    }
}

/// Returns whether a text can be a slug.
pub(super) fn is_slug(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
}

pub(super) async fn handler(
    State(app): State<App>,
    Path(slug): Path<String>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(pages) = SitePages::by_slug(&app, slug, network, &browser).await? else {
        return Ok(unknown_page(&app, &browser));
    };
    if let Some(visitor) = Visitor::find(&app, &headers).await?
        && visitor.site().is_some_and(|it| it.id() == pages.site.id())
    {
        let (progress, _) = visitor.progress(&app).await?;
        if next_step(&visitor.steps(), progress) != LinkSiteStep::ThankYou {
            return Ok(Redirect::to("/visit").into_response());
        }
    }
    first_page(&app, &pages).await
}

/// Returns the first page, or the page that says why the site cannot be opened.
pub(super) async fn first_page(app: &App, pages: &SitePages) -> ApiResult<Response> {
    let now = app.now(app.offset_of(&pages.site.owner).await?);
    let look = pages.look(app);
    if let Err(closed) = pages.site.check_open(now.tenant()) {
        return Ok(closed_page(&look, closed));
    }
    Ok(look.show(StatusCode::OK, &start_page(pages, &look)))
}

/// Renders the first page.
pub(super) fn start_page(pages: &SitePages, look: &Look) -> Page {
    let texts = &pages.site.site.start_page;
    let title = pages.passage(look, &texts.title);
    let card = html! {
        (title.heading())
        (pages.passage(look, &texts.text).paragraphs())
        // Without an `action`, the browser sends the form to this address with its query.
        form method="post" { button.primary type="submit" { (look.text(ServiceText::PageFormContinue)) } }
    };
    Page { kind: "start", title, widget: None, redirect: None, card }
}

pub(super) async fn enter(
    State(app): State<App>,
    Path(slug): Path<String>,
    network: Network,
    browser: Browser,
    address: Uri,
) -> ApiResult<Response> {
    match begin(&app, slug, network, &browser, &address).await? {
        Ok(secret) => begin_visit(&app, &secret),
        Err(page) => Ok(page),
    }
}

/// Starts a visit. The values of the address's query fill the fields that the site allows. Returns the visit's secret, or
/// the page that explains why none begins.
pub(super) async fn begin(
    app: &App,
    slug: String,
    network: Network,
    browser: &Browser,
    address: &Uri,
) -> ApiResult<Result<Sensitive, Response>> {
    // Each visit creates a user.
    network.count(app)?;
    let Some(pages) = SitePages::by_slug(app, slug, network, browser).await? else {
        return Ok(Err(unknown_page(app, browser)));
    };
    let query = form_urlencoded::parse(address.query().unwrap_or_default().as_bytes());
    let query: BTreeMap<String, String> = query.into_owned().collect();
    let context = app.context(app.offset_of(&pages.site.owner).await?);
    let (owner, id) = (pages.site.owner.clone(), pages.site.id().clone());
    let entered = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(site) = tx.link_sites().get(&owner, &id)? else { return Ok(None) };
            let (secret, change) = match enter_link_site(site, &query, &mut context) {
                Ok(entered) => entered,
                Err(closed) => return Ok(Some(Err(closed))),
            };
            tx.apply(&change, context.now())?;
            Ok(Some(Ok(secret)))
        })
        .await?;
    Ok(match entered {
        None => Err(unknown_page(app, browser)),
        Some(Err(closed)) => Err(closed_page(&pages.look(app), closed)),
        Some(Ok(secret)) => Ok(secret),
    })
}

/// Returns the page of a link site that cannot be opened.
pub(super) fn closed_page(look: &Look, closed: SiteClosedError) -> Response {
    let (status, title, text) = match closed {
        SiteClosedError::Draft => {
            (StatusCode::NOT_FOUND, ServiceText::PageSiteDraftTitle, ServiceText::PageSiteDraftText)
        }
        SiteClosedError::Closed => {
            (StatusCode::GONE, ServiceText::PageSiteClosedTitle, ServiceText::PageSiteClosedText)
        }
        SiteClosedError::Full => {
            (StatusCode::GONE, ServiceText::PageSiteFullTitle, ServiceText::PageSiteFullText)
        }
        SiteClosedError::InvitationOnly => {
            (StatusCode::FORBIDDEN, ServiceText::PageSiteInvitedTitle, ServiceText::PageSiteInvitedText)
        }
    };
    look.say_with_company(status, title, text)
}

/// Returns the page of an address without a link site.
pub(super) fn unknown_page(app: &App, browser: &Browser) -> Response {
    Look::plain(app, browser).say(
        StatusCode::NOT_FOUND,
        ServiceText::PageSiteUnknownTitle,
        ServiceText::PageSiteUnknownText,
    )
}
