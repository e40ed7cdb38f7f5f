//! `POST /linchpin/v1/revoke`: the end of an access that the provider gave on its page.

use link_domain::linking::withdrawal::WithdrawRequest;
use link_types::id::ProviderId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Body of `revoke`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevokeMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The last state of the account.
    pub state: String,
}

impl RevokeMessage {
    /// Creates the message for a request.
    pub(crate) fn from_request(request: WithdrawRequest<'_>) -> Self {
        Self { provider_id: request.provider_id.clone(), state: request.state.as_str().to_owned() }
    }
}

/// Response of `revoke`: an object without fields, once the provider has ended the access or does not know it.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct RevokeResponse {}
