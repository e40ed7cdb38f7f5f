//! Sends events to a URL on the developer's machine or network, signed as a webhook would receive them.

use std::fmt;
use std::time::Duration;

use link_connectors::webhook::{AllowedNetworks, HttpSender};
use link_domain::notifications::webhook::signature_headers_with;
use link_domain::notifications::webhook_sender::{
    AttemptOutcome, OutboundRequest, SendError, WebhookSender as _,
};
use link_types::Sensitive;
use link_types::id::EventId;
use serde::Serialize;

use crate::Machine;
use crate::failure::TenantCommandError;
use crate::terminal::{CommandError, say_aside};

/// This machine and the private networks.
const NEAR: [&str; 5] = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];
/// The pause after the first refused connection. It doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(8);

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
        let sender = HttpSender::new(AllowedNetworks::parse(NEAR)?.without_public());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        if let Err(error) = sender.vet(url, false) {
            let fault = if error == SendError::AddressRefused {
                "is not an http or https URL".to_owned()
            } else if error == SendError::NetworkRefused {
                "is not on this machine or a private network".to_owned()
            } else if error == SendError::PlainRefused {
                "uses plain http with a host name. Only localhost and addresses of a private network need no https"
                    .to_owned()
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
        react(self.send(machine, id, body))
    }

    /// Sends one event. Tries again while nothing accepts connections at the URL, and says so once.
    #[must_use]
    pub fn forward_patiently(&self, machine: Machine<'_>, id: &EventId, body: &str) -> (Reaction, Duration) {
        let mut pause = FIRST_PAUSE;
        loop {
            let outcome = self.send(machine, id, body);
            if !matches!(outcome.result, Err(SendError::ConnectFailed)) {
                return react(outcome);
            }
            if pause == FIRST_PAUSE {
                say_aside(&format!(
                    "linchpin: nothing accepts connections at {}. Trying until it does",
                    self.url
                ));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    fn send(&self, machine: Machine<'_>, id: &EventId, body: &str) -> AttemptOutcome {
        let body = body.as_bytes().to_vec();
        let headers = signature_headers_with(&self.secret, None, id.as_str(), machine.clock.now(), &body);
        let request = OutboundRequest { url: self.url.clone(), https_only: false, headers, body };
        self.runtime.block_on(self.sender.send(&request))
    }
}

fn react(outcome: AttemptOutcome) -> (Reaction, Duration) {
    let reaction = match outcome.result {
        Ok(response) => Reaction::Status(response.status),
        Err(SendError::Unresolved) => Reaction::Error(
            "the host name does not exist, or is not on this machine or a private network".to_owned(),
        ),
        Err(error) => Reaction::Error(error.to_string()),
    };
    (reaction, outcome.took)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_outside_of_private_networks_is_refused() {
        for (url, why) in [
            ("https://9.9.9.9/", "is not on this machine or a private network"),
            ("http://9.9.9.9/", "is not on this machine or a private network"),
            ("https://[2620:fe::fe]/", "is not on this machine or a private network"),
            ("http://hooks.example/", "plain http with a host name"),
        ] {
            let Err(error) = Forwarder::new(url, Sensitive::new("secret")) else { panic!("{url}") };
            assert!(error.to_string().contains(why), "{url}: {error}");
        }
        assert!(Forwarder::new("http://192.168.1.2:3000/", Sensitive::new("secret")).is_ok());
    }
}
