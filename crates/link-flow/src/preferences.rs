//! The host page's options with defaults filled in and identifiers parsed.

use link_types::host::WidgetOptions;
use link_types::id::{AccountId, ProviderId};

/// The options of the tenant's page.
#[derive(Clone, Debug)]
pub(crate) struct Preferences {
    /// The providers to offer; all if `None`.
    pub(crate) providers: Option<Vec<ProviderId>>,
    /// The providers to list first, instead of the link template's.
    pub(crate) top_providers: Option<Vec<ProviderId>>,
    /// Whether the list has a search box.
    pub(crate) search_bar: bool,
    /// Whether the list has type tabs.
    pub(crate) type_bar: bool,
    /// Whether documents may be uploaded if the link template allows it.
    pub(crate) upload: bool,
    /// Whether the consent page is shown even if the link template allows to skip it.
    pub(crate) consent_page: bool,
    /// The tenant's name in all texts except the consent page.
    pub(crate) company_name: Option<String>,
    /// The provider to open directly.
    pub(crate) provider: Option<ProviderId>,
    /// The account to open directly. `None` after the person left it.
    pub(crate) account: Option<AccountId>,
}

impl Preferences {
    /// Returns whether the page fixes the provider or account. The person is then not offered another.
    pub(crate) fn is_fixed(&self) -> bool {
        self.provider.is_some() || self.account.is_some()
    }
}

impl From<WidgetOptions> for Preferences {
    fn from(options: WidgetOptions) -> Self {
        Self {
            providers: options.providers.map(ids),
            top_providers: options.top_providers.map(ids),
            search_bar: options.enable_search_bar.unwrap_or(true),
            type_bar: options.enable_type_bar.unwrap_or(true),
            upload: options.enable_upload.unwrap_or(true),
            consent_page: options.enable_consent_page.unwrap_or(true),
            company_name: options.company_name,
            account: options.account_id.and_then(|id| id.parse().ok()),
            provider: options.provider_id.and_then(|id| id.parse().ok()),
        }
    }
}

fn ids(texts: Vec<String>) -> Vec<ProviderId> {
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}
