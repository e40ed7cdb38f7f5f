//! One attempt: resolve, check, connect, post, and read the start of the response. A connection that waits since an
//! earlier attempt is used again.
//!
//! Our own over hyper: reqwest, with its default features, adds a second TLS stack that needs cmake (ADR 67).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HOST, USER_AGENT};
use hyper::{Method, Request};
use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::delivery::{ATTEMPT_TIMEOUT, CONNECT_TIMEOUT};
use link_domain::notifications::webhook_sender::{
    AttemptOutcome, OutboundRequest, ReceiverResponse, SendError, TlsError, WebhookSender,
};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::pki_types::ServerName;
use url::{Host, Url};

use super::connections::{Connection, Connections, Receiver};
use super::lookups::{DnsResolver, LOOKUP_TIMEOUT};
use super::network::{AllowedNetworks, is_localhost};
use super::network::{Connect, Resolve, Stream, TcpConnector};
use super::tls::{handshake_error, system_roots, tls_connector};

/// The time limit for connecting to one of several addresses before the next is tried.
const ADDRESS_TIMEOUT: Duration = Duration::from_secs(2);

/// When an attempt to a name that does not resolve ends: after any look-up.
pub(super) const UNRESOLVED_AFTER: Duration = LOOKUP_TIMEOUT.saturating_add(Duration::from_millis(500));

/// The [`WebhookSender`] that posts over the network.
pub struct HttpSender<R = DnsResolver, C = TcpConnector> {
    allowed: AllowedNetworks,
    /// Created with the system's roots for the first TLS receiver, unless other roots were given.
    tls: OnceCell<TlsConnector>,
    pub(super) resolver: R,
    connector: C,
    connections: Connections,
}

impl HttpSender {
    /// Creates a sender that trusts the system's certificate authorities and posts to public addresses, and to those
    /// that the operator allows.
    pub fn new(allowed: AllowedNetworks) -> Self {
        Self {
            allowed,
            tls: OnceCell::new(),
            resolver: DnsResolver::default(),
            connector: TcpConnector,
            connections: Connections::default(),
        }
    }
}

impl<R: Resolve, C: Connect> HttpSender<R, C> {
    /// Creates a sender with other roots, another resolver or another connector.
    pub fn with(allowed: AllowedNetworks, roots: RootCertStore, resolver: R, connector: C) -> Self {
        let (tls, connections) = (OnceCell::new_with(Some(tls_connector(roots))), Connections::default());
        Self { allowed, tls, resolver, connector, connections }
    }

    pub(super) async fn tls(&self) -> Result<&TlsConnector, SendError> {
        let made = self.tls.get_or_try_init(|| spawn_blocking(|| tls_connector(system_roots())));
        made.await.map_err(|_| SendError::Tls(TlsError::Closed))
    }

    /// Returns the addresses of a target, if all of them are permitted.
    ///
    /// An internal name fails like a name that does not exist, because a tenant must not learn which internal names
    /// exist.
    async fn vet(&self, target: &Target) -> Result<Vec<SocketAddr>, SendError> {
        let name = match &target.host {
            Host::Ipv4(address) => return self.resolve_literal((*address).into(), target.port),
            Host::Ipv6(address) => return self.resolve_literal((*address).into(), target.port),
            Host::Domain(name) => name,
        };
        let addresses = self.resolver.resolve(name, target.port).await.map_err(|_| SendError::Unresolved)?;
        let is_plain_here = target.is_plain() && is_localhost(name);
        let permits = |address: IpAddr| {
            self.allowed.permits(address) && (!is_plain_here || self.allowed.permits_plain_to(address))
        };
        match addresses.iter().find(|address| !permits(address.ip())) {
            None if addresses.is_empty() => Err(SendError::Unresolved),
            None => Ok(addresses),
            Some(_) if is_localhost(name) => Err(SendError::NetworkRefused),
            Some(address) => {
                tracing::info!(name, address = %address.ip(), "A webhook's host has an address that is not allowed");
                Err(SendError::Unresolved)
            }
        }
    }

    /// Returns the target of a URL that deliveries may be sent to.
    pub(super) fn target(&self, url: &str, https_only: bool) -> Result<Target, SendError> {
        let target = Target::parse(url, https_only)?;
        if target.is_plain() && !self.allowed.permits_plain(&target.host) {
            // An address that https cannot reach either needs the other advice.
            match &target.host {
                Host::Ipv4(address) => self.vet_literal((*address).into())?,
                Host::Ipv6(address) => self.vet_literal((*address).into())?,
                Host::Domain(_) => {}
            }
            return Err(SendError::PlainRefused);
        }
        Ok(target)
    }

    fn resolve_literal(&self, address: IpAddr, port: u16) -> Result<Vec<SocketAddr>, SendError> {
        self.vet_literal(address).map(|()| vec![SocketAddr::new(address, port)])
    }

    fn vet_literal(&self, address: IpAddr) -> Result<(), SendError> {
        if self.allowed.permits(address) { Ok(()) } else { Err(SendError::NetworkRefused) }
    }

