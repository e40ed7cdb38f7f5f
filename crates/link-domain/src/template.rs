//! Link and consent templates, as their owner keeps them, and what the widget is told of them.

use link_types::link::{ConsentGivenBy, ConsentReceipt, ConsentText, SessionTemplate};
use link_types::template;

use crate::brand::theme;
use crate::owner::Owner;

/// The most templates of one kind that an owner has; deleted ones do not count.
pub const TEMPLATES_LIMIT: u64 = 200;

/// A link template of one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTemplate {
    /// Whose template.
    pub owner: Owner,
    /// The template as REST shows it.
    pub template: template::LinkTemplate,
}

/// A consent template of one owner. One in use never changes: a new text is a new template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentTemplate {
    /// Whose template.
    pub owner: Owner,
    /// The template as REST shows it.
    pub template: template::ConsentTemplate,
}

/// Why a consent receipt does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsentRefused {
    /// It names another consent template than the link template does.
    #[error("the receipt names another consent template")]
    OtherTemplate,
    /// The text has another version than the one that was shown.
    #[error("the receipt names another version of the consent text")]
    OtherVersion,
    /// The tenant vouches for it, and the link template does not let it.
    #[error("the link template does not let the tenant vouch for consent")]
    SkipNotAllowed,
}

impl LinkTemplate {
    /// Whether a page of this origin may embed the widget with this template.
    pub fn allows_origin(&self, origin: &str) -> bool {
        self.template.allowed_origins.iter().any(|allowed| allowed == origin)
    }

    /// Whether the template offers a provider.
    pub fn offers(&self, provider: &link_types::id::ProviderId) -> bool {
        self.template.providers.is_empty() || self.template.providers.contains(provider)
    }

    /// What the widget needs of the template.
    pub fn session_view(&self, consent: &ConsentTemplate) -> SessionTemplate {
        let template = &self.template;
        SessionTemplate {
            id: template.id.clone(),
            company_name: template.company_name.clone(),
            consent: ConsentText {
                consent_template_id: consent.template.id.clone(),
                title: consent.template.title.clone(),
                version: consent.template.version.clone(),
                text: consent.template.text.clone(),
                locale: consent.template.locale.clone(),
            },
            allow_consent_skip: template.allow_consent_skip,
            providers: template.providers.clone(),
            top_providers: template.top_providers.clone(),
            uploads_enabled: template.uploads_enabled,
            file_types: template.file_types.clone(),
            theme: theme(template.theme.accent),
        }
    }

    /// Checks that a receipt is for the text this template shows.
    ///
    /// # Errors
    ///
    /// [`ConsentRefused`] when it is not.
    pub fn check_consent(
        &self,
        consent: &ConsentTemplate,
        receipt: &ConsentReceipt,
    ) -> Result<(), ConsentRefused> {
        if receipt.consent_template_id != consent.template.id
            || receipt.consent_template_id != self.template.consent_template_id
        {
            return Err(ConsentRefused::OtherTemplate);
        }
        if receipt.version != consent.template.version {
            return Err(ConsentRefused::OtherVersion);
        }
        match receipt.given_by {
            ConsentGivenBy::Person => Ok(()),
            ConsentGivenBy::Tenant if self.template.allow_consent_skip => Ok(()),
            ConsentGivenBy::Tenant => Err(ConsentRefused::SkipNotAllowed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    #[rstest]
    #[case::as_shown(ConsentGivenBy::Person, false, "1.0", Ok(()))]
    #[case::older_text(ConsentGivenBy::Person, false, "0.9", Err(ConsentRefused::OtherVersion))]
    #[case::tenant_vouches(ConsentGivenBy::Tenant, true, "1.0", Ok(()))]
    #[case::tenant_may_not(ConsentGivenBy::Tenant, false, "1.0", Err(ConsentRefused::SkipNotAllowed))]
    fn a_receipt_counts_for_the_text_that_was_shown(
        #[case] given_by: ConsentGivenBy,
        #[case] allow_skip: bool,
        #[case] version: &str,
        #[case] expected: Result<(), ConsentRefused>,
    ) {
        let (mut link, consent) = fixture::templates();
        link.template.allow_consent_skip = allow_skip;
        let receipt = ConsentReceipt { given_by, version: version.into(), ..fixture::receipt() };
        assert_eq!(link.check_consent(&consent, &receipt), expected);
    }

    #[test]
    fn a_receipt_for_another_text_does_not_count() {
        let (link, mut consent) = fixture::templates();
        consent.template.id = link_types::id::ConsentTemplateId::from_bytes([9; 16]);
        assert_eq!(link.check_consent(&consent, &fixture::receipt()), Err(ConsentRefused::OtherTemplate));
    }

    #[test]
    fn an_origin_is_compared_whole() {
        let (link, _) = fixture::templates();
        assert!(link.allows_origin("https://shop.example"));
        assert!(!link.allows_origin("https://shop.example.evil.example"));
        assert!(!link.allows_origin("http://shop.example"));
    }
}
