//! Link and consent templates with their owner, and the parts that the widget receives.

use std::collections::BTreeMap;

use link_types::Mode;
use link_types::archive::ArchiveType;
use link_types::link::{ConsentGivenBy, ConsentReceipt, ConsentText, SessionTemplate};
use link_types::provider::Provider;
use link_types::template::{self, Retention, SyncInterval};

use crate::kernel::languages::{Languages, is_tag};
use crate::kernel::owner::Owner;
use crate::linking::consent_reading::Sentences;
use crate::tenancy::embedding_origin::{LOOPBACK, lists};

/// Maximum number of templates of one kind per owner. Deleted ones do not count.
pub const TEMPLATES_LIMIT: u64 = 200;

/// Maximum number of translations of a template's texts.
pub const TRANSLATIONS_LIMIT: usize = 20;

/// A link template with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTemplate {
    /// Tenant and environment of the template.
    pub owner: Owner,
    /// The template as REST shows it.
    pub template: template::LinkTemplate,
}

/// A consent template with its owner. A template in use never changes; a new text is a new template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentTemplate {
    /// Tenant and environment of the template.
    pub owner: Owner,
    /// The template as REST shows it.
    pub template: template::ConsentTemplate,
}

/// Reason why a consent receipt is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsentError {
    /// The receipt is for another consent template than the link template's.
    #[error("the receipt is for a different consent template")]
    OtherTemplate,
    /// The receipt is for another version of the text than the one that was shown.
    #[error("the receipt is for a different version of the consent text")]
    OtherVersion,
    /// The text does not exist in the receipt's language.
    #[error("the consent template has no text in the receipt's locale")]
    OtherLocale,
    /// The person saw another interval of reading than the link template's.
    #[error("the consent page said something else about how often data is read")]
    OtherInterval,
    /// The person saw another end of the data than the link template's.
    #[error("the consent page said something else about when data is deleted")]
    OtherRetention,
    /// The person could choose between other kinds of data than the link template's.
    #[error("the consent page offered another choice of data")]
    OtherChoice,
    /// The person declined a kind of data that the link template requires.
    #[error("the receipt declines data that the link template requires")]
    DeclinedRequired,
    /// The tenant vouches for the consent, but the link template does not allow it.
    #[error("the link template does not allow the tenant to vouch for consent")]
    SkipNotAllowed,
    /// The receipt is missing, and the terms are not covered by an earlier consent.
    #[error("the person has not consented to the current terms")]
    Missing,
}

impl ConsentTemplate {
    /// Returns the best of the languages in which the text exists, or the template's own.
    fn best(&self, languages: &Languages) -> &str {
        languages.best_translation(&self.template.locale, &self.template.translations)
    }

    /// Returns whether the text exists in a language.
    fn has(&self, locale: &str) -> bool {
        self.template.locale == locale || self.template.translations.contains_key(locale)
    }

    /// Returns the title and text in a language, or in the template's own if there is no translation.
    pub fn words(&self, locale: &str) -> (&str, &str) {
        match self.template.translations.get(locale) {
            Some(translation) => (&translation.title, &translation.text),
            None => (&self.template.title, &self.template.text),
        }
    }
}

/// A translation that cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranslationError {
    /// There are too many translations.
    #[error("at most {TRANSLATIONS_LIMIT} translations")]
    TooMany,
    /// A key is not a language, or is the language of the text itself.
    #[error("by BCP 47 tag, like es-MX, without the template's own locale")]
    Key,
}

/// Checks the languages of translations. Their texts have been checked.
///
/// # Errors
/// [`TranslationError`] for the first rule that they break.
pub fn check_translations<T>(own: &str, translations: &BTreeMap<String, T>) -> Result<(), TranslationError> {
    if translations.len() > TRANSLATIONS_LIMIT {
        return Err(TranslationError::TooMany);
    }
    let is_key = |key: &String| is_tag(key) && !key.eq_ignore_ascii_case(own);
    if translations.keys().all(is_key) { Ok(()) } else { Err(TranslationError::Key) }
}

impl LinkTemplate {
    /// Returns the origins whose pages may embed the widget with this template. A sandbox template that lists none
    /// allows this machine, so that the first `open()` works.
    pub fn embedders(&self) -> Vec<String> {
        if self.template.allowed_origins.is_empty() && self.owner.mode == Mode::Sandbox {
            return LOOPBACK.map(str::to_owned).into();
        }
        self.template.allowed_origins.clone()
    }

