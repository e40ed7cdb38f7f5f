//! Connects to a PostgreSQL server, with TLS if its address asks for it.

use std::error::Error;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use postgres::config::{Host, SslMode, SslNegotiation};
use postgres::error::SqlState;
use postgres::{Config, NoTls};
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
use rustls_tokio_postgres::{MakeRustlsConnect, config_no_verify};

use super::postgres_address::{Address, Check, Roots};
use crate::StoreError;
use crate::error::passes;
use crate::sql::session::PgConnection;

/// The settings of each connection. Every statement of the store touches few rows through an index, so compiling one takes
/// longer than running it: a tenth of a second when the server overestimates its rows (ADR 189).
const SETTINGS: &str = "SET jit = off";

/// A server and how to connect to it.
#[derive(Clone)]
pub(crate) struct PostgresServer {
    config: Config,
    /// `None` for a Unix socket, and if the address disables TLS.
    tls: Option<MakeRustlsConnect>,
    /// The server is on another machine and its identity is not verified.
    is_unverified: bool,
}

impl PostgresServer {
    /// Parses the address of a server, `postgres://…` or `host=… …`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Address`] if the address is invalid, or its certificates cannot be read.
    pub(crate) fn parse(address: &str) -> Result<PostgresServer, StoreError> {
        let Address { driver, mut check, says_how } = Address::parse(address)?;
        let mut config: Config = driver.parse().map_err(|error| StoreError::Address(parse_fault(&error)))?;
        let is_remote = is_remote(&config);
        if is_remote && !says_how {
            config.ssl_mode(SslMode::Require);
            check = Check::AuthorityAndName(Roots::System);
        }
        let is_unverified = is_remote && !matches!(check, Check::AuthorityAndName(_));
        let (hosts, mode) = (config.get_hosts(), config.get_ssl_mode());
        // A host with its own `hostaddr` is not a socket, regardless of its name.
        let is_local = |host: &Host| matches!(host, Host::Unix(_)) && config.get_hostaddrs().is_empty();
        if mode == SslMode::Disable || (!hosts.is_empty() && hosts.iter().all(is_local)) {
            // Like libpq: a Unix socket has no TLS, regardless of the address.
            config.ssl_mode(SslMode::Disable);
            return Ok(PostgresServer { config, tls: None, is_unverified });
        }
        if hosts.iter().any(|host| matches!(host, Host::Unix(_))) {
            let fault = "a Unix socket has no TLS: remove the other host or hostaddr, or set sslmode=disable";
            return Err(StoreError::Address(fault.to_owned()));
        }
        if config.get_hosts().is_empty() {
            // TLS needs a server name, which may be an IP address.
            for address in config.get_hostaddrs().to_vec() {
                config.host(&address.to_string());
            }
        }
        let mut tls = client_config(check)?;
        if config.get_ssl_negotiation() == SslNegotiation::Direct {
            tls.alpn_protocols = vec![b"postgresql".to_vec()];
        }
        Ok(PostgresServer { config, tls: Some(MakeRustlsConnect::new(tls)), is_unverified })
    }

    /// Warns if the server is on another machine and its identity is not verified.
    pub(crate) fn warn(&self) {
        if self.is_unverified {
            tracing::warn!(
                "The identity of the database server is not verified, so another machine could read and change the \
                 data: set sslmode=verify-full in the database address, unless you control the whole network \
                 between them (docs/how-to/operating.md)"
            );
        }
    }

    /// Opens a connection.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreachable`] if there is no connection, [`StoreError::Refused`] if the server rejects the login.
    pub(crate) fn connect(&self) -> Result<PgConnection, StoreError> {
        let connected = match &self.tls {
            Some(tls) => self.config.connect(tls.clone()),
            None => self.config.connect(NoTls),
        };
        let mut client = connected.map_err(unreachable)?;
        client.batch_execute(SETTINGS).map_err(unreachable)?;
        Ok(PgConnection::new(client))
    }
}

/// Returns whether any server of an address is on another machine.
fn is_remote(config: &Config) -> bool {
    if !config.get_hostaddrs().is_empty() {
        return config.get_hostaddrs().iter().any(|address| !address.is_loopback());
    }
    config.get_hosts().iter().any(|host| match host {
        Host::Unix(_) => false,
        Host::Tcp(name) => {
            let is_name = name == "localhost" || name.ends_with(".localhost");
            !is_name && !name.parse::<IpAddr>().is_ok_and(|it| it.is_loopback())
        }
    })
}

