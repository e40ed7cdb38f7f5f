//! TLS to receivers: the client's configuration, and why a handshake failed.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use link_domain::notifications::webhook_sender::TlsError;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{AlertDescription, CertificateError, ClientConfig, Error, RootCertStore};

/// Returns the certificate authorities that the system trusts.
pub fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

pub(super) fn tls_connector(roots: RootCertStore) -> TlsConnector {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = match builder.with_safe_default_protocol_versions() {
        Ok(builder) => builder,
        Err(_) => unreachable!("ring offers ciphers for TLS 1.2 and 1.3"),
    };
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    TlsConnector::from(Arc::new(config))
}

/// Returns why a handshake failed.
pub(super) fn handshake_error(error: &io::Error) -> TlsError {
    find_tls_error(error).map_or(TlsError::Closed, classify)
}

/// Returns the reason if TLS caused an error of a connection. With TLS 1.3, a receiver reports only after the handshake
/// that it wants a client certificate.
pub(crate) fn tls_cause(error: &(dyn StdError + 'static)) -> Option<TlsError> {
    find_tls_error(error).map(classify)
}

fn find_tls_error<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<Error>() {
            return Some(found);
        }
        // `source` of an I/O error leaves out the error that it contains.
        next = match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum of rustls is large and may grow")]
fn classify(error: &Error) -> TlsError {
    use AlertDescription as Alert;
    use CertificateError as Certificate;
    match error {
        Error::InvalidCertificate(Certificate::Expired | Certificate::ExpiredContext { .. }) => {
            TlsError::Expired
        }
        Error::InvalidCertificate(Certificate::NotValidYet | Certificate::NotValidYetContext { .. }) => {
            TlsError::NotValidYet
        }
        Error::InvalidCertificate(
            Certificate::NotValidForName | Certificate::NotValidForNameContext { .. },
        ) => TlsError::WrongName,
        Error::InvalidCertificate(Certificate::UnknownIssuer) => TlsError::UnknownIssuer,
        Error::InvalidCertificate(_) | Error::NoCertificatesPresented => TlsError::BadCertificate,
        Error::InvalidMessage(_) => TlsError::NotTls,
        Error::AlertReceived(Alert::CertificateRequired | Alert::BadCertificate | Alert::AccessDenied) => {
            TlsError::ClientCertificate
        }
        Error::PeerIncompatible(_)
        | Error::AlertReceived(
            Alert::ProtocolVersion | Alert::HandshakeFailure | Alert::InsufficientSecurity,
        ) => TlsError::NoCommonVersion,
        Error::AlertReceived(Alert::UnrecognisedName) => TlsError::WrongName,
        _ => TlsError::Closed,
    }
}
