//! Limits on the connections that the service accepts.

use std::time::Duration;

use link_connectors::networks::Networks;

use super::error::SettingsError;

/// Limits on the number of connections, and on how long a connection may be inactive.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Maximum number of open connections, at least 1.
    pub total: usize,
    /// Maximum number of open connections from one network (an IPv4 address or IPv6 /64), at least 1.
    pub per_network: usize,
    /// Networks that are exempt from `per_network`: trusted proxies and this machine.
    pub exempt: Networks,
    /// Time from the accept, or from the last response, to the whole head of the next request.
    pub idle: Duration,
    /// Time within which a client must accept more bytes of a response.
    pub write: Duration,
}

/// The limits as configured. An absent value has a default.
pub(super) struct ConnectionInput<'a> {
    pub(super) total: Option<u32>,
    pub(super) per_network: Option<u32>,
    pub(super) trusted_proxies: &'a [String],
    pub(super) idle: Option<f64>,
    pub(super) write: Option<f64>,
}

/// A proxy on the service's own machine is exempt without configuration.
const THIS_MACHINE: [&str; 2] = ["127.0.0.0/8", "::1/128"];

impl ConnectionInput<'_> {
    pub(super) fn settle(self) -> Result<ConnectionLimits, SettingsError> {
        let exempt = self.trusted_proxies.iter().map(String::as_str).chain(THIS_MACHINE);
        Ok(ConnectionLimits {
            total: count("max-connections", self.total, 4096)?,
            per_network: count("max-connections-per-network", self.per_network, 256)?,
            exempt: Networks::parse(exempt)
                .map_err(|fault| SettingsError::Network { name: "trusted-proxies", fault })?,
            idle: seconds("idle-seconds", self.idle, 75.0)?,
            write: seconds("write-seconds", self.write, 30.0)?,
        })
    }
}

fn count(name: &'static str, given: Option<u32>, default: usize) -> Result<usize, SettingsError> {
    match given.map(|it| usize::try_from(it).unwrap_or(usize::MAX)) {
        Some(0) => Err(SettingsError::Range { name, range: "at least 1" }),
        given => Ok(given.unwrap_or(default)),
    }
}

fn seconds(name: &'static str, given: Option<f64>, default: f64) -> Result<Duration, SettingsError> {
    let seconds = given.unwrap_or(default);
    if (0.1..=3600.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(SettingsError::Range { name, range: "0.1 to 3600" })
    }
}
