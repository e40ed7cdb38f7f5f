//! Connects to a PostgreSQL server, with TLS if its address asks for it.

use std::error::Error;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use rustls_tokio_postgres::{MakeRustlsConnect, rustls};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, SslNegotiation, TargetSessionAttrs};
use tokio_postgres::error::SqlState;

use super::PgClient;
use super::postgres_address::{Address, Check, Roots};
use super::postgres_login::split_hosts;
use super::postgres_tls::client_config;
use crate::StoreError;
use crate::error::sql_state::{Consequence, consequence_of_code};
use crate::sql::PgConnection;

/// The settings of each connection. Every statement of the store touches few rows through an index, so compiling one takes
/// longer than running it: a tenth of a second when the server overestimates its rows (ADR 189). They are part of the login,
/// so a pooler never gives them to another client.
const SETTINGS: &str = "-c jit=off";

/// How often to look for a pooler in transaction mode at the start.
const POOLING_CHECKS: usize = 3;
const POOLED: &str = "it leads to a pooler in transaction or statement mode, and the service needs sessions. Set pool_mode = \
                      session for this database in the pooler (a node opens 17 connections), or name PostgreSQL itself";

/// How long one login may take, how long sent data may stay unacknowledged, and when and how often an idle connection is
/// probed, unless the address says otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(10);
const KEEPALIVE_IDLE: Duration = Duration::from_secs(30);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_RETRIES: u32 = 3;

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
        let Address { driver, mut check, says_how, named } = Address::parse(address)?;
        let mut config: Config = driver.parse().map_err(|error| StoreError::Address(parse_fault(&error)))?;
        set_defaults(&mut config, &named);
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
                config.host(address.to_string());
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

    /// Returns how long connecting may take. The hosts of an address share this time, because they are tried together.
    pub(crate) fn connect_timeout(&self) -> Duration {
        self.config.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT)
    }

    /// Opens a connection to the first host that accepts writes.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreachable`] if there is no connection, [`StoreError::Refused`] if the server rejects the login.
    pub(crate) fn connect(&self) -> Result<PgConnection, StoreError> {
        let mut client = self.log_in()?;
        client.set_deadline(Some(Instant::now() + self.connect_timeout()));
        if client.find_text("SHOW jit")?.as_deref() != Some("off") {
            // The session mode of a pooler resets it before another client gets the session.
            client.batch_execute("SET jit = off")?;
        }
        client.set_deadline(None);
        Ok(PgConnection::new(client))
    }

    fn log_in(&self) -> Result<PgClient, StoreError> {
        let mut config = self.config.clone();
        let options = format!("{SETTINGS} {}", config.get_options().unwrap_or_default());
        config.options(options.trim_end());
        let connect = |config: &Config| {
            PgClient::connect(&split_hosts(config), self.tls.as_ref(), self.connect_timeout())
        };
        match connect(&config)? {
            Err(error) if rejects_options(&error) => connect(&self.config)?.map_err(unreachable),
            connected => connected.map_err(unreachable),
        }
    }

    /// Rejects a pooler that gives each transaction of a session to any connection of the server. Prepared statements would
    /// be missing there, and settings would reach other clients.
    ///
    /// # Errors
    ///
    /// [`StoreError::Address`] with the remedy; see [`PostgresServer::connect`].
    pub(crate) fn check_pooling(&self) -> Result<(), StoreError> {
        let mut sessions = [self.log_in()?, self.log_in()?];
        for session in &mut sessions {
            session.set_deadline(Some(Instant::now() + self.connect_timeout()));
        }
        let [first, second] = &mut sessions;
        for _ in 0..POOLING_CHECKS {
            match is_pooled(first, second) {
                Ok(false) => {}
                // If the pooler has one connection, the first session waits for the second one's transaction.
                Ok(true) | Err(StoreError::Overdue) => return Err(StoreError::Address(POOLED.to_owned())),
                Err(StoreError::Postgres(error))
                    if error.as_db_error().is_some_and(|it| it.message().contains("pooling")) =>
                {
                    return Err(StoreError::Address(POOLED.to_owned()));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Returns whether two sessions use the same process of the server, or one of them has changed it.
fn is_pooled(first: &mut PgClient, second: &mut PgClient) -> Result<bool, StoreError> {
    const PROCESS: &str = "SELECT pg_backend_pid()";
    let before = first.find_text(PROCESS)?;
    second.batch_execute("BEGIN")?;
    let other = second.find_text(PROCESS)?;
    let after = first.find_text(PROCESS)?;
    second.batch_execute("ROLLBACK")?;
    Ok(before == other || before != after)
}

/// Returns whether a pooler rejected the settings of a login.
fn rejects_options(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|it| it.message().contains("unsupported startup parameter"))
}

/// Sets what the address leaves out.
fn set_defaults(config: &mut Config, named: &[String]) {
    let names = |parameter: &str| named.iter().any(|it| it == parameter);
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_TIMEOUT);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(TCP_USER_TIMEOUT);
    }
    if !names("keepalives_idle") {
        config.keepalives_idle(KEEPALIVE_IDLE);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(KEEPALIVE_INTERVAL);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(KEEPALIVE_RETRIES);
    }
    if !names("target_session_attrs") {
        // A standby, or a primary that was demoted, would return old rows.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
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
fn parse_fault(error: &tokio_postgres::Error) -> String {
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
fn unreachable(error: tokio_postgres::Error) -> StoreError {
    if let Some(refusal) = error.as_db_error() {
        let words = format!("{}{}", refusal.message(), advice(refusal.code()));
        return match consequence_of_code(refusal.code()) {
            Consequence::None => StoreError::Refused(words),
            Consequence::ComeBack => StoreError::Crowded(words),
            Consequence::RunAgain | Consequence::ServerLost => StoreError::Unreachable(words),
        };
    }
    let (mut words, mut is_refused) = (error.to_string(), false);
    let mut cause = error.source();
    while let Some(below) = cause {
        words.push_str(&format!(": {below}"));
        is_refused |= is_of_tls(below);
        cause = below.source();
    }
    if ["UnknownIssuer", "BadSignature"].iter().any(|fault| words.contains(fault)) {
        words.push_str(" (set sslrootcert=… in the database address to the file of its authority)");
    } else if words.contains("does not support TLS") {
        is_refused = true;
        words.push_str(
            " (enable TLS on the server; or set sslmode=prefer in the address if you control the whole network)",
        );
    } else if words.contains("does not allow writes") {
        words.push_str(
            ": it is a standby, or default_transaction_read_only is on. Name all hosts of the cluster in the database \
             address: postgres://user:password@host1,host2/db",
        );
    } else if words.starts_with("error connecting to server") {
        words.push_str(". Check that the server is running, and check host and port in the database address");
    }
    if is_refused { StoreError::Refused(words) } else { StoreError::Unreachable(words) }
}

/// Returns whether an error is one of TLS itself, such as a certificate that is not trusted. A network that breaks during a
/// handshake is not.
fn is_of_tls(error: &(dyn Error + 'static)) -> bool {
    let inside = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    error.is::<rustls::Error>() || inside.is_some_and(|it| it.is::<rustls::Error>())
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
    fn password_that_reads_as_a_parameter_changes_no_default() {
        let attributes = |address: &str| {
            let server = PostgresServer::parse(address).unwrap();
            server.config.get_target_session_attrs()
        };
        for address in [
            "postgres://u:target_session_attrs=any@localhost/d",
            "postgres://u:p?target_session_attrs=any@localhost/d",
            "host=localhost user=u password='target_session_attrs=any'",
        ] {
            assert_eq!(attributes(address), TargetSessionAttrs::ReadWrite, "{address}");
        }
        for address in
            ["postgres://u@localhost/d?target_session_attrs=any", "host=localhost target_session_attrs=any"]
        {
            assert_eq!(attributes(address), TargetSessionAttrs::Any, "{address}");
        }
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
