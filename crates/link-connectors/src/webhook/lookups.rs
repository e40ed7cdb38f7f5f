//! Names of receivers, looked up without a thread each: a name server that never answers holds its own look-ups only.

use std::io;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::system_conf::read_system_conf;
use link_domain::ports::Answer;
use link_domain::webhook::ATTEMPTS_AT_ONCE;
use tokio::time::{Instant, timeout};

use super::outward::Resolve;

/// How long one query waits for a name server.
const QUERY_TIMEOUT: Duration = Duration::from_millis(1_500);
/// How long a look-up may take in all; shorter than the connection of an attempt may take.
pub(super) const LOOKUP_TIMEOUT: Duration = Duration::from_secs(4);
/// How long the system's configuration is used before it is read again.
const CONFIGURATION_AGE: Duration = Duration::from_secs(60);

/// Looks names up as `/etc/hosts` and `/etc/resolv.conf` say. Every name is taken as a full name: the search list of
/// `resolv.conf` is not applied.
pub struct DnsResolver {
    /// Where the name servers are read from; fixed in tests.
    read: Box<dyn Fn() -> io::Result<(ResolverConfig, ResolverOpts)> + Send + Sync>,
    current: Mutex<Option<(Instant, TokioResolver)>>,
}

impl Default for DnsResolver {
    fn default() -> Self {
        Self::reading(|| read_system_conf().map_err(io::Error::other))
    }
}

impl DnsResolver {
    /// A resolver that asks one name server and not those of the system.
    pub fn asking(server: SocketAddr) -> Self {
        let mut connection = ConnectionConfig::udp();
        connection.port = server.port();
        let mut name_server = NameServerConfig::udp(server.ip());
        name_server.connections = vec![connection];
        let config = ResolverConfig::from_parts(None, Vec::new(), vec![name_server]);
        Self::reading(move || Ok((config.clone(), ResolverOpts::default())))
    }

    fn reading(
        read: impl Fn() -> io::Result<(ResolverConfig, ResolverOpts)> + Send + Sync + 'static,
    ) -> Self {
        Self { read: Box::new(read), current: Mutex::default() }
    }

    /// The resolver of the current configuration. What it has cached is forgotten with an old one.
    fn current(&self) -> io::Result<TokioResolver> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        match &*current {
            Some((made, resolver)) if made.elapsed() < CONFIGURATION_AGE => Ok(resolver.clone()),
            known => {
                // With a configuration that cannot be read now, the one before it is the best there is.
                let resolver = match (self.made(), known) {
                    (Ok(resolver), _) => resolver,
                    (Err(error), Some((_, before))) => {
                        tracing::warn!(%error, "the configuration of the name servers cannot be read");
                        before.clone()
                    }
                    (Err(error), None) => {
                        tracing::error!(%error, "the configuration of the name servers cannot be read");
                        return Err(error);
                    }
                };
                *current = Some((Instant::now(), resolver.clone()));
                Ok(resolver)
            }
        }
    }

    fn made(&self) -> io::Result<TokioResolver> {
        let (config, mut options) = (self.read)()?;
        options.timeout = QUERY_TIMEOUT;
        options.attempts = 1;
        options.max_active_requests = ATTEMPTS_AT_ONCE;
        options.positive_max_ttl = Some(CONFIGURATION_AGE);
        options.negative_max_ttl = Some(CONFIGURATION_AGE);
        // Addresses are tried in turn, and more hosts have no way to the IPv6 internet than none to IPv4.
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        builder.with_options(options).build().map_err(io::Error::other)
    }

    async fn look_up(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let resolver = self.current()?;
        let full = format!("{}.", host.trim_end_matches('.'));
        let found = resolver.lookup_ip(full).await.map_err(io::Error::other)?;
        Ok(found.iter().map(|address| SocketAddr::new(address, port)).collect())
    }
}

impl Resolve for DnsResolver {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Answer<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move {
            let found = timeout(LOOKUP_TIMEOUT, self.look_up(host, port)).await;
            found.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        })
    }
}
