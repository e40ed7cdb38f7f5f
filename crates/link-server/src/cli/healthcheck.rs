//! `linchpin healthcheck`: asks a service on this machine whether it is ready.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use clap::Args;

use crate::public::READY;
use link_cli::terminal::CommandError;

/// How long the service may take to accept the connection, and to respond.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The beginning of a response that means success.
const SUCCESS: &str = "HTTP/1.1 200 ";

/// The flags of `healthcheck`.
#[derive(Args)]
pub(super) struct Healthcheck {
    /// Address on which the service listens.
    #[arg(long, env = "LINCHPIN_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
}

impl Healthcheck {
    /// Succeeds if the service is ready.
    pub(super) fn run(self) -> Result<(), CommandError> {
        let address = reachable(self.listen);
        let response = ask(address).map_err(|error| format!("no response from {address} ({error})"))?;
        if response.starts_with(SUCCESS) {
            Ok(())
        } else {
            Err("the service is not ready; its log says why".into())
        }
    }
}

/// Replaces the address of all interfaces by that of this machine.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// Returns the beginning of the response.
fn ask(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET {READY} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut response = Vec::new();
    stream.take(SUCCESS.len() as u64).read_to_end(&mut response)?;
    Ok(String::from_utf8_lossy(&response).into_owned())
}
