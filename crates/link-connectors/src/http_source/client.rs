//! The HTTP client for connectors. It trusts the system's certificate authorities and the operator's own. It uses no
//! redirects and no proxies.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::settings::ConnectorError;
use crate::webhook::system_roots;

/// The client.
pub type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// How long a connection to an address may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Creates a client that trusts the system's certificate authorities, and those in the file.
pub(super) fn client(ca_file: Option<&Path>) -> Result<HttpClient, ConnectorError> {
    let mut roots = system_roots();
    if let Some(path) = ca_file {
        let unreadable = |_| ConnectorError::Authorities { path: path.to_owned() };
        let found: Vec<_> = CertificateDer::pem_file_iter(path)
            .map_err(unreadable)?
            .collect::<Result<_, _>>()
            .map_err(unreadable)?;
        let (added, _) = roots.add_parsable_certificates(found);
        if added == 0 {
            return Err(ConnectorError::Authorities { path: path.to_owned() });
        }
    }
    Ok(with_roots(roots))
}

/// Creates a client that trusts the system's certificate authorities.
#[must_use]
pub fn plain_client() -> HttpClient {
    with_roots(system_roots())
}

fn with_roots(roots: RootCertStore) -> HttpClient {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = match builder.with_safe_default_protocol_versions() {
        Ok(builder) => builder,
        Err(_) => unreachable!("ring offers ciphers for TLS 1.2 and 1.3"),
    };
    let tls = builder.with_root_certificates(roots).with_no_client_auth();
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
    let https = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
    Client::builder(TokioExecutor::new()).build(https.wrap_connector(tcp))
}
