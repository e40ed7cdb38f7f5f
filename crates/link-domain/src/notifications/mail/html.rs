//! The HTML body of a mail. Its styles are inline, because mail programs remove others. The styles in the
//! head only adapt it to the dark theme: without them, it is light.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::invitation::{Letterhead, Notes};
use super::{Footer, paragraphs};
use crate::notifications::service_text::direction;
use crate::tenancy::brand::{Brand, BrandLogo};
use crate::tenancy::logo::LogoSize;

/// Height of the logo in CSS pixels, and its maximum width.
const LOGO: (f64, f64) = (32.0, 128.0);
const FAMILIES: &str = "-apple-system,'Segoe UI',Roboto,sans-serif";

/// The parts of the body.
pub(super) struct HtmlMail<'a> {
    pub(super) letterhead: &'a Letterhead,
    pub(super) company: &'a str,
    /// Logo of the invite template, for a link template without one.
    pub(super) logo_url: Option<&'a str>,
    pub(super) subject: &'a str,
    /// Language of the tenant's texts: subject, body and buttons.
    pub(super) tenant_locale: &'a str,
    pub(super) body: &'a str,
    /// Code that the person types on a page. A mail without one has buttons.
    pub(super) code: Option<&'a str>,
    /// Buttons.
    pub(super) buttons: &'a [Button],
    /// Tracking pixel, if the mail has one.
    pub(super) pixel: Option<&'a str>,
    pub(super) notes: &'a Notes,
    pub(super) footer: &'a Footer,
}

/// A link that is shown as a button.
pub(super) struct Button {
    pub(super) text: String,
    pub(super) link: String,
}

/// Renders the body.
pub(super) fn page(mail: &HtmlMail<'_>) -> Markup {
    let HtmlMail { notes, buttons, .. } = mail;
    let brand = &mail.letterhead.brand;
    // Quotes inside the attribute.
    let families = brand.families.map_or_else(|| FAMILIES.to_owned(), |it| it.replace('"', "'"));
    let small = "color:#5b6270;font-size:13px;line-height:20px";
    html! {
        (DOCTYPE)
        html lang=(notes.locale.tag()) dir=(notes.locale.direction()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="supported-color-schemes" content="light dark";
                title { (mail.subject) }
                style { (PreEscaped(dark_styles(brand))) }
            }
            body class="ground" style="margin:0;padding:24px 12px;background:#f3f4f6" {
                div class="card" style=(format!(
                    "max-width:560px;margin:0 auto;padding:32px 28px;border-radius:14px;background:#ffffff;\
                     color:#171a21;font:16px/25px {families}"
                )) {
                    (brand_line(mail))
                    (passage(mail, html! {
                        @for paragraph in paragraphs(mail.body) {
                            p style="margin:0 0 16px;white-space:pre-line" { (paragraph) }
                        }
                        @if let Some(code) = mail.code {
                            p dir="ltr" style="margin:28px 0;font-size:32px;line-height:40px;font-weight:600;letter-spacing:4px" {
                                (code)
                            }
                        }
                        @for Button { text, link } in *buttons {
                            p style="margin:28px 0" {
                                a href=(link) class="button" style=(format!(
                                    "display:inline-block;padding:14px 26px;border-radius:{}px;background:{};color:{};\
                                     font-weight:600;text-decoration:none",
                                    brand.radius, brand.colors.accent_light, brand.colors.on_accent_light
                                )) { (text) }
                            }
                        }
                    }))
                    p class="soft" style={ "margin:0;" (small) } {
                        (notes.link) " " (notes.copy)
                        @for Button { link, .. } in *buttons {
                            br;
                            span dir="ltr" style="word-break:break-all" { (link) }
                        }
                    }
                    p class="soft" style={ "margin:24px 0 0;" (small) } {
                        (notes.reason) br;
                        a href=(mail.footer.own_page) class="soft" style="color:#5b6270" { (notes.own_page) } br;
                        @if let Some(stop) = &mail.footer.unsubscribe {
                            a href=(stop.expose()) class="soft" style="color:#5b6270" { (notes.stop) } br;
                        }
                        (notes.abuse) " "
                        a href={ "mailto:" (mail.footer.abuse) } class="soft" dir="ltr" style="color:#5b6270" {
                            (mail.footer.abuse)
                        }
                    }
                }
                @if let Some(pixel) = mail.pixel {
                    img src=(pixel) alt="" width="1" height="1" style="display:block";
                }
            }
        }
    }
}

/// Names the language of the tenant's text, if it is not that of the mail.
fn passage(mail: &HtmlMail<'_>, text: Markup) -> Markup {
    let locale = mail.tenant_locale;
    if locale.eq_ignore_ascii_case(mail.notes.locale.tag()) {
        return text;
    }
    html! { div lang=(locale) dir=(direction(locale)) { (text) } }
}

/// Renders the logo and the name: the link template's logo, or else the invite template's, or else only the name.
fn brand_line(mail: &HtmlMail<'_>) -> Markup {
    let company = mail.company;
    html! {
        @match (&mail.letterhead.brand.logo, mail.logo_url) {
            (Some(logo), _) => (draw_logo(mail, logo)),
            (None, Some(logo)) => {
                img src=(logo) alt=(company) height="32" style="display:block;margin:0 0 24px";
            }
            (None, None) => p dir="auto" style="margin:0 0 24px;font-weight:600" { (company) },
        }
    }
}

fn draw_logo(mail: &HtmlMail<'_>, logo: &BrandLogo) -> Markup {
    let is_wordmark = logo.is_wordmark();
    // The written name follows another logo, so its alternative text would repeat it.
    let alt = if is_wordmark { mail.company } else { "" };
    let image = |size: &LogoSize, class: &str, display: &str| {
        let (width, height) = (size.width_at(LOGO.0, LOGO.1), LOGO.0);
        let style = format!("display:{display};vertical-align:middle;object-fit:contain;border:0");
        html! {
            img src={ (mail.letterhead.sdk_url) (size.name.path()) } alt=(alt) width=(width) height=(height)
                class=(class) style=(style);
        }
    };
    html! {
        p style="margin:0 0 24px;font-weight:600" {
            @match &logo.dark {
                Some(dark) => {
                    (image(&logo.light, "light", "inline-block"))
                    (image(dark, "dark", "none"))
                }
                None => (image(&logo.light, "plate", "inline-block")),
            }
            @if !is_wordmark { " " span dir="auto" style="vertical-align:middle" { (mail.company) } }
        }
    }
}

/// Returns the styles of the dark theme. They contain only colors.
fn dark_styles(brand: &Brand) -> String {
    format!(
        ":root{{color-scheme:light dark}}@media (prefers-color-scheme:dark){{.ground{{background:#111418!important}}\
         .card{{background:#1a1e24!important;color:#eef0f3!important}}.soft{{color:#a8b0bd!important}}\
         .button{{background:{}!important;color:{}!important}}.light{{display:none!important}}\
         .dark{{display:inline-block!important}}.plate{{background:#ffffff!important}}}}",
        brand.colors.accent_dark, brand.colors.on_accent_dark
    )
}
