//! The layout of the hosted pages, and their security headers.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::notifications::mail::paragraphs;
use link_domain::notifications::service_text::{Locale, ServiceText, Value, Words, direction};
use link_domain::tenancy::brand::BrandLogo;
use link_domain::tenancy::logo::LogoSize;
use link_types::template::{BrandTheme, LinkTemplate};
use maud::{DOCTYPE, Markup, html};

use super::assets::styles_path;
use super::invited::Invited;
use super::link_pages::LinkPages;
use super::visitor::Browser;
use crate::app::App;
use crate::app::refused_origins::origin_of;
use crate::http::middleware::request_id::Finished;
use crate::http::middleware::security_headers::REPORTED;

/// Height of a link template's logo in CSS pixels, and its maximum width.
const LOGO: (f64, f64) = (36.0, 144.0);

/// The branding and the language of a page.
pub(super) struct Look {
    /// The name of the company. `None` on a page that does not belong to a tenant.
    company: Option<String>,
    logo: Option<PageLogo>,
    theme: BrandTheme,
    /// The origin of the widget's script and frame, and of logos.
    sdk_url: String,
    words: Words,
    /// The origin of the styles, if the page is a preview in another page: it has no scripts, and its forms do nothing.
    preview: Option<String>,
}

/// The logo of a page.
enum PageLogo {
    /// The logo of the link template, from our own origin.
    Own(BrandLogo),
    /// The URL of the invite template's logo, for a link template without one.
    Elsewhere(String),
}

/// The content of a page.
pub(super) struct Page {
    /// The kind of page, which the script reads.
    pub(super) kind: &'static str,
    /// The title of the window.
    pub(super) title: Passage,
    /// The link template, if the script opens the widget.
    pub(super) widget: Option<String>,
    /// A page of the tenant, to which the browser goes at once.
    pub(super) redirect: Option<String>,
    /// The content of the card.
    pub(super) card: Markup,
}

impl Look {
    /// Returns the branding of an invitation.
    pub(super) fn for_invitation(app: &App, invited: &Invited) -> Self {
        let link_template = invited.link_template.as_ref().map(|it| &it.template);
        let theme = link_template.map(|it| it.theme.clone()).unwrap_or_default();
        let elsewhere = || invited.template.company.logo_url.clone().map(PageLogo::Elsewhere);
        let locale = Locale::choose(&invited.languages, Some(invited.texts().locale));
        Self {
            company: Some(invited.template.company.name.clone()),
            logo: BrandLogo::from_theme(&theme, &invited.logos).map(PageLogo::Own).or_else(elsewhere),
            theme,
            sdk_url: app.settings.sdk_url.clone(),
            words: link_template
                .map_or_else(|| Words::for_locale(locale), |it| Words::with_own(locale, &it.texts)),
            preview: None,
        }
    }

    /// Returns the branding of a hosted link.
    pub(super) fn for_link(app: &App, pages: &LinkPages) -> Self {
        let locale = Locale::choose(&pages.languages, None);
        Self::of_link_template(app, &pages.link_template, &pages.logos, locale)
    }

    /// Returns the branding of a link template, with the sizes of its logos.
    pub(super) fn of_link_template(
        app: &App,
        template: &LinkTemplate,
        logos: &[LogoSize],
        locale: Locale,
    ) -> Self {
        let theme = template.theme.clone();
        Self {
            company: Some(template.company_name.clone()),
            logo: BrandLogo::from_theme(&theme, logos).map(PageLogo::Own),
            theme,
            sdk_url: app.settings.sdk_url.clone(),
            words: Words::with_own(locale, &template.texts),
            preview: None,
        }
    }

    /// Returns the branding of a page that does not belong to a tenant.
    pub(super) fn plain(app: &App, browser: &Browser) -> Self {
        Self {
            company: None,
            logo: None,
            theme: BrandTheme::default(),
            sdk_url: app.settings.sdk_url.clone(),
            words: Words::for_locale(Locale::choose(&browser.0, None)),
            preview: None,
        }
    }

    /// Makes the page a preview, which only a page of this service can embed.
    pub(super) fn into_preview(self, hosted_url: &str) -> Self {
        Self { preview: origin_of(hosted_url), ..self }
    }