    /// Returns whether pages of this origin may embed the widget with this template.
    pub fn allows_origin(&self, origin: &str) -> bool {
        lists(&self.embedders(), origin)
    }

    /// Returns whether the template offers a provider.
    pub fn offers(&self, provider: &link_types::id::ProviderId) -> bool {
        self.template.providers.is_empty() || self.template.providers.contains(provider)
    }

    /// Returns whether people may upload this kind of document.
    pub fn accepts(&self, archive_type: ArchiveType) -> bool {
        let types = &self.template.file_types;
        self.template.uploads_enabled && (types.is_empty() || types.contains(&archive_type))
    }

    /// Returns how often data is read again, or `None` if it is read once.
    pub const fn sync(&self) -> Option<SyncInterval> {
        if self.template.sync_enabled { Some(self.template.sync_interval) } else { None }
    }

    /// Returns how often accounts at a provider are read again, or `None` if they are read once.
    pub const fn sync_at(&self, provider: &Provider) -> Option<SyncInterval> {
        if provider.monitor_supported { self.sync() } else { None }
    }

    /// Sets whether accounts are synced, and what their 60 days count from. If sync is switched on or off, a retention
    /// that is not given becomes the default.
    pub fn set_sync(
        template: &mut template::LinkTemplate,
        enabled: Option<bool>,
        retention: Option<Retention>,
    ) {
        let enabled = enabled.unwrap_or(template.sync_enabled);
        let unset = match enabled == template.sync_enabled {
            true => template.retention,
            false => Retention::default_of(enabled),
        };
        template.sync_enabled = enabled;
        template.retention = retention.unwrap_or(unset);
    }

    /// Returns the sentences of a consent text in a language.
    pub fn sentences(&self, locale: &str) -> Sentences {
        Sentences::new(locale, self.sync(), self.template.retention)
    }

    /// Returns the settings that the widget uses, with the consent text in the best of the languages.
    pub fn session_view(&self, consent: &ConsentTemplate, languages: &Languages) -> SessionTemplate {
        let template = &self.template;
        let locale = consent.best(languages);
        let (title, text) = consent.words(locale);
        SessionTemplate {
            id: template.id.clone(),
            company_name: template.company_name.clone(),
            consent: ConsentText {
                consent_template_id: consent.template.id.clone(),
                title: title.to_owned(),
                version: consent.template.version.clone(),
                text: self.sentences(locale).fill(text),
                locale: locale.to_owned(),
            },
            allow_consent_skip: template.allow_consent_skip,
            providers: template.providers.clone(),
            top_providers: template.top_providers.clone(),
            uploads_enabled: template.uploads_enabled,
            file_types: template.file_types.clone(),
            optional_data: template.optional_data.clone(),
            sync_interval: self.sync(),
            retention: template.retention,
            help_url: template.help_url.clone(),
        }
    }

    /// Checks that a receipt is for the text that this template shows.
    ///
    /// # Errors
    ///
    /// [`ConsentError`] if it is not.
    pub fn check_consent(
        &self,
        consent: &ConsentTemplate,
        receipt: &ConsentReceipt,
    ) -> Result<(), ConsentError> {
        if receipt.consent_template_id != consent.template.id
            || receipt.consent_template_id != self.template.consent_template_id
        {
            return Err(ConsentError::OtherTemplate);
        }
        if receipt.version != consent.template.version {
            return Err(ConsentError::OtherVersion);
        }
        if !consent.has(&receipt.locale) {
            return Err(ConsentError::OtherLocale);
        }
        if receipt.sync_interval != self.sync() {
            return Err(ConsentError::OtherInterval);
        }
        if receipt.retention != self.template.retention {
            return Err(ConsentError::OtherRetention);
        }
        if receipt.optional_data() != self.template.optional_data {
            return Err(ConsentError::OtherChoice);
        }
        if receipt.declined_data().iter().any(|kind| !receipt.optional_data().contains(kind)) {
            return Err(ConsentError::DeclinedRequired);
        }
        match receipt.given_by {
            ConsentGivenBy::Person => Ok(()),
            ConsentGivenBy::Tenant if self.template.allow_consent_skip => Ok(()),
            ConsentGivenBy::Tenant => Err(ConsentError::SkipNotAllowed),
        }
    }
}

#[cfg(test)]
mod tests;
