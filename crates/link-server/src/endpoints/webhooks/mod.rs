//! `/webhooks`: where events are sent.

mod confirm_secret;
mod create;
mod delete;
mod deliveries;
mod get;
mod list;
mod ping;
mod recover;
mod rotate_secret;
mod update;

pub(crate) use recover::recovery;

use std::time::Duration;

use link_domain::ports::SendError;
use link_domain::webhook::SwitchedOff;
use link_types::Mode;
use link_types::problem::FaultCode;

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::{Answer, Problem};

/// How long a registration waits for the receiver's name to be resolved.
const VETTING: Duration = Duration::from_secs(3);

/// The routes of webhooks.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(ping::handler))
        .routes(routes!(rotate_secret::handler))
        .routes(routes!(confirm_secret::handler))
        .routes(routes!(recover::handler))
        .routes(routes!(deliveries::list::handler))
        .routes(routes!(deliveries::get::handler))
        .routes(routes!(deliveries::resend::handler))
}

impl From<SwitchedOff> for Problem {
    fn from(_: SwitchedOff) -> Self {
        Self::conflict("The webhook is switched off: set `active` first.")
    }
}

/// Refuses an address that no delivery may ever go to.
pub(crate) async fn vet(app: &App, mode: Mode, url: &str) -> Answer<()> {
    match never_reached(app, mode, url).await {
        Some(error) => Err(Problem::invalid_field("url", FaultCode::Invalid, error.to_string())),
        None => Ok(()),
    }
}

/// Why no delivery may ever go to an address. A name that does not resolve now may do so tomorrow; each attempt is
/// vetted again.
pub(crate) async fn never_reached(app: &App, mode: Mode, url: &str) -> Option<SendError> {
    let https_only = mode == Mode::Production;
    let vetted = tokio::time::timeout(VETTING, app.sender().vet(url, https_only)).await;
    match vetted {
        Ok(Err(error @ (SendError::AddressRefused | SendError::NetworkRefused))) => Some(error),
        Ok(
            Ok(())
            | Err(
                SendError::Unresolved
                | SendError::ConnectFailed
                | SendError::TlsFailed
                | SendError::TimedOut
                | SendError::Broken,
            ),
        )
        | Err(_) => None,
    }
}
