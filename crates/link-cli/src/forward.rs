//! Sends events to a URL on the developer's machine or network, signed as a webhook would receive them.

use std::fmt;
use std::time::Duration;

use link_connectors::webhook::{AllowedNetworks, HttpSender};
use link_domain::notifications::webhook::signed_headers;
use link_domain::notifications::webhook_sender::{OutboundRequest, SendError, WebhookSender as _};
use link_types::Sensitive;
use link_types::id::EventId;
use serde::Serialize;

use crate::Machine;
use crate::failure::TenantCommandError;
use crate::terminal::CommandError;

/// This machine and the private networks.
const NEAR: [&str; 5] = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];

/// A sender to one URL.
pub struct Forwarder {
    url: String,
    secret: Sensitive,
    sender: HttpSender,
    runtime: tokio::runtime::Runtime,
}

/// The receiver's reaction to an event.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Reaction {
    /// The status of its response.
    Status(u16),
    /// The reason why there was no response.
    Error(String),
}

impl fmt::Display for Reaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => status.fmt(f),
            Self::Error(error) => f.write_str(error),
        }
    }
}

/// Returns a new signing key.
#[must_use]
pub fn generate_secret(machine: Machine<'_>) -> Sensitive {
    let mut bytes = [0; 32];
    machine.entropy.fill(&mut bytes);
    Sensitive::new(format!("lpw_{}", link_domain::kernel::digest::hex(&bytes)))
}

impl Forwarder {
    /// Prepares sending to a URL.
    ///
    /// # Errors
    /// If the URL is not on this machine or a private network.
    pub fn new(url: &str, secret: Sensitive) -> Result<Self, CommandError> {
        let sender = HttpSender::new(AllowedNetworks::parse(NEAR)?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        if let Err(error) = sender.vet(url, false) {
            let fault = if error == SendError::AddressRefused {
                "is not an http or https URL".to_owned()
            } else if error == SendError::NetworkRefused {
                "is not on this machine or a private network".to_owned()
            } else {
                format!("cannot be reached: {error}")
            };
            return Err(TenantCommandError::Usage(format!(
                "--forward-to {url} {fault}. Use a URL like http://localhost:3000/webhooks"
            ))
            .into());
        }
        Ok(Self { url: url.to_owned(), secret, sender, runtime })
    }

    /// Returns the URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the signing key.
    #[must_use]
    pub fn secret(&self) -> &Sensitive {
        &self.secret
    }

    /// Sends one event once, and returns what the receiver responded, and after which time.
    #[must_use]
    pub fn forward(&self, machine: Machine<'_>, id: &EventId, body: &str) -> (Reaction, Duration) {
        let body = body.as_bytes().to_vec();
        let headers = signed_headers(&self.secret, None, id.as_str(), machine.clock.now(), &body);
        let request = OutboundRequest { url: self.url.clone(), https_only: false, headers, body };
        let outcome = self.runtime.block_on(self.sender.send(&request));
        let reaction = match outcome.result {
            Ok(response) => Reaction::Status(response.status),
            Err(error) => Reaction::Error(error.to_string()),
        };
        (reaction, outcome.took)
    }
}
