//! The frame that a page of a link site can be in: who may contain it, and the visit that it carries.

use axum::http::HeaderName;
use link_types::Sensitive;
use link_types::id::LinkSiteSessionId;
use maud::{Markup, html};

/// The header in which the script of a page in a frame sends the visit's secret.
pub(super) const SECRET_HEADER: HeaderName = HeaderName::from_static("linchpin-visit");
/// The first field of the forms in a frame.
pub(super) const SECRET_FIELD: &str = "_visit";

/// The frame that a page is in.
#[derive(Clone, Debug)]
pub(super) struct Embedding {
    /// The origins whose pages may contain the frame.
    origins: Vec<String>,
    /// The path of the site's pages: `/s/{slug}/embed`.
    path: String,
    /// The query of the page's address, whose values fill fields. Empty, or with its `?`.
    query: String,
    /// The visit, once it has begun.
    visit: Option<(Sensitive, LinkSiteSessionId)>,
    /// Whether the person has just submitted the form.
    is_submission: bool,
    /// Whether the visit that the browser kept is over.
    is_over: bool,
}

impl Embedding {
    /// Creates the frame of a page that pages of these origins may contain.
    pub(super) fn new(origins: Vec<String>, path: String, query: Option<&str>) -> Self {
        let query = query.map(|it| format!("?{it}")).unwrap_or_default();
        Self { origins, path, query, visit: None, is_submission: false, is_over: false }
    }

    /// Adds the visit, with its secret.
    pub(super) fn with_visit(self, secret: &str, id: LinkSiteSessionId) -> Self {
        Self { visit: Some((Sensitive::new(secret), id)), ..self }
    }

    /// Marks the page that follows the form.
    pub(super) fn after_submission(self) -> Self {
        Self { is_submission: true, ..self }
    }

    /// Marks the page that replaces those of a visit that is over.
    pub(super) fn after_end(self) -> Self {
        Self { is_over: true, ..self }
    }

    /// Returns the sources of the policy's `frame-ancestors`.
    pub(super) fn ancestors(&self) -> String {
        if self.origins.is_empty() { "'none'".to_owned() } else { self.origins() }
    }

    /// Returns the origins whose pages may contain the frame, with spaces between them.
    pub(super) fn origins(&self) -> String {
        self.origins.join(" ")
    }

    /// Returns the path of the site's pages.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the address of the first page, with its query.
    pub(super) fn address(&self) -> String {
        format!("{}{}", self.path, self.query)
    }

    /// Returns the address that forms are sent to, with its query.
    pub(super) fn form_address(&self) -> String {
        format!("{}/form{}", self.path, self.query)
    }

    /// Returns the address that the forms of the proof of an address are sent to, with its query.
    pub(super) fn proof_address(&self) -> String {
        format!("{}/proof{}", self.path, self.query)
    }

    /// Returns the visit's secret.
    pub(super) fn secret(&self) -> Option<&str> {
        self.visit.as_ref().map(|(secret, _)| secret.expose())
    }

    /// Returns the visit's id.
    pub(super) fn session(&self) -> Option<&str> {
        self.visit.as_ref().map(|(_, id)| id.as_str())
    }

    /// Returns the mark of the page that follows a form. The form itself follows its faults.
    pub(super) fn mark_submission(&self, kind: &str) -> Option<&'static str> {
        (self.is_submission && matches!(kind, "widget" | "done")).then_some("true")
    }

    /// Returns the mark of a page whose browser must forget the visit that it kept.
    pub(super) fn mark_end(&self) -> Option<&'static str> {
        self.is_over.then_some("true")
    }

    /// Renders the field with the visit's secret.
    pub(super) fn secret_field(&self) -> Markup {
        html! {
            @if let Some(secret) = self.secret() {
                input type="hidden" name=(SECRET_FIELD) value=(secret);
            }
        }
    }
}
