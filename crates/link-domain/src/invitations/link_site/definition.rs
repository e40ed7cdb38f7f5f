//! Validation of a link site, beyond what the schema checks.

use std::collections::BTreeSet;

use link_types::form_submission::LinkSiteFieldType;
use link_types::link_site::{LinkSite, LinkSiteStep};
use url::Url;

use crate::invitations::form_submission::{self, FormDefinitionErrorKind, translation_faults};
use crate::tenancy::embedding_origin::{OriginError, normalize};
use crate::tenancy::template::LinkTemplate;

/// Slugs that look like pages of the service.
const RESERVED: [&str; 26] = [
    "about", "account", "admin", "api", "app", "assets", "billing", "console", "docs", "help", "hosted",
    "invite", "invites", "linchpin", "login", "logout", "mail", "portal", "privacy", "security", "sign-in",
    "signin", "static", "status", "support", "terms",
];
/// Name that a prefilled reference has.
pub(super) const REFERENCE: &str = "reference";

/// An error in a link site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteError {
    /// Path of the invalid field, like `form.fields[2].choices`.
    pub path: String,
    /// Reason why the field is invalid.
    pub kind: SiteErrorKind,
}

/// Reason why a field of a link site is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SiteErrorKind {
    /// The slug could be mistaken for a page of the service.
    #[error("a reserved word: choose another one")]
    Reserved,
    /// The steps are not a possible sequence.
    #[error("FORM or WIDGET or both in any order, each once, and then THANK_YOU")]
    Steps,
    /// The site has a step FORM without a form.
    #[error("required by the step FORM")]
    FormMissing,
    /// The site has a form without a step FORM.
    #[error("a form needs the step FORM")]
    NoFormStep,
    /// The form is invalid.
    #[error(transparent)]
    Form(FormDefinitionErrorKind),
    /// A name cannot be prefilled.
    #[error("must be different names of HIDDEN fields of the form, or reference")]
    Prefill,
    /// The site has a limit of submissions without a form.
    #[error("only a site with a form can have a limit of submissions")]
    NothingSubmitted,
    /// The redirect does not lead to a page of the tenant.
    #[error(
        "an https URL without user name and fragment, whose origin is one of the link template's allowedOrigins"
    )]
    Redirect,
    /// A text is not the origin of pages that can embed the site.
    #[error(transparent)]
    EmbedOrigin(OriginError),
    /// The widget of the site would not open on pages of an origin.
    #[error("one of the link template's allowedOrigins, which the widget needs too")]
    EmbedNotAllowed,
    /// An origin is in the list twice.
    #[error("each origin once")]
    EmbedRepeated,
    /// A translation is invalid.
    #[error(transparent)]
    Translation(FormDefinitionErrorKind),
}

/// Returns every error in a link site. `template` is its link template, if it exists.
///
/// `before` is the site before a change. Origins that its link template stopped to allow since then are not errors, because a
/// change of other parts would be refused: they have no effect.
pub fn faults(site: &LinkSite, before: Option<&LinkSite>, template: Option<&LinkTemplate>) -> Vec<SiteError> {
    let before = before.filter(|it| it.link_template_id == site.link_template_id);
    let mut faults = Vec::new();
    let mut fault = |path: &str, kind| faults.push(SiteError { path: path.to_owned(), kind });
    if RESERVED.contains(&site.slug.as_str()) {
        fault("slug", SiteErrorKind::Reserved);
    }
    let has_form_step = site.steps.contains(&LinkSiteStep::Form);
    if !is_sequence(&site.steps) {
        fault("steps", SiteErrorKind::Steps);
    }
    match &site.form {
        None if has_form_step => fault("form", SiteErrorKind::FormMissing),
        Some(_) if !has_form_step => fault("steps", SiteErrorKind::NoFormStep),
        _ => {}
    }
    if site.limits.submissions.is_some() && site.form.is_none() {
        fault("limits.submissions", SiteErrorKind::NothingSubmitted);
    }
    if !has_valid_prefill(site) {
        fault("prefill", SiteErrorKind::Prefill);
    }
    let redirect = site.end_page.redirect_url.as_deref();
    if let (Some(redirect), Some(template)) = (redirect, template)
        && before.is_none_or(|it| it.end_page.redirect_url != site.end_page.redirect_url)
        && !redirects_to(redirect, &template.template)
    {
        fault("endPage.redirectUrl", SiteErrorKind::Redirect);
    }
    for index in 0..site.embed_origins.len() {
        if let Some(kind) = embedding_fault(site, index, before, template) {
            fault(&format!("embedOrigins[{index}]"), kind);
        }
    }
    let of_form = site.form.iter().flat_map(form_submission::faults);
    faults.extend(
        of_form.map(|it| SiteError { path: format!("form.{}", it.path), kind: SiteErrorKind::Form(it.kind) }),
    );
    let shown = [&site.start_page.title, &site.start_page.text, &site.end_page.title, &site.end_page.text];
    let of_translations =
        translation_faults(&site.locale, &site.translations, shown.into_iter().map(String::as_str));
    faults.extend(
        of_translations
            .into_iter()
            .map(|it| SiteError { path: it.path, kind: SiteErrorKind::Translation(it.kind) }),
    );
    faults
}

fn embedding_fault(
    site: &LinkSite,
    index: usize,
    before: Option<&LinkSite>,
    template: Option<&LinkTemplate>,
) -> Option<SiteErrorKind> {
    let origin = site.embed_origins.get(index)?;
    match normalize(origin) {
        Err(wrong) => Some(SiteErrorKind::EmbedOrigin(wrong)),
        Ok(_) if site.embed_origins.iter().take(index).any(|it| it == origin) => {
            Some(SiteErrorKind::EmbedRepeated)
        }
        Ok(_) if before.is_some_and(|it| it.embed_origins.contains(origin)) => None,
        Ok(_) => {
            template.is_some_and(|it| !it.allows_origin(origin)).then_some(SiteErrorKind::EmbedNotAllowed)
        }
    }
}

/// Returns the origins whose pages may show the site in a frame: those of its list that its link template still allows.
pub fn embedders(site: &LinkSite, template: &LinkTemplate) -> Vec<String> {
    site.embed_origins.iter().filter(|it| template.allows_origin(it)).cloned().collect()
}

/// Returns whether the steps are different, and only the last is THANK_YOU.
fn is_sequence(steps: &[LinkSiteStep]) -> bool {
    let distinct: BTreeSet<&LinkSiteStep> = steps.iter().collect();
    steps.len() >= 2 && distinct.len() == steps.len() && steps.last() == Some(&LinkSiteStep::ThankYou)
}

fn has_valid_prefill(site: &LinkSite) -> bool {
    let distinct: BTreeSet<&String> = site.prefill.iter().collect();
    let fields = || site.form.iter().flat_map(|it| &it.fields);
    let can_be = |name: &String| {
        let is_hidden = fields().any(|it| it.name == *name && it.field_type == LinkSiteFieldType::Hidden);
        is_hidden || (name == REFERENCE && site.form.is_some())
    };
    distinct.len() == site.prefill.len() && site.prefill.iter().all(can_be)
}

/// Returns whether a URL leads to a page of an origin that the link template allows.
pub fn redirects_to(redirect: &str, template: &link_types::template::LinkTemplate) -> bool {
    Url::parse(redirect).is_ok_and(|url| {
        let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        url.scheme() == "https"
            && is_plain
            && template.allowed_origins.contains(&url.origin().ascii_serialization())
    })
}
