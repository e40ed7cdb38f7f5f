//! An operator's settings for one connector.

use std::path::PathBuf;

use link_types::Sensitive;
use link_types::id::ProviderId;
use link_types::record::RecordType;
use link_types::signal::SignalKind;

/// Providers, records and signals that a connector serves. At least one list is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Serves {
    /// Providers, whose accounts it links and reads.
    pub providers: Vec<ProviderId>,
    /// Types of record that it answers.
    pub records: Vec<RecordType>,
    /// Kinds of signal that it answers.
    pub signals: Vec<SignalKind>,
}

/// The settings of one connector.
#[derive(Clone, Debug)]
pub struct ConnectorSettings {
    /// The connector's name in messages and in the log.
    pub name: String,
    /// Scheme, host and port, without a path.
    pub url: String,
    /// Providers, records and signals that it serves. Anything else that it offers is ignored.
    pub serves: Serves,
    /// The key of the signatures, shared with the connector: its UTF-8 bytes.
    pub secret: Sensitive,
    /// A PEM file with certificate authorities to trust in addition to the system's.
    pub ca_file: Option<PathBuf>,
}

/// Reason why a connector's settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConnectorError {
    /// The file of certificate authorities cannot be used.
    #[error("{path} contains no certificate authority in PEM format, or cannot be read")]
    Authorities {
        /// The file.
        path: PathBuf,
    },
}
