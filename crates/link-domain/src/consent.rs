//! Consent that a person gave to share data.

use link_types::consent::ConsentRecord;
use link_types::data::SourceType;
use link_types::id::UserId;
use link_types::link::ConsentReceipt;
use serde::{Deserialize, Serialize};

use crate::clock::TenantTime;
use crate::template::ConsentTemplate;

/// Consent that a person gave, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// Consent receipt as the widget sent it.
    pub receipt: ConsentReceipt,
    /// When the service received the receipt.
    pub consented_at: TenantTime,
}

impl Consent {
    /// Returns the consent as the tenant reads it, with the text of its template in the language that was shown.
    pub fn record(
        self,
        source_id: String,
        source_type: SourceType,
        user_id: UserId,
        template: &ConsentTemplate,
    ) -> ConsentRecord {
        let shown = &template.template;
        let (title, text) = template.words(&self.receipt.locale);
        ConsentRecord {
            source_id,
            source_type,
            user_id,
            consent_template_id: self.receipt.consent_template_id,
            consent_type: shown.consent_type.clone(),
            version: self.receipt.version,
            title: title.to_owned(),
            consented_with: text.to_owned(),
            locale: self.receipt.locale,
            given_by: self.receipt.given_by,
            consented_at: self.consented_at.into(),
        }
    }
}
