//! Logs in at the first host of a cluster that accepts the connection.
//!
//! Our own: the driver tries one host after the other, so one that is silent hides the primary behind it (ADR 284).

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use rustls_tokio_postgres::MakeRustlsConnect;
use tokio_postgres::config::{Host, LoadBalanceHosts};
use tokio_postgres::{Client, Config, Error, NoTls};

use super::postgres_client::Driver;
use super::postgres_notices::{Warnings, drive};

/// How long a host may take before the next one is tried as well.
const HEAD_START: Duration = Duration::from_millis(200);

/// A connection whose login has succeeded.
pub(super) struct LoggedIn {
    pub(super) client: Client,
    pub(super) driver: Driver,
    pub(super) warnings: Warnings,
}

/// Returns a configuration for each host of an address, in their order.
pub(super) fn split_hosts(all: &Config) -> Vec<Config> {
    let count = all.get_hosts().len().max(all.get_hostaddrs().len());
    let ports = all.get_ports();
    let is_valid = ports.len() <= 1 || ports.len() == count;
    // The driver shuffles hosts that share the load, and reports lists that do not match.
    let is_paired = all.get_hosts().is_empty()
        || all.get_hostaddrs().is_empty()
        || all.get_hosts().len() == all.get_hostaddrs().len();
    if count < 2 || !is_valid || !is_paired || all.get_load_balance_hosts() == LoadBalanceHosts::Random {
        return vec![all.clone()];
    }
    let of_host = |number: usize| {
        let mut one = copy_without_hosts(all);
        match all.get_hosts().get(number) {
            Some(Host::Tcp(name)) => _ = one.host(name.clone()),
            Some(Host::Unix(path)) => _ = one.host_path(path),
            None => {}
        }
        if let Some(address) = all.get_hostaddrs().get(number) {
            one.hostaddr(*address);
        }
        if let Some(port) = ports.get(number).or(ports.first()) {
            one.port(*port);
        }
        one
    };
    (0..count).map(of_host).collect()
}

fn copy_without_hosts(all: &Config) -> Config {
    let mut one = Config::new();
    one.ssl_mode(all.get_ssl_mode()).ssl_negotiation(all.get_ssl_negotiation());
    one.keepalives(all.get_keepalives()).keepalives_idle(all.get_keepalives_idle());
    one.target_session_attrs(all.get_target_session_attrs()).channel_binding(all.get_channel_binding());
    if let Some(it) = all.get_user() {
        one.user(it);
    }
    if let Some(it) = all.get_password() {
        one.password(it);
    }
    if let Some(it) = all.get_dbname() {
        one.dbname(it);
    }
    if let Some(it) = all.get_options() {
        one.options(it);
    }
    if let Some(it) = all.get_application_name() {
        one.application_name(it);
    }
    if let Some(it) = all.get_connect_timeout() {
        one.connect_timeout(*it);
    }
    if let Some(it) = all.get_tcp_user_timeout() {
        one.tcp_user_timeout(*it);
    }
    if let Some(it) = all.get_keepalives_interval() {
        one.keepalives_interval(it);
    }
    if let Some(it) = all.get_keepalives_retries() {
        one.keepalives_retries(it);
    }
    one
}

/// Logs in at the first host that accepts. A host that has not responded within [`HEAD_START`] does not hold up the next one.
///
/// # Errors
///
/// The last error, if every host refuses.
pub(super) async fn log_in_at_first(
    hosts: &[Config],
    tls: Option<&MakeRustlsConnect>,
) -> Result<LoggedIn, Error> {
    let (mut pending, mut next) = (FuturesUnordered::new(), hosts.iter());
    let mut last_refusal = None;
    loop {
        if let Some(host) = next.next() {
            pending.push(log_in(host, tls));
        }
        let first = if next.len() > 0 {
            tokio::time::timeout(HEAD_START, pending.next()).await
        } else {
            Ok(pending.next().await)
        };
        match (first, last_refusal.take()) {
            (Ok(Some(Ok(connected))), _) => return Ok(connected),
            (Ok(Some(Err(refusal))), _) => last_refusal = Some(refusal),
            (Ok(None), Some(refusal)) => return Err(refusal),
            (Ok(None), None) => std::future::pending().await,
            (Err(_), known) => last_refusal = known,
        }
    }
}

async fn log_in(host: &Config, tls: Option<&MakeRustlsConnect>) -> Result<LoggedIn, Error> {
    let warnings = Warnings::default();
    Ok(match tls {
        Some(tls) => {
            let (client, connection) = host.connect(tls.clone()).await?;
            LoggedIn { client, driver: Box::pin(drive(connection, warnings.clone())), warnings }
        }
        None => {
            let (client, connection) = host.connect(NoTls).await?;
            LoggedIn { client, driver: Box::pin(drive(connection, warnings.clone())), warnings }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(address: &str) -> Vec<Config> {
        split_hosts(&address.parse().unwrap())
    }

    #[test]
    fn each_host_keeps_every_other_parameter() {
        let others = "user=u password=p dbname=d options='-c a=b' application_name=n sslmode=require \
                      sslnegotiation=direct connect_timeout=7 tcp_user_timeout=8 keepalives_idle=9 \
                      keepalives_interval=10 keepalives_retries=11 target_session_attrs=read-write channel_binding=disable";
        let found = split(&format!("host=a,b hostaddr=10.0.0.1,10.0.0.2 port=1,2 {others}"));
        let expected = ["host=a hostaddr=10.0.0.1 port=1", "host=b hostaddr=10.0.0.2 port=2"]
            .map(|host| format!("{host} {others}").parse::<Config>().unwrap());
        assert_eq!(found, expected);
        assert_eq!(split("host=a,b port=5 user=u")[1], "host=b port=5 user=u".parse().unwrap());
    }

    #[test]
    fn driver_judges_lists_that_do_not_match() {
        for address in ["host=a", "host=a,b port=1,2,3", "host=a,b load_balance_hosts=random"] {
            assert_eq!(split(address), [address.parse::<Config>().unwrap()], "{address}");
        }
    }
}
