//! Where a request comes from.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

use super::problem::Answer;
use super::rate_limit::LimitKey;
use crate::app::App;

/// The network that a request comes from.
#[derive(Debug, Clone, Copy)]
pub struct Network(LimitKey);

impl Network {
    /// Counts a request for something that is not there.
    ///
    /// # Errors
    /// 429 over the limit that callers of the API have.
    pub fn count(&self, app: &App) -> Answer<()> {
        app.limits().count(&self.0).map(drop)
    }
}

impl<S: Sync> FromRequestParts<S> for Network {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(limit_key(parts)))
    }
}

/// The limit of whoever is known by nothing but its address: that of the socket, which may be a proxy's. Of an IPv6
/// address the first half counts: one machine has all of the second.
pub fn limit_key(parts: &Parts) -> LimitKey {
    let from = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|it| it.0.ip());
    network(from.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)))
}

fn network(address: IpAddr) -> LimitKey {
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
    use rstest::rstest;

    #[rstest]
    #[case::one_machine("2001:db8::1", "2001:db8::ffff:2", true)]
    #[case::two_networks("2001:db8::1", "2001:db8:0:1::1", false)]
    #[case::the_same_written_otherwise("192.0.2.7", "::ffff:192.0.2.7", true)]
    #[case::neighbours("192.0.2.7", "192.0.2.8", false)]
    fn a_network_has_one_limit(#[case] one: IpAddr, #[case] other: IpAddr, #[case] same: bool) {
        assert_eq!(network(one) == network(other), same);
    }
}
