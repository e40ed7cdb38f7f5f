//! Link tokens (interface: Token).

use serde::{Deserialize, Serialize};

use crate::{Mode, time::Timestamp};

/// A short-lived, single-use token that initializes the link widget.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// Time at which the token expires.
    pub expires_at: Timestamp,
    /// Environment that the token belongs to.
    pub mode: Mode,
    /// The token. It is returned only once.
    pub access_token: String,
}

impl core::fmt::Debug for Token {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Token")
            .field("expires_at", &self.expires_at)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}