    /// Returns the language of the page.
    pub(super) const fn locale(&self) -> Locale {
        self.words.locale()
    }

    /// Returns a text of ours.
    pub(super) fn text(&self, text: ServiceText) -> String {
        self.words.text(text, &[])
    }

    /// Returns a text of ours with the name of the company.
    pub(super) fn text_with_company(&self, text: ServiceText) -> String {
        self.words.text(text, &[Value::Text(self.company.as_deref().unwrap_or_default())])
    }

    /// Returns a text of ours with a value.
    pub(super) fn text_with(&self, text: ServiceText, value: Value<'_>) -> String {
        self.words.text(text, &[value])
    }

    /// Returns a text of ours with values.
    pub(super) fn text_with_all(&self, text: ServiceText, values: &[Value<'_>]) -> String {
        self.words.text(text, values)
    }

    fn policy(&self, page: &Page) -> String {
        let logo = match &self.logo {
            Some(PageLogo::Own(_)) => self.sdk_url.clone(),
            Some(PageLogo::Elsewhere(url)) => origin_of(url).unwrap_or_default(),
            None => String::new(),
        };
        if let Some(own) = &self.preview {
            return format!(
                "default-src 'none'; style-src {own}; img-src data: {logo}; form-action 'none'; base-uri 'none'; \
                 sandbox; {REPORTED}; frame-ancestors 'self'"
            );
        }
        let sdk = if page.widget.is_some() { self.sdk_url.as_str() } else { "" };
        format!(
            "default-src 'none'; script-src 'self' {sdk}; style-src 'self'; img-src 'self' data: {logo}; \
             connect-src 'self'; frame-src 'self' {sdk}; form-action 'self'; base-uri 'none'; \
             require-trusted-types-for 'script'; {REPORTED}; frame-ancestors 'none'"
        )
    }

    fn brand(&self) -> Markup {
        html! {
            @if let Some(company) = &self.company {
                header.brand {
                    @match &self.logo {
                        Some(PageLogo::Own(logo)) => (self.own_logo(logo, company)),
                        Some(PageLogo::Elsewhere(logo)) => img.logo src=(logo) alt=(company);,
                        None => {
                            span.mark aria-hidden="true" { (monogram(company)) }
                            span dir="auto" { (company) }
                        }
                    }
                }
            }
        }
    }

    fn own_logo(&self, logo: &BrandLogo, company: &str) -> Markup {
        let address = |path: String| format!("{}{path}", self.sdk_url);
        let (light, dark) = (&logo.light, logo.in_the_dark());
        let is_wordmark = logo.is_wordmark();
        html! {
            picture class=[logo.dark.is_none().then_some("plate")] {
                source media="(prefers-color-scheme: dark)" srcset=(address(dark.name.path()))
                    width=(dark.width_at(LOGO.0, LOGO.1)) height=(LOGO.0);
                // The written name follows another logo, so its alternative text would repeat it.
                img src=(address(light.name.path())) alt=(if is_wordmark { company } else { "" })
                    width=(light.width_at(LOGO.0, LOGO.1)) height=(LOGO.0);
            }
            @if !is_wordmark { span dir="auto" { (company) } }
        }
    }

    /// Renders a page as a response.
    pub(super) fn show(&self, status: StatusCode, page: &Page) -> Response {
        let (title, locale) = (&page.title, self.locale());
        let own = self.preview.as_deref().unwrap_or_default();
        let markup = html! {
            (DOCTYPE)
            html lang=(locale.tag()) dir=(locale.direction()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="robots" content="noindex";
                    title lang=[title.lang()] dir=[title.dir()] { (title.text()) }
                    @if let Some(address) = &page.redirect {
                        meta http-equiv="refresh" content={ "0;url=" (address) };
                    }
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href={ (own) "/hosted/page.css" };
                    link rel="stylesheet" href={ (own) (styles_path(&self.theme)) };
                    @if page.widget.is_some() {
                        script src={ (self.sdk_url) "/sdk/v2/linchpin.v2.js" } defer {}
                    }
                    @if self.preview.is_none() { script src="/hosted/page.js" type="module" {} }
                }
                body data-page=(page.kind) data-template=[page.widget.as_ref()] {
                    main {
                        (self.brand())
                        section.card { (page.card) }
                        @if self.company.is_some() {
                            footer { (self.text_with_company(ServiceText::PageFooter)) }
                        }
                    }
                }
            }
        };
        let mut response = (status, markup.into_string()).into_response();
        harden(&mut response, &self.policy(page));
        response
    }

