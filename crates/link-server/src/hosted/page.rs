//! The layout of the hosted pages, and their security headers.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::brand::DEFAULT_ACCENT;
use link_domain::mail::paragraphs;
use link_domain::template::LinkTemplate;
use link_types::invite_template::InviteTemplate;
use link_types::template::Color;
use maud::{DOCTYPE, Markup, html};

use crate::app::App;
use crate::http::middleware::request_id::Finished;
use crate::http::middleware::security_headers::REPORTED;
use crate::widget::files::refused_origins::origin_of;

/// The branding of a page.
pub(super) struct Look {
    /// The name of the company. `None` on a page that does not belong to a tenant.
    pub(super) company: Option<String>,
    /// The URL of the company's logo.
    pub(super) logo_url: Option<String>,
    /// The company's brand color.
    pub(super) accent: Color,
    /// Its brand color in the dark theme, if it has another.
    pub(super) accent_dark: Option<Color>,
    /// The origin of the widget's script and frame.
    pub(super) sdk_url: String,
}

/// The content of a page.
pub(super) struct Page {
    /// The kind of page, which the script reads.
    pub(super) kind: &'static str,
    /// The title of the window.
    pub(super) title: String,
    /// The link template, if the script opens the widget.
    pub(super) widget: Option<String>,
    /// The content of the card.
    pub(super) card: Markup,
}

impl Look {
    /// Returns the branding of a tenant.
    pub(super) fn of(app: &App, template: &InviteTemplate, link_template: Option<&LinkTemplate>) -> Self {
        let theme = link_template.map(|it| &it.template.theme);
        Self {
            company: Some(template.company.name.clone()),
            logo_url: template.company.logo_url.clone(),
            accent: theme.and_then(|it| it.accent).unwrap_or(DEFAULT_ACCENT),
            accent_dark: theme.and_then(|it| it.accent_dark),
            sdk_url: app.settings().sdk_url.clone(),
        }
    }

    /// Returns the branding of a link template.
    pub(super) fn of_link_template(app: &App, template: &LinkTemplate) -> Self {
        let theme = &template.template.theme;
        Self {
            company: Some(template.template.company_name.clone()),
            accent: theme.accent.unwrap_or(DEFAULT_ACCENT),
            accent_dark: theme.accent_dark,
            ..Self::plain(app)
        }
    }

    /// Returns the branding of a page that does not belong to a tenant.
    pub(super) fn plain(app: &App) -> Self {
        let sdk_url = app.settings().sdk_url.clone();
        Self { company: None, logo_url: None, accent: DEFAULT_ACCENT, accent_dark: None, sdk_url }
    }

    fn policy(&self, page: &Page) -> String {
        let logo = self.logo_url.as_deref().and_then(origin_of).unwrap_or_default();
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
                    @match &self.logo_url {
                        Some(logo) => img.logo src=(logo) alt=(company);,
                        None => {
                            span.mark aria-hidden="true" { (monogram(company)) }
                            span { (company) }
                        }
                    }
                }
            }
        }
    }

    /// Renders a page as a response.
    pub(super) fn show(&self, status: StatusCode, page: &Page) -> Response {
        let colors = std::iter::once(self.accent).chain(self.accent_dark).map(|it| it.to_string());
        let theme = format!("/hosted/theme/{}.css", colors.collect::<Vec<_>>().join("-").replace('#', ""));
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="robots" content="noindex";
                    title { (page.title) }
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href="/hosted/page.css";
                    link rel="stylesheet" href=(theme);
                    @if page.widget.is_some() {
                        script src={ (self.sdk_url) "/sdk/v2/linchpin.v2.js" } defer {}
                    }
                    script src="/hosted/page.js" type="module" {}
                }
                body data-page=(page.kind) data-template=[page.widget.as_ref()] {
                    main {
                        (self.brand())
                        section.card { (page.card) }
                        @if let Some(company) = &self.company {
                            footer {
                                (company) " uses Linchpin to read accounts with your consent. Your password is sent only \
                                to the provider you choose."
                            }
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
        heading: &str,
        message: &str,
        again: Option<&str>,
    ) -> Response {
        let card = html! {
            h1 { (heading) }
            (text(message))
            @if let Some(address) = again { a.primary href=(address) { "Try again" } }
        };
        self.show(status, &Page { kind: "message", title: heading.to_owned(), widget: None, card })
    }

    /// Renders a heading and a text.
    pub(super) fn say(&self, status: StatusCode, heading: &str, message: &str) -> Response {
        self.stop(status, heading, message, None)
    }
}

/// Renders a text as plain paragraphs.
pub(super) fn text(content: &str) -> Markup {
    html! { @for paragraph in paragraphs(content) { p { (paragraph) } } }
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
