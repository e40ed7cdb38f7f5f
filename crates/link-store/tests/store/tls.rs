//! TLS to PostgreSQL as the address requests it.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::{Backend, TestDatabase, TlsServer};
use link_store::{KeyFiles, Store, StoreError, StoreSettings};
use link_test_support::relay::Relay;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tempfile::TempDir;

/// A server with a certificate for `localhost` that is signed by a test authority.
struct Secured {
    server: TlsServer,
    folder: TempDir,
}

impl Secured {
    fn start() -> Secured {
        let folder = tempfile::tempdir().unwrap();
        let authority = authority("authority");
        std::fs::write(folder.path().join("authority.pem"), pem("CERTIFICATE", authority.der())).unwrap();
        std::fs::write(
            folder.path().join("another.pem"),
            pem("CERTIFICATE", self::authority("another").der()),
        )
        .unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate =
            CertificateParams::new(["localhost".to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
        let server = TlsServer::start(
            &pem("CERTIFICATE", certificate.der()),
            &pem("PRIVATE KEY", key.serialized_der()),
        );
        Secured { server, folder }
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    async fn open(&self, address: String) -> Result<(), String> {
        self.try_open(address).await.map_err(|refused| refused.to_string())
    }

    async fn try_open(&self, address: String) -> Result<(), StoreError> {
        let keys = KeyFiles::new(self.path("master.key"), self.path("keys"));
        let settings = StoreSettings::Postgres { address: address.into(), connections: 1, keys };
        Store::open(settings).await?.close().await;
        Ok(())
    }

    /// Opens the store with a certificate file and a verification mode.
    async fn open_checking(&self, host: &str, mode: &str, file: &str) -> Result<(), String> {
        let parameters = format!("sslmode={mode}&sslrootcert={}", self.file(file));
        self.open(self.server.address(host, &parameters)).await
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn pem(label: &str, der: &[u8]) -> String {
    let encoded = STANDARD.encode(der);
    let lines: Vec<_> = encoded.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

fn authority(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new([]).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

#[tokio::test]
async fn tls_is_verified_as_the_address_requests() {
    let secured = Secured::start();
    let open = |parameters: &str| secured.open(secured.server.address("localhost", parameters));

    let refused = open("sslmode=disable").await.unwrap_err();
    assert!(refused.starts_with("PostgreSQL: "), "the server requires TLS: {refused}");
    for parameters in ["", "sslmode=prefer", "sslmode=require", "sslmode=require&channel_binding=require"] {
        assert_eq!(open(parameters).await, Ok(()), "{parameters}");
    }
    for mode in ["require", "verify-ca", "verify-full"] {
        assert_eq!(secured.open_checking("localhost", mode, "authority.pem").await, Ok(()), "{mode}");
        let refused = secured.open_checking("localhost", mode, "another.pem").await.unwrap_err();
        assert!(refused.contains("UnknownIssuer") && refused.contains("sslrootcert"), "{mode}: {refused}");
        assert!(!refused.contains(TlsServer::PASSWORD), "{refused}");
    }
    assert_eq!(secured.open_checking("127.0.0.1", "verify-ca", "authority.pem").await, Ok(()));
    let refused = secured.open_checking("127.0.0.1", "verify-full", "authority.pem").await.unwrap_err();
    assert!(refused.contains("not valid for name"), "the certificate is for localhost: {refused}");
    let refused = open("sslmode=verify-full").await.unwrap_err();
    assert!(refused.contains("UnknownIssuer"), "the system does not trust it: {refused}");
    assert_eq!(secured.open(secured.server.socket_address("sslmode=require")).await, Ok(()), "like psql");
}

#[tokio::test]
async fn tls_fault_is_a_lasting_refusal() {
    let secured = Secured::start();
    let [own, another] = ["authority.pem", "another.pem"].map(|it| secured.file(it));
    for (host, root) in [("localhost", &another), ("127.0.0.1", &own)] {
        let parameters = format!("sslmode=verify-full&sslrootcert={root}");
        let refused = secured.try_open(secured.server.address(host, &parameters)).await.unwrap_err();
        assert!(matches!(refused, StoreError::Refused(_)), "{refused:?}");
    }
    let plain = TestDatabase::new(Backend::Postgres);
    let (socket, name) = plain.socket();
    let relay = Relay::start(&socket);
    let address = format!("host=127.0.0.1 port={} user=linchpin dbname={name} sslmode=require", relay.port());
    let refused = secured.try_open(address).await.unwrap_err();
    assert!(matches!(&refused, StoreError::Refused(words) if words.contains("enable TLS")), "{refused:?}");
    // A server that is stopping closes its connections in the middle of a handshake.
    relay.move_to(&socket.with_file_name("no-server"));
    let address = format!("host=127.0.0.1 port={} user=linchpin sslmode=require", relay.port());
    let away = secured.try_open(address).await.unwrap_err();
    assert!(matches!(away, StoreError::Unreachable(_)), "{away:?}");
}

#[tokio::test]
async fn invalid_root_certificate_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    for file in [empty, folder.path().join("nowhere.pem")] {
        let address = format!("host=localhost sslmode=verify-full sslrootcert={}", file.display());
        let keys = KeyFiles::new(folder.path().join("k"), folder.path().join("d"));
        let settings = StoreSettings::Postgres { address: address.into(), connections: 1, keys };
        let refused = Store::open(settings).await.err().unwrap();
        assert!(matches!(refused, StoreError::Address(_)), "{refused}");
        assert!(refused.to_string().contains(&file.display().to_string()), "{refused}");
    }
}

#[tokio::test]
async fn verified_tls_on_a_unix_socket_is_rejected() {
    for hosts in ["host=/run hostaddr=127.0.0.1", "host=/run,localhost"] {
        let folder = tempfile::tempdir().unwrap();
        let keys = KeyFiles::new(folder.path().join("k"), folder.path().join("d"));
        let address = format!("{hosts} user=linchpin sslmode=verify-full");
        let settings = StoreSettings::Postgres { address: address.into(), connections: 1, keys };
        let refused = Store::open(settings).await.err().unwrap();
        assert!(matches!(&refused, StoreError::Address(fault) if fault.contains("socket")), "{refused}");
    }
}
