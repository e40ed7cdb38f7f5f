//! Looks up receivers' names without a thread for each: a name server that never responds delays only its own look-ups.

use std::io;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::RData;
use hickory_resolver::system_conf::read_system_conf;
use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::delivery::MAX_ATTEMPTS_AT_ONCE;
use tokio::time::{Instant, timeout};

use super::network::Resolve;

/// The time limit of one query to a name server.
const QUERY_TIMEOUT: Duration = Duration::from_millis(1_500);
/// The time limit of a look-up. It is shorter than the time limit for connecting.
pub(super) const LOOKUP_TIMEOUT: Duration = Duration::from_secs(4);
/// The maximum number of TXT records with one name that are read.
const MAX_TEXTS: usize = 50;
/// How long the system's configuration is used before it is read again.
const CONFIGURATION_AGE: Duration = Duration::from_secs(60);

/// Looks names up according to `/etc/hosts` and `/etc/resolv.conf`. Every name is fully qualified: the search list of
/// `resolv.conf` is not applied.
pub struct DnsResolver {
    /// Reads the name servers. Fixed in tests.
    read: Box<dyn Fn() -> io::Result<(ResolverConfig, ResolverOpts)> + Send + Sync>,
    current: Mutex<Option<(Instant, TokioResolver)>>,
}

impl Default for DnsResolver {
    fn default() -> Self {
        Self::reading(|| read_system_conf().map_err(io::Error::other))
    }
}

impl DnsResolver {
    /// Creates a resolver that queries one name server instead of the system's.
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

    /// Returns the resolver of the current configuration. A new configuration starts with an empty cache.
    fn current(&self) -> io::Result<TokioResolver> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        match &*current {
            Some((made, resolver)) if made.elapsed() < CONFIGURATION_AGE => Ok(resolver.clone()),
            known => {
                // If the configuration cannot be read now, the previous one is the best available.
                let resolver = match (self.make_resolver(), known) {
                    (Ok(resolver), _) => resolver,
                    (Err(error), Some((_, before))) => {
                        tracing::warn!(%error, "Reading the name server configuration failed; the previous one stays");
                        before.clone()
                    }
                    (Err(error), None) => {
                        tracing::error!(%error, "Reading the name server configuration failed");
                        return Err(error);
                    }
                };
                *current = Some((Instant::now(), resolver.clone()));
                Ok(resolver)
            }
        }
    }

    fn make_resolver(&self) -> io::Result<TokioResolver> {
        let (config, mut options) = (self.read)()?;
        options.timeout = QUERY_TIMEOUT;
        options.attempts = 1;
        options.max_active_requests = MAX_ATTEMPTS_AT_ONCE;
        options.positive_max_ttl = Some(CONFIGURATION_AGE);
        options.negative_max_ttl = Some(CONFIGURATION_AGE);
        // Addresses are tried in order, and more hosts lack IPv6 connectivity than IPv4.
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

    /// Looks up TXT records. A record that was just created must be found, so no answer comes from a cache.
    async fn look_up_texts(&self, name: &str) -> io::Result<Vec<String>> {
        let resolver = self.make_resolver()?;
        let found = match resolver.txt_lookup(format!("{}.", name.trim_end_matches('.'))).await {
            Ok(found) => found,
            Err(error) if error.is_no_records_found() => return Ok(Vec::new()),
            Err(error) => return Err(io::Error::other(error)),
        };
        let texts = found.answers().iter().take(MAX_TEXTS).filter_map(|record| {
            let RData::TXT(text) = &record.data else { return None };
            String::from_utf8(text.txt_data.concat()).ok()
        });
        Ok(texts.collect())
    }
}

impl Resolve for DnsResolver {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move {
            let found = timeout(LOOKUP_TIMEOUT, self.look_up(host, port)).await;
            found.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        })
    }

    fn find_texts<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<String>>> {
        Box::pin(async move {
            let found = timeout(LOOKUP_TIMEOUT, self.look_up_texts(name)).await;
            found.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        })
    }
}
