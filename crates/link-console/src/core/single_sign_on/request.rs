//! The requests of single sign-on, and their responses.

use link_types::console::Role;
use link_types::console::single_sign_on::{OwnIdentity, SingleSignOn};

use crate::core::templates::value::Value;

/// Why a person goes to the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To sign in.
    Organization,
    /// To accept the invitation of the page's address.
    Invitation,
    /// To link their identity.
    Own,
}

/// A provider to configure. Its `Debug` output has no text, because one is a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderDraft {
    /// Issuer, client id and client secret, in the order of [`SignOnField`].
    pub texts: [String; 3],
    /// Role of new members.
    pub role: Role,
    /// Whether the provider is required.
    pub is_required: bool,
}

impl core::fmt::Debug for ProviderDraft {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ProviderDraft").field("role", &self.role).finish_non_exhaustive()
    }
}

/// A field of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignOnField {
    /// Issuer.
    Issuer,
    /// Client id.
    ClientId,
    /// Client secret.
    ClientSecret,
}

/// A request about single sign-on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignOnRequest {
    /// Read the member's own identity.
    Own,
    /// Unlink it.
    Unlink,
    /// Read the settings.
    Settings,
    /// Configure the provider.
    Save(Box<ProviderDraft>),
    /// Remove the provider.
    Remove,
    /// Add a domain.
    AddDomain(String),
    /// Prove a domain.
    Prove(String),
    /// Remove a domain.
    RemoveDomain(String),
    /// Get the address of the provider's page. The text is the organization's.
    Leave(Way, String),
}

/// The successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignOnResponse {
    /// The member's own identity.
    Own(OwnIdentity),
    /// The settings.
    Settings(Box<SingleSignOn>),
    /// The address of the provider's page.
    Address(String),
    /// Done.
    Done,
}

impl SignOnRequest {
    /// Returns the method, the path below `/console/api`, and the body. The shell adds the code of an invitation.
    pub fn parts(&self) -> (&'static str, String, Option<Value>) {
        let object = |fields: Vec<(&str, Value)>| {
            let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            Some(Value::Map(fields))
        };
        let domain = |domain: &str| format!("/singleSignOn/domains/{domain}");
        match self {
            Self::Own => ("GET", "/session/identity".into(), None),
            Self::Unlink => ("DELETE", "/session/identity".into(), None),
            Self::Settings => ("GET", "/singleSignOn".into(), None),
            Self::Save(draft) => {
                let [issuer, client_id, secret] = draft.texts.clone().map(Value::Text);
                let fields = vec![
                    ("issuer", issuer),
                    ("clientId", client_id),
                    ("clientSecret", secret),
                    ("role", Value::Text(draft.role.to_string())),
                    ("isRequired", Value::Flag(draft.is_required)),
                ];
                ("PUT", "/singleSignOn".into(), object(fields))
            }
            Self::Remove => ("DELETE", "/singleSignOn".into(), None),
            Self::AddDomain(text) => {
                ("POST", "/singleSignOn/domains".into(), object(vec![("domain", Value::Text(text.clone()))]))
            }
            Self::Prove(text) => ("POST", format!("{}/proof", domain(text)), None),
            Self::RemoveDomain(text) => ("DELETE", domain(text), None),
            Self::Leave(Way::Organization, text) => (
                "POST",
                "/session/provider".into(),
                object(vec![("organization", Value::Text(text.clone()))]),
            ),
            Self::Leave(Way::Invitation, _) => ("POST", "/session/provider".into(), None),
            Self::Leave(Way::Own, _) => ("POST", "/session/identity".into(), object(Vec::new())),
        }
    }
}
