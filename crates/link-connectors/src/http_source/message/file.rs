//! `POST /linchpin/v1/document`: the file of a document that a reading offered.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::data::provider_file::FileBytes;
use link_domain::linking::account_source::FileRequest;
use link_types::id::ProviderId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http_source::fault::ExchangeError;

/// Body of `document`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentMessage {
    /// The provider.
    pub provider_id: ProviderId,
    /// The state of the reading that offered the file. Null for a provider without a login.
    pub state: Option<String>,
    /// The document's `file`.
    pub file: String,
}

impl DocumentMessage {
    /// Creates the message for a request.
    pub(crate) fn from_request(request: FileRequest<'_>) -> Self {
        Self {
            provider_id: request.provider_id.clone(),
            state: Some(request.state.as_str()).filter(|it| !it.is_empty()).map(str::to_owned),
            file: request.reference.as_str().to_owned(),
        }
    }
}

/// Response of `document`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentResponse {
    /// The file in base64: a PDF, PNG, JPEG or TIFF file of at most 5 MiB. Null if the file no longer exists.
    pub content: Option<String>,
}

impl DocumentResponse {
    /// Converts the response to a file.
    pub(crate) fn file(self) -> Result<Option<FileBytes>, ExchangeError> {
        let Some(text) = self.content else { return Ok(None) };
        let file = STANDARD.decode(text).ok().and_then(FileBytes::new);
        file.map(Some).ok_or_else(|| ExchangeError::at("content"))
    }
}
