//! Reasons that a tenant reads when TLS to its receiver fails.

use link_domain::notifications::webhook_sender::TlsError;
use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use super::*;

/// An authority that the sender trusts, and its intermediate one.
struct Authority {
    root: CertificateDer<'static>,
    intermediate: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let params = |name: &str| {
            let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
            params.distinguished_name.push(DnType::CommonName, name);
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            params
        };
        let root =
            CertifiedIssuer::self_signed(params("root.example"), KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let intermediate = CertifiedIssuer::signed_by(params("intermediate.example"), key, &root).unwrap();
        Self { root: root.der().clone(), intermediate }
    }

    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.root.clone()).unwrap();
        roots
    }

    /// Issues a certificate for a name, which `change` may spoil.
    fn issue(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> (Certificate, KeyPair) {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        (params.signed_by(&key, &self.intermediate).unwrap(), key)
    }

    async fn send(&self, url: &str) -> AttemptOutcome {
        sender(self.roots()).send(&request(url, true)).await
    }
}

fn sender(roots: RootCertStore) -> HttpSender<FakeResolver, TcpConnector> {
    HttpSender::with(loopback(), roots, names(), TcpConnector)
}

#[rstest]
#[case::valid("localhost", (2020, 2100), true, Ok(()))]
#[case::expired("localhost", (2020, 2021), true, Err(TlsError::Expired))]
#[case::not_yet_valid("localhost", (2090, 2100), true, Err(TlsError::NotValidYet))]
#[case::wrong_name("other.example", (2020, 2100), true, Err(TlsError::WrongName))]
#[case::without_intermediate("localhost", (2020, 2100), false, Err(TlsError::UnknownIssuer))]
#[tokio::test]
async fn attempt_names_the_fault_of_the_certificate(
    #[case] name: &str,
    #[case] years: (i32, i32),
    #[case] sends_intermediate: bool,
    #[case] expected: Result<(), TlsError>,
) {
    let authority = Authority::new();
    let (certificate, key) = authority.issue(name, |params| {
        params.not_before = date_time_ymd(years.0, 1, 1);
        params.not_after = date_time_ymd(years.1, 1, 1);
    });
    let mut chain = vec![certificate.der().clone()];
    if sends_intermediate {
        chain.push(authority.intermediate.der().clone());
    }
    let outcome = authority.send(&tls_receiver(chain, &key, None).await).await;
    assert_eq!(outcome.result.map(|_| ()), expected.map_err(SendError::Tls));
}

#[tokio::test]
async fn self_signed_certificate_is_accepted_only_if_trusted() {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let url = tls_receiver(vec![own.cert.der().clone()], &own.signing_key, None).await;
    let mut roots = RootCertStore::empty();
    roots.add(own.cert.der().clone()).unwrap();
    assert!(sender(roots).send(&request(&url, true)).await.is_accepted());
    let outcome = sender(RootCertStore::empty()).send(&request(&url, true)).await;
    assert_eq!(outcome.result, Err(SendError::Tls(TlsError::UnknownIssuer)));
}

#[tokio::test]
async fn receiver_that_wants_a_client_certificate_is_named() {
    let authority = Authority::new();
    let (certificate, key) = authority.issue("localhost", |_| {});
    let chain = vec![certificate.der().clone(), authority.intermediate.der().clone()];
    let url = tls_receiver(chain, &key, Some(authority.roots())).await;
    let outcome = authority.send(&url).await;
    assert_eq!(outcome.result, Err(SendError::Tls(TlsError::ClientCertificate)));
}

#[tokio::test]
async fn plain_http_on_the_port_of_a_receiver_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _hello = stream.read(&mut [0; 4_096]).await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n").await.unwrap();
    });
    let outcome = Authority::new().send(&url).await;
    assert_eq!(outcome.result, Err(SendError::Tls(TlsError::NotTls)));
}

async fn tls_receiver(
    chain: Vec<CertificateDer<'static>>,
    key: &KeyPair,
    clients: Option<RootCertStore>,
) -> String {
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(roots) => {
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        }
    };
    let acceptor = TlsAcceptor::from(Arc::new(builder.with_single_cert(chain, key).unwrap()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A client that does not trust the certificate aborts the handshake.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut buffer = vec![0; 4_096];
            while !buffer.contains(&b'}') {
                let _read = stream.read(&mut buffer).await.unwrap();
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        }
    });
    format!("https://localhost:{port}/")
}
