//! HTTPS: which certificates are trusted, and the reasons for rejecting others.

use std::io::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::linking::account_source::{SourceInput, Step};
use link_types::LinkErrorCode::SystemError;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rstest::rstest;
use tempfile::NamedTempFile;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use super::super::exchange::Operation;
use super::super::fault::ExchangeError;
use super::super::message::StepResponse;
use super::stub::{Stub, StubResponse};
use super::{source_with, step};

const CONNECTED: &str = r#"{"outcome": "CONNECTED", "state": "s"}"#;

/// A private certificate authority and its file.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: NamedTempFile,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let mut file = NamedTempFile::new().unwrap();
        let lines = STANDARD.encode(issuer.der());
        write!(file, "-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n").unwrap();
        Self { issuer, file }
    }

    /// Returns the TLS acceptor of a connector with this name, whose certificate is valid in these years.
    fn acceptor(&self, name: &str, years: std::ops::Range<i32>) -> TlsAcceptor {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(years.start, 1, 1);
        params.not_after = date_time_ymd(years.end, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            )
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }
}

#[tokio::test]
async fn private_certificate_authority_is_trusted() {
    let authority = Authority::new();
    let stub =
        Stub::start_tls(authority.acceptor("localhost", 2020..4000), [StubResponse::ok(CONNECTED)]).await;
    let source = source_with(&stub.url, Some(authority.file.path().to_owned()), None);
    let step = step(&source, "s", SourceInput::Continue {}).await;
    assert!(matches!(step, Step::Connected { .. }), "{step:?}");
    assert_eq!(stub.requests().len(), 1);
}

#[rstest]
#[case::of_another_name("connector.example", 2020..4000, true, "name differs from that of the url")]
#[case::expired("localhost", 2019..2020, true, "has expired")]
#[case::of_the_future("localhost", 3990..4000, true, "not valid yet")]
#[case::of_an_unknown_authority("localhost", 2020..4000, false, "nor in the ca-file of the settings")]
#[tokio::test]
async fn untrusted_certificate_is_rejected_with_its_reason(
    #[case] name: &str,
    #[case] years: std::ops::Range<i32>,
    #[case] is_known: bool,
    #[case] words: &str,
) {
    let authority = Authority::new();
    let stub = Stub::start_tls(authority.acceptor(name, years), [StubResponse::ok(CONNECTED)]).await;
    let trusted = if is_known { &authority } else { &Authority::new() };
    let source = source_with(&stub.url, Some(trusted.file.path().to_owned()), None);
    let asked =
        source.exchange.ask(Operation::Step, b"{}".to_vec(), |it: StepResponse| it.step("aurora")).await;
    let fault = asked.unwrap_err();
    assert!(matches!(fault, ExchangeError::Untrusted { .. }), "{fault:?}");
    assert!(fault.to_string().contains(words), "{fault}");
    assert!(fault.is_operators() && fault.wait(1, true).is_none(), "only the operator can fix it");
    let step = step(&source, "s", SourceInput::Continue {}).await;
    assert_eq!(step, Step::Failed { code: SystemError });
    assert_eq!(stub.requests().len(), 0, "credentials were sent");
}
