//! Networks in CIDR notation, IPv4 or IPv6.

use std::net::IpAddr;

use ipnet::IpNet;

/// Networks like `127.0.0.0/8` and `fd00::/8`. Empty by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

/// A text that is not a network like `10.0.0.0/8` or `fd00::/8`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a network like 10.0.0.0/8 or fd00::/8, not {0:?}")]
pub struct InvalidNetworkError(String);

impl Networks {
    /// Parses networks.
    ///
    /// # Errors
    ///
    /// [`InvalidNetworkError`] if one of them is invalid.
    pub fn parse<'a>(networks: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidNetworkError> {
        networks.into_iter().map(parse).collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether one of the networks contains an address, in either notation of an IPv4-mapped address.
    pub fn contains(&self, address: IpAddr) -> bool {
        let inner = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address) || network.contains(&inner))
    }
}

fn parse(text: &str) -> Result<IpNet, InvalidNetworkError> {
    let invalid = || InvalidNetworkError(text.to_owned());
    let text = text.trim();
    // ipnet reads 010.0.0.0 as 10.0.0.0, other tools as 8.0.0.0: the standard library rejects it.
    let (base, _) = text.split_once('/').ok_or_else(invalid)?;
    base.parse::<IpAddr>().map_err(|_| invalid())?;
    text.parse().map_err(|_| invalid())
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
    #[case("010.0.0.0/8")]
    #[case("10.0.0.0/+8")]
    fn invalid_network_is_named_in_the_error(#[case] text: &str) {
        let refused = Networks::parse(["10.0.0.0/8", text]).unwrap_err();
        assert!(refused.to_string().ends_with(&format!("not {text:?}")), "{refused}");
    }
}
