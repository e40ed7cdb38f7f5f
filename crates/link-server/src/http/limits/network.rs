//! The address of a request's client, and the network by which it is limited.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap, HeaderName};
use link_connectors::networks::Networks;

use super::rate_limit::LimitKey;

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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use rstest::rstest;

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
