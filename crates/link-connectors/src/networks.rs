//! Networks in CIDR notation, IPv4 or IPv6.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Networks like `127.0.0.0/8` and `fd00::/8`. Empty by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Vec<Network>);

/// A text that is not a network like `10.0.0.0/8` or `fd00::/8`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a network like 10.0.0.0/8 or fd00::/8, not {0:?}")]
pub struct InvalidNetwork(String);

impl Networks {
    /// Parses networks.
    ///
    /// # Errors
    ///
    /// [`InvalidNetwork`] if one of them is invalid.
    pub fn parse<'a>(networks: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidNetwork> {
        networks.into_iter().map(str::parse).collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether one of the networks contains an address, in either notation of an IPv4-mapped address.
    pub fn contains(&self, address: IpAddr) -> bool {
        let inner = address.to_canonical();
        self.0.iter().any(|network| network.contains(address) || network.contains(inner))
    }
}

/// All addresses with a common prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    base: IpAddr,
    prefix: u32,
}

impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        let invalid = || InvalidNetwork(text.to_owned());
        let (base, prefix) = text.trim().split_once('/').ok_or_else(invalid)?;
        let base: IpAddr = base.parse().map_err(|_| invalid())?;
        let prefix: u32 = prefix.parse().map_err(|_| invalid())?;
        let longest = if base.is_ipv4() { 32 } else { 128 };
        if prefix <= longest { Ok(Self { base, prefix }) } else { Err(invalid()) }
    }
}

impl Network {
    pub(crate) const fn v4(base: [u8; 4], prefix: u32) -> Self {
        let [a, b, c, d] = base;
        Self { base: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix }
    }

    pub(crate) const fn v6(base: [u16; 4], prefix: u32) -> Self {
        let [a, b, c, d] = base;
        Self { base: IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)), prefix }
    }

    pub(crate) fn contains(self, address: IpAddr) -> bool {
        match (self.base, address) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                let drop = 32 - self.prefix;
                base.to_bits().checked_shr(drop) == address.to_bits().checked_shr(drop)
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => {
                let drop = 128 - self.prefix;
                base.to_bits().checked_shr(drop) == address.to_bits().checked_shr(drop)
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn networks_contain_only_listed_addresses() {
        let networks = Networks::parse(["127.0.0.0/8", " fd00::/8"]).unwrap();
        for address in ["127.0.0.1", "::ffff:127.0.0.1", "fd00::1"] {
            assert!(networks.contains(address.parse().unwrap()), "{address}");
        }
        for address in ["128.0.0.1", "::1", "fe80::1"] {
            assert!(!networks.contains(address.parse().unwrap()), "{address}");
        }
    }

    #[rstest]
    #[case("127.0.0.1")]
    #[case("127.0.0.0/33")]
    #[case("::/129")]
    #[case("localhost/8")]
    #[case("10.0.0.0/")]
    fn invalid_network_is_named_in_the_error(#[case] text: &str) {
        let refused = Networks::parse(["10.0.0.0/8", text]).unwrap_err();
        assert!(refused.to_string().ends_with(&format!("not {text:?}")), "{refused}");
    }
}
