//! What an operator says about one connector.

use std::path::PathBuf;

use link_types::Sensitive;
use link_types::id::ProviderId;

/// One connector.
#[derive(Clone, Debug)]
pub struct ConnectorSettings {
    /// What the operator calls it: in messages and in the log.
    pub name: String,
    /// Scheme, host and port, without a path.
    pub url: String,
    /// The providers it serves. What else it offers is left out.
    pub providers: Vec<ProviderId>,
    /// The key of the signatures, shared with the connector: its UTF-8 bytes.
    pub secret: Sensitive,
    /// A PEM file of certificate authorities to trust beside the system's.
    pub ca_file: Option<PathBuf>,
}
