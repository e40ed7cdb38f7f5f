//! `linchpin serve`.

use clap::Args;

use super::terminal::{CommandError, say, say_aside};
use crate::connections;
use crate::logs;
use crate::service::Service;
use crate::settings::SettingsInput;

/// The flags of `serve`.
#[derive(Args)]
pub(super) struct Serve {
    #[command(flatten)]
    settings: SettingsInput,
}

impl Serve {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let settings = self.settings.settle()?;
        let _writing = logs::start(&settings.log)?;
        connections::raise_open_files();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let stop = stop_signal()?;
            let service = Service::start(settings).await?;
            greet(&service);
            service.run(stop).await
        })
    }
}

/// Prints the greeting to standard output. If keys are printed, a program reads standard output, so they are the only
/// thing there, and the greeting is written to standard error.
fn greet(service: &Service) {
    let keys = service.printed_keys();
    for line in service.greeting() {
        if keys.is_some() {
            say_aside(&line);
        } else {
            // The service must run even if standard output is closed.
            drop(say(&line));
        }
    }
    drop(keys.map(say));
}

/// Returns a future that completes with the first SIGINT or SIGTERM after this call.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