    /// Renders a heading and a text, with a link to try again if `again` is given.
    pub(super) fn stop(
        &self,
        status: StatusCode,
        heading: ServiceText,
        message: String,
        again: Option<&str>,
    ) -> Response {
        let title = Passage::ours(self.text(heading));
        let card = html! {
            (title.heading())
            (Passage::ours(message).paragraphs())
            @if let Some(address) = again { a.primary href=(address) { (self.text(ServiceText::PageRetry)) } }
        };
        self.show(status, &Page { kind: "message", title, widget: None, redirect: None, card })
    }

    /// Renders a heading and a text.
    pub(super) fn say(&self, status: StatusCode, heading: ServiceText, message: ServiceText) -> Response {
        self.stop(status, heading, self.text(message), None)
    }

    /// Renders a heading and a text with the name of the company.
    pub(super) fn say_with_company(
        &self,
        status: StatusCode,
        heading: ServiceText,
        message: ServiceText,
    ) -> Response {
        self.stop(status, heading, self.text_with_company(message), None)
    }
}

fn monogram(company: &str) -> String {
    company.chars().find(|it| it.is_alphanumeric()).map(|it| it.to_uppercase().collect()).unwrap_or_default()
}

fn harden(response: &mut Response, policy: &str) {
    let headers = response.headers_mut();
    let policy = HeaderValue::from_str(policy)
        .unwrap_or(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // With `no-referrer`, browsers would send `Origin: null` with the page's own forms. Other origins get no referrer.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    response.extensions_mut().insert(Finished);
}

/// A text on a page.
pub(super) struct Passage {
    text: String,
    /// The language of the text. `None` if it is that of the page.
    locale: Option<String>,
}

impl Passage {
    /// Wraps a text of ours, which is in the language of the page.
    pub(super) const fn ours(text: String) -> Self {
        Self { text, locale: None }
    }

    /// Wraps a text of the tenant.
    pub(super) fn of_tenant(text: String, locale: &str, page: Locale) -> Self {
        let is_other = !locale.eq_ignore_ascii_case(page.tag());
        Self { text, locale: is_other.then(|| locale.to_owned()) }
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the attribute `lang` of its element.
    pub(super) fn lang(&self) -> Option<&str> {
        self.locale.as_deref()
    }

    /// Returns the attribute `dir` of its element.
    pub(super) fn dir(&self) -> Option<&'static str> {
        self.locale.as_deref().map(direction)
    }

    /// Renders the text as a heading.
    pub(super) fn heading(&self) -> Markup {
        html! { h1 lang=[self.lang()] dir=[self.dir()] { (self.text) } }
    }

    /// Renders the text as plain paragraphs.
    pub(super) fn paragraphs(&self) -> Markup {
        html! {
            @for paragraph in paragraphs(&self.text) { p lang=[self.lang()] dir=[self.dir()] { (paragraph) } }
        }
    }

    /// Renders the text inside another element.
    pub(super) fn inline(&self) -> Markup {
        html! {
            @match self.lang() {
                Some(_) => span lang=[self.lang()] dir=[self.dir()] { (self.text) },
                None => (self.text),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use link_domain::kernel::languages::Languages;

    use super::*;

    #[test]
    fn text_names_its_language_only_if_it_is_not_that_of_the_page() {
        let page = Locale::choose(&Languages::from_header("ar"), None);
        let heading = |locale| Passage::of_tenant("Hi & bye".into(), locale, page).heading().into_string();
        assert_eq!(heading("AR"), "<h1>Hi &amp; bye</h1>");
        assert_eq!(heading("es-MX"), "<h1 lang=\"es-MX\" dir=\"ltr\">Hi &amp; bye</h1>");
        assert_eq!(heading("he"), "<h1 lang=\"he\" dir=\"rtl\">Hi &amp; bye</h1>");
    }
}
