//! The options as the flow needs them: defaults filled in, identifiers read.

use link_types::host::WidgetOptions;
use link_types::id::{AccountId, ProviderId};

/// What the tenant's page asked for.
#[derive(Clone, Debug)]
pub(crate) struct Preferences {
    /// Offer only these; all, when `None`.
    pub(crate) providers: Option<Vec<ProviderId>>,
    /// Show these first, instead of the link template's.
    pub(crate) top_providers: Option<Vec<ProviderId>>,
    /// Whether the list can be searched.
    pub(crate) search_bar: bool,
    /// Whether the list has type tabs.
    pub(crate) type_bar: bool,
    /// Whether documents may be uploaded where the link template enables it.
    pub(crate) upload: bool,
    /// False skips the consent page where the link template permits it.
    pub(crate) consent_page: bool,
    /// The tenant's name in texts other than the consent page's.
    pub(crate) company_name: Option<String>,
    /// Go straight to this provider.
    pub(crate) provider: Option<ProviderId>,
    /// Go straight to what this account needs.
    pub(crate) account: Option<AccountId>,
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
