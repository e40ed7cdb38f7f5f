//! TLS to a PostgreSQL server: which certificates it may have.

use std::path::Path;
use std::sync::Arc;

use rustls_tokio_postgres::config_no_verify;
use rustls_tokio_postgres::rustls::client::WebPkiServerVerifier;
use rustls_tokio_postgres::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use rustls_tokio_postgres::rustls::crypto::{CryptoProvider, ring};
use rustls_tokio_postgres::rustls::pki_types::pem::PemObject as _;
use rustls_tokio_postgres::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls_tokio_postgres::rustls::{
    self, CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use super::postgres_address::{Check, Roots};
use crate::StoreError;

/// Creates the TLS settings for a check.
///
/// # Errors
///
/// [`StoreError::Address`] if the authorities cannot be read.
pub(super) fn client_config(check: Check) -> Result<ClientConfig, StoreError> {
    let provider = Arc::new(ring::default_provider());
    let unusable = |error: rustls::Error| StoreError::Address(error.to_string());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(unusable)?;
    Ok(match check {
        Check::Nothing => config_no_verify(),
        Check::AuthorityAndName(from) => builder.with_root_certificates(roots(&from)?).with_no_client_auth(),
        Check::Authority(from) => {
            let verifier = AuthorityAlone::new(roots(&from)?, provider)?;
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
        }
    })
}

fn roots(from: &Roots) -> Result<RootCertStore, StoreError> {
    let mut roots = RootCertStore::empty();
    match from {
        Roots::System => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            if roots.is_empty() {
                let fault = "the system's trust store is empty: set sslrootcert";
                return Err(StoreError::Address(fault.to_owned()));
            }
        }
        Roots::File(path) => {
            for certificate in certificates(path)? {
                roots.add(certificate).map_err(|error| root_fault(path, &error))?;
            }
        }
    }
    Ok(roots)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, StoreError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let certificates = read.map_err(|error| root_fault(path, &error))?;
    if certificates.is_empty() {
        Err(root_fault(path, &"the file contains no certificate"))
    } else {
        Ok(certificates)
    }
}

fn root_fault(path: &Path, fault: &dyn std::fmt::Display) -> StoreError {
    StoreError::Address(format!("sslrootcert={} cannot be used: {fault}", path.display()))
}

/// Verifies who signed a certificate, but not its host name: `sslmode=verify-ca`.
#[derive(Debug)]
struct AuthorityAlone(Arc<WebPkiServerVerifier>);

impl AuthorityAlone {
    fn new(roots: RootCertStore, provider: Arc<CryptoProvider>) -> Result<AuthorityAlone, StoreError> {
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
        verifier.map(AuthorityAlone).map_err(|error| StoreError::Address(error.to_string()))
    }
}

impl ServerCertVerifier for AuthorityAlone {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verified = self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        // rustls checks the name last, so the signature was valid.
        let has_other_name = matches!(
            &verified,
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }
            ))
        );
        if has_other_name { Ok(ServerCertVerified::assertion()) } else { verified }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