    pub(super) async fn connect(
        &self,
        target: &Target,
        tls: Option<(&TlsConnector, ServerName<'static>)>,
    ) -> Result<Box<dyn Stream>, SendError> {
        let addresses = self.vet(target).await?;
        let stream = self.first_to_connect(&addresses).await?;
        match tls {
            None => Ok(stream),
            Some((tls, name)) => {
                let connected = tls.connect(name, stream).await;
                let stream = connected.map_err(|error| SendError::Tls(handshake_error(&error)))?;
                Ok(Box::new(stream))
            }
        }
    }

    async fn first_to_connect(&self, addresses: &[SocketAddr]) -> Result<Box<dyn Stream>, SendError> {
        for address in addresses {
            if let Ok(Ok(stream)) = timeout(ADDRESS_TIMEOUT, self.connector.connect(*address)).await {
                return Ok(stream);
            }
        }
        Err(SendError::ConnectFailed)
    }

    async fn attempt(
        &self,
        request: &OutboundRequest,
        deadline: Instant,
    ) -> Result<ReceiverResponse, SendError> {
        let target = self.target(&request.url, request.https_only)?;
        // Loading certificates must not count toward the receiver's time.
        let tls = match target.server_name()? {
            Some(name) => Some((self.tls().await?, name)),
            None => None,
        };
        let receiver = target.receiver(tls.is_some());
        if let Some(mut kept) = self.connections.take(&receiver).await {
            let response = kept.exchange(target.message(request)?, deadline).await;
            // The receiver may close a waiting connection at any time. Like every attempt, the second one has the same
            // bytes and id, so the receiver recognizes it.
            if response != Err(SendError::Broken) {
                self.connections.keep(receiver, kept).await;
                return response;
            }
        }
        let connecting = timeout(CONNECT_TIMEOUT, self.connect(&target, tls));
        let stream = connecting.await.map_err(|_| SendError::ConnectFailed)??;
        let mut opened = Connection::open(stream).await?;
        let response = opened.exchange(target.message(request)?, deadline).await;
        self.connections.keep(receiver, opened).await;
        response
    }
}

impl<R: Resolve, C: Connect> WebhookSender for HttpSender<R, C> {
    fn send<'a>(&'a self, request: &'a OutboundRequest) -> BoxFuture<'a, AttemptOutcome> {
        Box::pin(async move {
            let began = Instant::now();
            let result = self.attempt(request, began + ATTEMPT_TIMEOUT).await;
            if result == Err(SendError::Unresolved) {
                // The duration of a look-up would also distinguish internal names from those that do not exist.
                tokio::time::sleep_until(began + UNRESOLVED_AFTER).await;
                return AttemptOutcome { took: UNRESOLVED_AFTER, result };
            }
            AttemptOutcome { took: began.elapsed(), result }
        })
    }

    fn vet(&self, url: &str, https_only: bool) -> Result<(), SendError> {
        let target = self.target(url, https_only)?;
        match &target.host {
            Host::Ipv4(address) => self.vet_literal((*address).into()),
            Host::Ipv6(address) => self.vet_literal((*address).into()),
            Host::Domain(name) if is_localhost(name) => self
                .vet_literal(Ipv4Addr::LOCALHOST.into())
                .or_else(|_| self.vet_literal(Ipv6Addr::LOCALHOST.into())),
            Host::Domain(_) => Ok(()),
        }
    }
}

/// The target of a request.
pub(super) struct Target {
    pub(super) url: Url,
    host: Host<String>,
    port: u16,
}

impl Target {
    fn parse(text: &str, https_only: bool) -> Result<Self, SendError> {
        let url = Url::parse(text).map_err(|_| SendError::AddressRefused)?;
        let scheme_fits = match url.scheme() {
            "https" => true,
            "http" => !https_only,
            _ => false,
        };
        let host = url.host().map(|host| host.to_owned());
        match (host, url.port_or_known_default()) {
            (Some(host), Some(port)) if scheme_fits => Ok(Self { url, host, port }),
            _ => Err(SendError::AddressRefused),
        }
    }

    /// Returns whether the request is not encrypted.
    fn is_plain(&self) -> bool {
        self.url.scheme() != "https"
    }

    /// Returns the name in the receiver's certificate, or `None` for plain HTTP.
    pub(super) fn server_name(&self) -> Result<Option<ServerName<'static>>, SendError> {
        if self.is_plain() {
            return Ok(None);
        }
        match &self.host {
            Host::Domain(name) => {
                ServerName::try_from(name.clone()).map(Some).map_err(|_| SendError::AddressRefused)
            }
            Host::Ipv4(address) => Ok(Some(ServerName::IpAddress((*address).into()))),
            Host::Ipv6(address) => Ok(Some(ServerName::IpAddress((*address).into()))),
        }
    }

    fn receiver(&self, is_tls: bool) -> Receiver {
        Receiver { is_tls, host: self.host.to_string(), port: self.port }
    }

    fn message(&self, request: &OutboundRequest) -> Result<Request<Full<Bytes>>, SendError> {
        let path = &self.url[url::Position::BeforePath..url::Position::AfterQuery];
        let host = &self.url[url::Position::BeforeHost..url::Position::AfterPort];
        let mut message = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(HOST, host)
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, concat!("Linchpin/", env!("CARGO_PKG_VERSION"), " (webhooks)"));
        for (name, value) in &request.headers {
            message = message.header(*name, value);
        }
        message.body(Full::new(Bytes::from(request.body.clone()))).map_err(|_| SendError::AddressRefused)
    }
}
