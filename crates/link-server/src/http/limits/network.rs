//! The network of a client, and the limits on its unauthenticated requests.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use link_connectors::networks::Networks;
use link_types::problem::ProblemCode;

use crate::app::App;
use crate::app::counted::{Counted, Counts};
use crate::http::limits::rate_limit::LimitKey;
use crate::http::problem::{ApiResult, Problem};
use crate::logs::Sampled;
use crate::settings::Settings;

/// The header to which proxies append the address of their client. `Forwarded` is not read: a proxy that sets one of
/// the two headers forwards the other one unchecked.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns the address of the client that sent the request through these trusted proxies.
pub fn address_of(extensions: &Extensions, headers: &HeaderMap, proxies: &Networks) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|it| it.0.ip());
    client(peer.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)), headers, proxies)
}

/// Returns the client's address: the nearest one in `X-Forwarded-For` that is not a trusted proxy.
///
/// Entries before it are ignored, because anyone could have written them. Returns the peer's address if the peer is not
/// a trusted proxy, or if the header lists only proxies or something that is not an address.
fn client(peer: IpAddr, headers: &HeaderMap, proxies: &Networks) -> IpAddr {
    if !proxies.contains(peer) {
        return peer;
    }
    let lines = headers.get_all(FORWARDED_FOR).into_iter().rev();
    let nearest_first = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
    for hop in nearest_first.map(<[u8]>::trim_ascii).filter(|hop| !hop.is_empty()) {
        match std::str::from_utf8(hop).ok().and_then(address) {
            Some(hop) if proxies.contains(hop) => {}
            Some(client) => return client,
            None => return peer,
        }
    }
    peer
}

/// Parses an address, with or without the port that some proxies append.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(hop);
    bare.parse().ok().or_else(|| hop.parse().ok().map(|it: SocketAddr| it.ip()))
}

/// Returns the network of an address: the single IPv4 address, or the IPv6 /64, because one machine usually has a whole
/// /64.
pub fn network(address: IpAddr) -> LimitKey {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => {
            let mut octets = address.octets();
            octets[8..].fill(0);
            octets
        }
    }
}

/// The network that a request comes from.
#[derive(Debug, Clone, Copy)]
pub struct Network(LimitKey);

impl Network {
    /// Returns the key under which this network is counted.
    pub const fn bytes(&self) -> &LimitKey {
        &self.0
    }

    /// Counts rejected credentials. Returns `refusal`, or 429 if the network sent too many.
    pub fn count_refusal(&self, app: &App, refusal: Problem) -> Problem {
        app.limits.rates.count_refusal(&self.0).err().unwrap_or(refusal)
    }

    /// Checks that the network is below its limit of wrong credentials. Counts nothing.
    ///
    /// # Errors
    /// 429 if the network sent too many.
    pub fn may_be_refused(&self, app: &App) -> ApiResult<()> {
        app.limits.rates.check_refusals(&self.0)
    }

    /// Counts a load of the frame page.
    ///
    /// # Errors
    /// 429 if the network exceeds the limit of frame pages.
    pub fn loads_frame(&self, app: &App) -> ApiResult<()> {
        app.limits.rates.count_frame(&self.0).map(drop)
    }

    /// Counts a request for a resource that does not exist.
    ///
    /// # Errors
    /// 429 if the network exceeds the limit of an API caller.
    pub fn count(&self, app: &App) -> ApiResult<()> {
        app.limits.rates.count_stranger(&self.0).map(drop)
    }
}

impl Network {
    /// Returns the network that the request comes from.
    pub fn from_parts(parts: &Parts, app: &App) -> Self {
        Self(limit_key(parts, app))
    }
}

impl FromRequestParts<App> for Network {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self::from_parts(parts, app))
    }
}

/// The network of a client that exchanges a link token. Extracting it counts the exchange before the body is read.
#[derive(Debug, Clone, Copy)]
pub struct Exchanging(pub Network);

impl FromRequestParts<App> for Exchanging {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let network = Network::from_parts(parts, app);
        app.limits.rates.count_exchange(&network.0)?;
        Ok(Self(network))
    }
}

/// Returns the key for limiting a caller that is known only by its address.
fn limit_key(parts: &Parts, app: &App) -> LimitKey {
    network(address_of(&parts.extensions, &parts.headers, &app.settings.trusted_proxies))
}

// Limits the concurrent unauthenticated requests of each network.
//
// Our own: tower's `ConcurrencyLimit` counts the requests of all networks together.
//
// Behind a trusted proxy, the limit of connections per network sees only the proxy. Without this limit, one client
// could fill all connections with requests that never end.

/// Counts each network's requests, from the head until the caller is authenticated or the response is written.
#[derive(Debug)]
pub struct UnauthenticatedRequests {
    maximum: usize,
    proxies: Networks,
    exempt: Networks,
    counts: Counts<LimitKey>,
    rejected: Sampled,
}

/// A request that counts until its last clone is dropped or its caller is authenticated.
#[derive(Debug, Clone)]
pub struct UnauthenticatedRequest(Arc<Mutex<Option<Counted<LimitKey>>>>);

