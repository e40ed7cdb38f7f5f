//! Which receivers the sender may connect to.

use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ipnet::{Ipv4Net, Ipv6Net};
use link_domain::kernel::system::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use url::Host;

use crate::networks::Networks;

/// Receivers that the operator allows in addition to https to public addresses: networks that are not public, like `127.0.0.0/8`
/// for a demo, and names that may be reached over plain http.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedNetworks {
    networks: Networks,
    names: BTreeSet<String>,
    /// Whether public addresses are refused.
    is_private: bool,
}

/// A text that is neither a network nor a host name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a network like 10.0.0.0/8 or fd00::/8, or a host name like hooks.example, not {0:?}")]
pub struct InvalidReceiverError(String);

impl AllowedNetworks {
    /// Parses the allowed networks and names.
    ///
    /// # Errors
    ///
    /// `InvalidReceiverError` if one of them is neither.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidReceiverError> {
        let (names, networks): (Vec<_>, Vec<_>) =
            texts.into_iter().map(str::trim).partition(|it| is_name(it));
        let invalid = |text: &&str| Networks::parse([*text]).is_err();
        if let Some(wrong) = networks.iter().copied().find(invalid) {
            return Err(InvalidReceiverError(wrong.to_owned()));
        }
        let networks = Networks::parse(networks).map_err(|error| InvalidReceiverError(error.to_string()))?;
        Ok(Self { networks, names: names.into_iter().map(fold_case).collect(), is_private: false })
    }

    /// Refuses every address outside of the allowed networks, public ones too.
    #[must_use]
    pub fn without_public(self) -> Self {
        Self { is_private: true, ..self }
    }

    /// Returns whether the sender may connect to an address: it is public and those are not refused, or the operator allows
    /// it.
    pub fn permits(&self, address: IpAddr) -> bool {
        (!self.is_private && is_public(address)) || self.networks.contains(address)
    }

    /// Returns whether a host may be reached over plain http: this machine, an address in an allowed network, or an
    /// allowed name. Each attempt also checks what the name resolves to.
    pub fn permits_plain(&self, host: &Host<String>) -> bool {
        match host {
            Host::Ipv4(address) => self.permits_plain_to((*address).into()),
            Host::Ipv6(address) => self.permits_plain_to((*address).into()),
            Host::Domain(name) => is_localhost(name) || self.names.contains(&fold_case(name)),
        }
    }

    /// Returns whether plain http may be sent to an address of the name `localhost`, or to an address itself.
    pub fn permits_plain_to(&self, address: IpAddr) -> bool {
        address.to_canonical().is_loopback() || self.networks.contains(address)
    }
}

/// Returns whether a name means this machine (RFC 6761).
pub fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

/// Returns whether a text is a host name: labels of letters, digits and hyphens, and not an address.
fn is_name(text: &str) -> bool {
    let name = text.trim_end_matches('.');
    let is_label = |it: &str| {
        (1..=63).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
    };
    matches!(Host::parse(name), Ok(Host::Domain(_))) && name.split('.').all(is_label)
}

