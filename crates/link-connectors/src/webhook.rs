//! The webhook sender: one signed POST to an address that was looked at first.
//!
//! A tenant names the address, so the service could be made to post into its operator's own network. Therefore:
//! resolve, vet **every** address, connect to a vetted one (never by name again), follow no redirect.

mod lookups;
mod network;
mod outward;
mod sender;

pub use lookups::DnsResolver;
pub use network::AllowedNetworks;
pub use outward::{Connect, Resolve, Stream, TcpConnector};
pub use sender::{HttpSender, system_roots};

#[cfg(test)]
mod tests;