impl UnauthenticatedRequests {
    /// Creates the limit. It equals the limit of connections per network.
    pub fn new(settings: &Settings) -> Self {
        Self {
            maximum: settings.connections.per_network,
            proxies: settings.trusted_proxies.clone(),
            exempt: settings.connections.exempt.clone(),
            counts: Counts::default(),
            rejected: Sampled::default(),
        }
    }

    /// Counts a request. Returns `None` if its network is at the limit.
    fn admit(&self, network: LimitKey) -> Option<UnauthenticatedRequest> {
        let counted = self.counts.admit(&network, self.maximum)?;
        Some(UnauthenticatedRequest(Arc::new(Mutex::new(Some(counted)))))
    }
}

impl UnauthenticatedRequest {
    /// Stops counting the request, because its caller is authenticated and has its own limits.
    pub fn mark_authenticated(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Rejects a request with 429 if its network is at the limit. The count ends with the response's body.
pub async fn layer<N, F>(limit: &UnauthenticatedRequests, mut request: Request, next: N) -> Response
where
    N: FnOnce(Request) -> F,
    F: Future<Output = Response>,
{
    let address = address_of(request.extensions(), request.headers(), &limit.proxies);
    if limit.exempt.contains(address) {
        return next(request).await;
    }
    let Some(counted) = limit.admit(network(address)) else {
        if let Some(count) = limit.rejected.count(Instant::now()) {
            tracing::warn!(count, "rejected requests: one network sent too many without credentials at once");
        }
        let detail = "Your network has too many concurrent requests. Try again in a second.";
        return Problem::new(ProblemCode::RequestLimitExceeded, detail)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            // Closing the connection avoids reading the body.
            .with_header(header::CONNECTION, HeaderValue::from_static("close"))
            .into_response();
    };
    request.extensions_mut().insert(counted.clone());
    next(request).await.map(|body| {
        Body::new(body.map_err(move |error| {
            // Moves the count into the body, which is dropped when it is written.
            let _ = &counted;
            error
        }))
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::one_machine("2001:db8::1", "2001:db8::ffff:2", true)]
    #[case::two_networks("2001:db8::1", "2001:db8:0:1::1", false)]
    #[case::ipv4_mapped("192.0.2.7", "::ffff:192.0.2.7", true)]
    #[case::neighbours("192.0.2.7", "192.0.2.8", false)]
    fn limit_key_covers_one_ipv4_or_ipv6_64(#[case] one: IpAddr, #[case] other: IpAddr, #[case] same: bool) {
        assert_eq!(network(one) == network(other), same);
    }

    #[rstest]
    #[case::no_proxy("192.0.2.7", &["203.0.113.5"], "192.0.2.7")]
    #[case::one_proxy("127.0.0.1", &["203.0.113.5"], "203.0.113.5")]
    #[case::a_mapped_proxy("::ffff:127.0.0.1", &["203.0.113.5"], "203.0.113.5")]
    #[case::two_proxies("127.0.0.1", &["203.0.113.5, 10.0.0.2"], "203.0.113.5")]
    #[case::two_lines("127.0.0.1", &["198.51.100.1", "203.0.113.5", "10.0.0.2"], "203.0.113.5")]
    #[case::forged_client("127.0.0.1", &["198.51.100.1, 203.0.113.5"], "203.0.113.5")]
    #[case::forged_proxy("127.0.0.1", &["10.0.0.9, 203.0.113.5, 10.0.0.2"], "203.0.113.5")]
    #[case::forged_garbage("127.0.0.1", &["<script>, 203.0.113.5"], "203.0.113.5")]
    #[case::ipv6("127.0.0.1", &["2001:db8::1"], "2001:db8::1")]
    #[case::ipv6_in_brackets("127.0.0.1", &["[2001:db8::1]"], "2001:db8::1")]
    #[case::with_a_port("127.0.0.1", &["203.0.113.5:4711"], "203.0.113.5")]
    #[case::ipv6_with_a_port("127.0.0.1", &["[2001:db8::1]:4711"], "2001:db8::1")]
    #[case::empty_parts("127.0.0.1", &["203.0.113.5, ,", ""], "203.0.113.5")]
    #[case::no_line("127.0.0.1", &[], "127.0.0.1")]
    #[case::malformed("127.0.0.1", &["203.0.113.5, unknown"], "127.0.0.1")]
    #[case::not_ascii("127.0.0.1", &["203.0.113.5", "\u{e9}"], "127.0.0.1")]
    #[case::forged_not_ascii("127.0.0.1", &["\u{e9}, 203.0.113.5"], "203.0.113.5")]
    #[case::only_proxies("127.0.0.1", &["10.0.0.3, 10.0.0.2"], "127.0.0.1")]
    fn client_is_nearest_address_outside_trusted_proxies(
        #[case] peer: IpAddr,
        #[case] lines: &[&str],
        #[case] expected: IpAddr,
    ) {
        let proxies = Networks::parse(["127.0.0.0/8", "10.0.0.0/8"]).unwrap();
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        assert_eq!(client(peer, &headers, &proxies), expected);
        assert_eq!(client(peer, &headers, &Networks::default()), peer, "no proxy is trusted by default");
    }
}
