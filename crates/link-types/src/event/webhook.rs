//! The operational event about a tenant's own webhooks. It is not in the interface's table (ADR 172).

use serde::{Deserialize, Serialize};

use crate::id::WebhookId;

/// `data` of WEBHOOK_DISABLED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct WebhookDisabled {
    /// Webhook that the service disabled.
    pub webhook_id: WebhookId,
    /// Reason, as `disabledReason` of the webhook.
    pub disabled_reason: String,
}
