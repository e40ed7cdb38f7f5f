//! The webhook sender: one signed POST to a checked address.
//!
//! Tenants choose the URL, so they could make the service send requests into its operator's network. Therefore the
//! sender resolves the name, checks **every** address, connects to a checked one (never by name again), and follows no
//! redirect. Requests to the OpenID providers of tenants have the same checks.

mod connections;
mod fetch;
mod lookups;
mod network;
mod sender;
mod tls;

pub use lookups::DnsResolver;
pub use network::AllowedNetworks;
pub use network::{Connect, Resolve, Stream, TcpConnector};
pub use sender::HttpSender;
pub use tls::system_roots;
pub(crate) use tls::tls_cause;

#[cfg(test)]
mod tests;
