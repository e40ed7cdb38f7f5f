//! The requests of the pages of templates, and their responses.

use link_types::Mode;
use link_types::list::{MAX_SIZE, Page};
use link_types::template::ConsentTemplate;

use super::ProviderOption;
use super::draft::TemplateDraft;
use super::editor::SavedVersion;
use super::kind::{TemplateKey, TemplateKind};
use super::value::Value;
use super::wire::AnyTemplate;
use crate::core::webhook_key::path_of;

/// A request about templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateRequest {
    /// List the templates of a kind, from the start or from a cursor on.
    List(TemplateKind, Option<String>),
    /// List the consent templates to choose from.
    Consents,
    /// List the providers to choose from.
    Providers,
    /// Read a template.
    Get(TemplateKey),
    /// Create a template, which may have begun as a copy of another one, in the editor with this number.
    Create(TemplateKind, Option<TemplateKey>, u32, Box<TemplateDraft>),
    /// Change a template with this revision.
    Update(TemplateKey, Box<TemplateDraft>, String),
    /// Delete a template.
    Delete(TemplateKey),
    /// List the saved versions of a template.
    Versions(TemplateKey),
}

/// The successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateResponse {
    /// A page of templates.
    List(Page<AnyTemplate>),
    /// Consent templates.
    Consents(Vec<ConsentTemplate>),
    /// Providers.
    Providers(Vec<ProviderOption>),
    /// A template.
    Template(Box<AnyTemplate>),
    /// Saved versions.
    Versions(Vec<SavedVersion>),
    /// Done.
    Done,
}

impl TemplateRequest {
    /// Returns the method, the path below `/console/api`, and the body.
    pub fn parts(&self, mode: Mode) -> (&'static str, String, Option<Value>) {
        let (method, path, body) = match self {
            Self::List(kind, None) => ("GET", format!("{}?size=25", kind.path()), None),
            Self::List(kind, Some(cursor)) => {
                ("GET", format!("{}?size=25&cursor={cursor}", kind.path()), None)
            }
            Self::Consents => ("GET", format!("consentTemplates?size={MAX_SIZE}"), None),
            Self::Providers => ("GET", format!("providers?size={MAX_SIZE}"), None),
            Self::Get(key) => ("GET", format!("{}/{key}", key.kind.path()), None),
            Self::Create(kind, _, _, draft) => {
                ("POST", kind.path().to_owned(), Some(draft.body(*kind, None)))
            }
            Self::Update(key, draft, revision) => {
                ("PATCH", format!("{}/{key}", key.kind.path()), Some(draft.body(key.kind, Some(revision))))
            }
            Self::Delete(key) => ("DELETE", format!("{}/{key}", key.kind.path()), None),
            Self::Versions(key) => ("GET", format!("templateVersions/{key}"), None),
        };
        (method, format!("/{}/{path}", path_of(mode)), body)
    }
}