fn fold_case(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

/// IPv4 networks that are not the public internet (IANA special-purpose registry), and a cloud metadata service with a
/// public address.
const REFUSED_V4: &[Ipv4Net] = &[
    v4([0, 0, 0, 0], 8),
    v4([10, 0, 0, 0], 8),
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    v4([168, 63, 129, 16], 32),
    v4([169, 254, 0, 0], 16),
    v4([172, 16, 0, 0], 12),
    v4([192, 0, 0, 0], 24),
    v4([192, 0, 2, 0], 24),
    v4([192, 88, 99, 0], 24),
    v4([192, 168, 0, 0], 16),
    v4([198, 18, 0, 0], 15),
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    v4([224, 0, 0, 0], 4),
    v4([240, 0, 0, 0], 4),
];

/// All public IPv6 addresses. IPv4-mapped, NAT64, unique-local, link-local and multicast addresses are outside of it.
const GLOBAL_UNICAST: Ipv6Net = v6([0x2000, 0, 0, 0], 3);

/// Parts of it that are not the public internet, or that contain an IPv4 address.
const REFUSED_V6: &[Ipv6Net] = &[
    v6([0x2001, 0, 0, 0], 23),
    v6([0x2001, 0xdb8, 0, 0], 32),
    v6([0x2002, 0, 0, 0], 16),
    v6([0x3ffe, 0, 0, 0], 16),
    v6([0x3fff, 0, 0, 0], 20),
];

const fn v4([a, b, c, d]: [u8; 4], prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6([a, b, c, d]: [u16; 4], prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), prefix)
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !REFUSED_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_UNICAST.contains(&address) && !REFUSED_V6.iter().any(|network| network.contains(&address))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::this_network("0.0.0.0")]
    #[case::private("10.1.2.3")]
    #[case::private("172.31.255.255")]
    #[case::private("192.168.0.1")]
    #[case::carrier_nat("100.64.0.1")]
    #[case::cloud_metadata_in_carrier_nat("100.100.100.200")]
    #[case::loopback("127.0.0.1")]
    #[case::loopback("127.255.255.254")]
    #[case::metadata("169.254.169.254")]
    #[case::metadata("168.63.129.16")]
    #[case::protocol("192.0.0.8")]
    #[case::documentation("192.0.2.1")]
    #[case::documentation("198.51.100.1")]
    #[case::documentation("203.0.113.9")]
    #[case::six_to_four_relay("192.88.99.1")]
    #[case::benchmark("198.19.0.1")]
    #[case::multicast("224.0.0.1")]
    #[case::reserved("240.0.0.1")]
    #[case::broadcast("255.255.255.255")]
    #[case::unspecified("::")]
    #[case::loopback("::1")]
    #[case::mapped_loopback("::ffff:127.0.0.1")]
    #[case::mapped_public("::ffff:8.8.8.8")]
    #[case::compatible("::127.0.0.1")]
    #[case::nat64("64:ff9b::7f00:1")]
    #[case::local_nat64("64:ff9b:1::1")]
    #[case::teredo("2001::1")]
    #[case::orchid("2001:20::1")]
    #[case::documentation("2001:db8::1")]
    #[case::documentation("3fff::1")]
    #[case::six_to_four("2002:7f00:1::")]
    #[case::discard("100::1")]
    #[case::segment_routing("5f00::1")]
    #[case::unique_local("fd00:ec2::254")]
    #[case::link_local("fe80::1")]
    #[case::site_local("fec0::1")]
    #[case::multicast("ff02::1")]
    fn non_public_address_is_rejected(#[case] address: IpAddr) {
        assert!(!AllowedNetworks::default().permits(address));
    }

    #[rstest]
    #[case("1.1.1.1")]
    #[case("100.63.255.255")]
    #[case("100.128.0.0")]
    #[case("172.32.0.1")]
    #[case("168.63.129.17")]
    #[case("223.255.255.255")]
    #[case("2606:4700::1111")]
    #[case("2a00:1450:4001::1")]
    fn public_address_is_permitted(#[case] address: IpAddr) {
        assert!(AllowedNetworks::default().permits(address));
    }

    #[test]
    fn only_listed_networks_are_allowed() {
        let allowed = AllowedNetworks::parse(["127.0.0.0/8", "fd00::/8"]).unwrap();
        for address in ["127.0.0.1", "::ffff:127.0.0.1", "fd00::1"] {
            assert!(allowed.permits(address.parse().unwrap()), "{address}");
        }
        for address in ["10.0.0.1", "::1", "fe80::1"] {
            assert!(!allowed.permits(address.parse().unwrap()), "{address}");
        }
    }

    #[rstest]
    #[case::loopback("127.0.0.1", true)]
    #[case::loopback("[::1]", true)]
    #[case::local_name("localhost", true)]
    #[case::local_name("app.localhost", true)]
    #[case::allowed_network("10.1.2.3", true)]
    #[case::allowed_name("hooks.example", true)]
    #[case::spelling("Hooks.Example.", true)]
    #[case::name_below("other.hooks.example", false)]
    #[case::public_name("example.com", false)]
    #[case::public_address("1.1.1.1", false)]
    #[case::other_network("192.168.0.1", false)]
    #[case::lookalike("localhost.example.com", false)]
    fn plain_http_is_only_for_allowed_hosts(#[case] host: &str, #[case] permitted: bool) {
        let allowed = AllowedNetworks::parse(["10.0.0.0/8", "Hooks.example"]).unwrap();
        assert_eq!(allowed.permits_plain(&Host::parse(host).unwrap()), permitted);
    }

    #[rstest]
    #[case("127.0.0.1")]
    #[case("10.0.0.0/33")]
    #[case("*.example")]
    #[case("hooks.example:80")]
    #[case("http://hooks.example")]
    fn receiver_that_is_no_network_or_name_is_rejected(#[case] text: &str) {
        let refused = AllowedNetworks::parse(["10.0.0.0/8", text]).unwrap_err();
        assert!(refused.to_string().ends_with(&format!("not {text:?}")), "{refused}");
    }

    #[test]
    fn public_address_can_be_refused() {
        let near = AllowedNetworks::parse(["10.0.0.0/8"]).unwrap().without_public();
        let permits = |address: &str| near.permits(address.parse().unwrap());
        assert!(permits("10.1.2.3") && !permits("9.9.9.9") && !permits("2620:fe::fe"));
    }

    #[test]
    fn whole_address_family_can_be_allowed() {
        let allowed = AllowedNetworks::parse(["0.0.0.0/0", "::/0"]).unwrap();
        assert!(allowed.permits("127.0.0.1".parse().unwrap()) && allowed.permits("fe80::1".parse().unwrap()));
    }
}

/// Resolves host names to addresses.
pub trait Resolve: Send + Sync {
    /// Returns all addresses of the host.
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>>;

    /// Returns the texts of the TXT records with a name. By default, a resolver has none.
    fn find_texts<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<String>>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
}

/// Opens a connection to an address.
pub trait Connect: Send + Sync {
    /// Opens a connection to exactly this address.
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>>;
}

/// A connection.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Plain TCP.
#[derive(Clone, Copy, Debug, Default)]
pub struct TcpConnector;

impl Connect for TcpConnector {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream) as Box<dyn Stream>)
        })
    }
}
