//! Consent in a signal request (interface: "Consent object", rules for signals).

use serde::{Deserialize, Serialize};

use crate::{id::ConsentTemplateId, time::Timestamp};

/// Consent that a person gave for a signal. It has the time, and either the consent template or all three of `type`,
/// `version` and `consentedWith`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignalConsent {
    /// Time of the consent, in UTC.
    pub consented_at: Timestamp,
    /// Consent template that was shown. It must belong to the same environment.
    #[serde(default)]
    pub consent_template_id: Option<ConsentTemplateId>,
    /// Label for the kind of consent, like `TERMS_AND_CONDITIONS`.
    #[serde(rename = "type", default)]
    pub consent_type: Option<String>,
    /// Version of the consent document.
    #[serde(default)]
    pub version: Option<String>,
    /// Text that was shown and accepted.
    #[serde(default)]
    pub consented_with: Option<String>,
}

#[cfg(feature = "schema")]
mod schema {
    use serde::Deserialize;
    use utoipa::openapi::schema::{AnyOfBuilder, Schema};
    use utoipa::openapi::{Ref, RefOr};
    use utoipa::{PartialSchema, ToSchema};

    use super::{ConsentTemplateId, SignalConsent, Timestamp};

    /// Consent to a text that the service stores as a consent template.
    #[derive(Deserialize, ToSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema reads these fields")]
    struct ConsentByTemplate {
        /// Time of the consent, in UTC.
        consented_at: Timestamp,
        /// Consent template that was shown. It must belong to the same environment.
        consent_template_id: ConsentTemplateId,
        /// Label for the kind of consent, like `TERMS_AND_CONDITIONS`.
        #[serde(rename = "type")]
        #[schema(min_length = 1, max_length = 200)]
        consent_type: Option<String>,
        /// Version of the consent document.
        #[schema(min_length = 1, max_length = 200)]
        version: Option<String>,
        /// Text that was shown and accepted.
        #[schema(min_length = 1, max_length = 65535)]
        consented_with: Option<String>,
    }

    /// Consent to a text that the request contains.
    #[derive(Deserialize, ToSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema reads these fields")]
    struct ConsentInFull {
        /// Time of the consent, in UTC.
        consented_at: Timestamp,
        /// Consent template that was shown. It must belong to the same environment.
        consent_template_id: Option<ConsentTemplateId>,
        /// Label for the kind of consent, like `TERMS_AND_CONDITIONS`.
        #[serde(rename = "type")]
        #[schema(min_length = 1, max_length = 200)]
        consent_type: String,
        /// Version of the consent document.
        #[schema(min_length = 1, max_length = 200)]
        version: String,
        /// Text that was shown and accepted.
        #[schema(min_length = 1, max_length = 65535)]
        consented_with: String,
    }

    impl PartialSchema for SignalConsent {
        fn schema() -> RefOr<Schema> {
            AnyOfBuilder::new()
                .item(Ref::from_schema_name(ConsentByTemplate::name()))
                .item(Ref::from_schema_name(ConsentInFull::name()))
                .description(Some(
                    "`consentedAt`, and either `consentTemplateId` or all three of `type`, `version` and \
                     `consentedWith`.",
                ))
                .into()
        }
    }

    impl ToSchema for SignalConsent {
        fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            ConsentByTemplate::schemas(schemas);
            ConsentInFull::schemas(schemas);
            schemas.push((ConsentByTemplate::name().into_owned(), ConsentByTemplate::schema()));
            schemas.push((ConsentInFull::name().into_owned(), ConsentInFull::schema()));
        }
    }
}
