//! Single sign-on: the way to the organization's provider, and its settings.

pub mod request;
#[cfg(test)]
mod tests;
mod transition;

use link_types::console::Role;
use link_types::console::single_sign_on::{OwnIdentity, SingleSignOn};

use self::request::{ProviderDraft, SignOnField, Way};
use super::loaded::{Form, Loaded};

/// Something that happened about single sign-on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignOnInput {
    /// The organization or address of the sign-in page changed.
    OrganizationTyped(String),
    /// The person wants to go to the provider.
    Wanted(Way),
    /// A field of the provider changed.
    Typed(SignOnField, String),
    /// The role of new members changed.
    RoleChosen(Role),
    /// Whether the provider is required changed.
    RequiredToggled,
    /// The domain to add changed.
    DomainTyped(String),
    /// The domain is submitted.
    DomainSubmitted,
    /// The member wants to prove a domain.
    ProofWanted(String),
}

/// The state of single sign-on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOn {
    /// The form of the sign-in page.
    pub organization: Form<String>,
    /// The member's own identity.
    pub own: Loaded<OwnIdentity>,
    /// The settings.
    pub settings: Loaded<Box<SingleSignOn>>,
    /// The form with the provider.
    pub provider: Form<ProviderDraft>,
    /// Whether the member has changed the form.
    is_typed: bool,
    /// The form with a domain.
    pub domain: Form<String>,
}

impl Default for SignOn {
    fn default() -> Self {
        let texts = [String::new(), String::new(), String::new()];
        let draft = ProviderDraft { texts, role: Role::Viewer, is_required: false };
        Self {
            organization: Form::new(String::new()),
            own: Loaded::Loading,
            settings: Loaded::Loading,
            provider: Form::new(draft),
            is_typed: false,
            domain: Form::new(String::new()),
        }
    }
}

impl SignOn {
    /// Forgets what the service returned. What was typed stays.
    pub(super) fn forget(&mut self) {
        (self.own, self.settings) = (Loaded::Loading, Loaded::Loading);
        (self.provider.failure, self.domain.failure) = (None, None);
        self.stop_sending();
    }

    pub(super) const fn stop_sending(&mut self) {
        (self.organization.is_sending, self.provider.is_sending, self.domain.is_sending) =
            (false, false, false);
    }

    /// Returns what was typed, without the secret.
    pub(super) fn drafts(self) -> Self {
        let mut provider = Form::new(self.provider.draft);
        provider.draft.texts[2].clear();
        Self { provider, is_typed: self.is_typed, domain: Form::new(self.domain.draft), ..Self::default() }
    }

    fn fill(&mut self, settings: Box<SingleSignOn>) {
        if let Some(provider) = settings.provider.as_ref().filter(|_| !self.is_typed) {
            self.provider.draft = ProviderDraft {
                texts: [provider.issuer.clone(), provider.client_id.clone(), String::new()],
                role: provider.role,
                is_required: provider.is_required,
            };
        }
        self.settings = Loaded::Ready(settings);
    }
}