/// Describes an address that the driver cannot parse.
///
/// The driver's message quotes the text that it parsed as an option name, which may be a part of the password.
fn parse_fault(error: &postgres::Error) -> String {
    const OPTIONS: [&str; 12] = [
        "application_name",
        "channel_binding",
        "connect_timeout",
        "dbname",
        "host",
        "hostaddr",
        "keepalives",
        "port",
        "sslmode",
        "sslnegotiation",
        "target_session_attrs",
        "user",
    ];
    let words = error.source().map(ToString::to_string).unwrap_or_default();
    match OPTIONS.iter().find(|option| words == format!("invalid value for option `{option}`")) {
        Some(option) => format!("{option} has an invalid value"),
        None => "it cannot be parsed. In postgres://user:password@host/db, write special characters of the password \
                 as %40 (@), %3A (:), %2F (/), %3F (?) and %25 (%)"
            .to_owned(),
    }
}

/// Converts a connection error. The driver says what it was doing. The reason comes from the error's causes or the
/// server.
fn unreachable(error: postgres::Error) -> StoreError {
    if let Some(refusal) = error.as_db_error() {
        let words = format!("{}{}", refusal.message(), advice(refusal.code()));
        return if passes(refusal.code()) {
            StoreError::Unreachable(words)
        } else {
            StoreError::Refused(words)
        };
    }
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(below) = cause {
        words.push_str(&format!(": {below}"));
        cause = below.source();
    }
    if ["UnknownIssuer", "BadSignature"].iter().any(|fault| words.contains(fault)) {
        words.push_str(" (set sslrootcert=… in the database address to the file of its authority)");
    } else if words.contains("does not support TLS") {
        words.push_str(
            " (enable TLS on the server; or set sslmode=prefer in the address if you control the whole network)",
        );
    } else if words.starts_with("error connecting to server") {
        words.push_str(". Check that the server is running, and check host and port in the database address");
    }
    StoreError::Unreachable(words)
}

/// Returns what to do about a rejected connection. Empty if the server's message says it all.
fn advice(code: &SqlState) -> &'static str {
    match *code {
        SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            ". Check user, password and sslmode in the database address, and pg_hba.conf on the server"
        }
        SqlState::INVALID_CATALOG_NAME => {
            ". Create it (`createdb NAME --owner USER`), or use another one in the database address"
        }
        SqlState::CANNOT_CONNECT_NOW => ". Start again when the server is ready",
        SqlState::TOO_MANY_CONNECTIONS => ". Raise max_connections on the server, or run fewer nodes",
        _ => "",
    }
}

fn client_config(check: Check) -> Result<ClientConfig, StoreError> {
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

#[cfg(test)]
mod connection_tests {
    use secrecy::ExposeSecret as _;

    use super::*;
    use crate::StoreSettings;
    use crate::test_support::{Backend, TestDatabase};

    #[test]
    fn connection_does_not_compile_statements() {
        let database = TestDatabase::new(Backend::Postgres);
        let StoreSettings::Postgres { address, .. } = database.settings() else { panic!("not PostgreSQL") };
        let server = PostgresServer::parse(address.expose_secret()).unwrap();
        let jit: String = server.connect().unwrap().client.query_one("SHOW jit", &[]).unwrap().get(0);
        assert_eq!(jit, "off");
    }
}

#[cfg(test)]
mod address_tests {
    use super::*;

    fn server(address: &str) -> (SslMode, bool) {
        let server = PostgresServer::parse(address).unwrap();
        (server.config.get_ssl_mode(), server.is_unverified)
    }

    #[test]
    fn remote_server_is_verified_by_default() {
        for remote in
            ["postgres://u:p@db.internal/d", "host=10.0.0.1 user=u", "host=localhost hostaddr=10.0.0.1"]
        {
            assert_eq!(server(remote), (SslMode::Require, false), "{remote}");
        }
        for (mode, asked) in
            [("disable", SslMode::Disable), ("prefer", SslMode::Prefer), ("require", SslMode::Require)]
        {
            assert_eq!(server(&format!("postgres://u@db.internal/d?sslmode={mode}")), (asked, true));
        }
        assert!(!server("postgres://u@db.internal/d?sslmode=verify-full").1);
    }

    #[test]
    fn local_server_needs_no_certificate() {
        for local in ["postgres://u:p@localhost/d", "host=127.0.0.1 user=u", "host=::1 user=u"] {
            assert_eq!(server(local), (SslMode::Prefer, false), "{local}");
        }
        assert_eq!(server("host=/run/postgresql user=u"), (SslMode::Disable, false));
    }

    #[test]
    fn rejected_address_does_not_show_its_password() {
        for address in [
            "host=h password=can canary=1 user=u",
            "host=h user=u password='canary",
            "postgres://u:canary@h:port/d",
            "postgres://u:can/canary@h/d",
            "postgres://u:can?canary=1@h/d?canary=2",
            "postgres://u:%ffcanary@h/d",
            "postgres://u:p@h/d?canary=1",
            "postgres://u:canary@h/d?sslmode=canary",
        ] {
            if let Err(refused) = PostgresServer::parse(address) {
                let refused = refused.to_string();
                assert!(!refused.contains("canary"), "{address}: {refused}");
            }
        }
    }
}
