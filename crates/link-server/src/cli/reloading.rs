//! Reads the settings again after SIGHUP, and applies what can change while the service runs.

use clap::Parser as _;
use tokio::sync::watch;

use super::stopping::Signals;
use super::{Command, Linchpin};
use crate::app::App;
use crate::logs::{LogFilter, parse_filter};
use crate::settings::Settings;

/// Applies new settings to the running service.
pub(super) struct Reloads {
    signals: Signals,
    filter: LogFilter,
    /// The filter in effect.
    log: String,
    /// The settings of the start. They share what a reload changes with the service.
    started_with: Settings,
    /// The service. `None` until it is open.
    app: watch::Receiver<Option<App>>,
    /// Whether the settings read last are not valid.
    is_refused: bool,
}

impl Reloads {
    /// Creates the state of a process that starts with these settings.
    pub(super) fn new(
        signals: Signals,
        filter: LogFilter,
        settings: &Settings,
        app: watch::Receiver<Option<App>>,
    ) -> Self {
        let (log, started_with) = (settings.log.clone(), settings.clone());
        Self { signals, filter, log, started_with, app, is_refused: false }
    }

    /// Reloads after each SIGHUP. The next probe of the keys then asks the source of the master key again.
    pub(super) async fn run(mut self) {
        loop {
            tokio::select! {
                reload = self.signals.reloads.recv() => match reload {
                    Some(()) => self.reload(),
                    None => return,
                },
                Ok(()) = self.app.changed() => {
                    // The service may have read the settings before a reload changed them.
                    if let Some(app) = &*self.app.borrow_and_update() {
                        app.apply(&app.settings.live.now());
                        app.reports.metrics.set_settings_refused(self.is_refused);
                    }
                }
            }
        }
    }

    fn reload(&mut self) {
        self.started_with.master_key.forget();
        let app = self.app.borrow().clone();
        let applied = read().and_then(|new| self.apply(&new, app.as_ref()));
        self.is_refused = applied.is_err();
        if let Some(app) = &app {
            app.reports.metrics.set_settings_refused(self.is_refused);
        }
        if let Err(error) = applied {
            tracing::error!(error, "The settings are not valid, so nothing was changed");
        }
    }

    /// Applies settings, and logs what changed.
    fn apply(&mut self, new: &Settings, app: Option<&App>) -> Result<(), String> {
        // The only step that may fail comes first.
        let filter = parse_filter(&new.log).map_err(|error| error.to_string())?;
        let live = new.live.now();
        let mut changed = match app {
            Some(app) => app.apply(&live),
            None => self.started_with.live.replace((*live).clone()).differences(&live),
        };
        let log = std::mem::replace(&mut self.log, new.log.clone());
        if log != self.log {
            changed.push(format!("log {log} -> {}", self.log));
        }
        // Of two filters, the one that shows the change may be the former one.
        let is_shown = tracing::enabled!(tracing::Level::INFO);
        if is_shown {
            self.report(&changed, new);
        }
        self.filter.change(filter);
        if !is_shown {
            self.report(&changed, new);
        }
        Ok(())
    }

    fn report(&self, changed: &[String], new: &Settings) {
        if changed.is_empty() {
            tracing::info!("The settings were read again. Nothing that can change without a restart differs");
        } else {
            tracing::info!(changed = changed.join(", "), "The settings were read again and changed");
        }
        let names = self.started_with.awaiting_restart(new);
        if !names.is_empty() {
            tracing::warn!(settings = names.join(", "), "These settings changed, and each needs a restart");
        }
        let names = self.started_with.list_overridden(new);
        if !names.is_empty() {
            tracing::warn!(
                settings = names.join(", "),
                "These settings changed in the file, but a flag or variable goes before each"
            );
        }
    }
}

/// Reads the settings of this process again.
fn read() -> Result<Settings, String> {
    let read = Linchpin::try_parse().map_err(|_| "the command line is not valid".to_owned())?;
    match read.command {
        Command::Serve(serve) => serve.settings.settle().map_err(|error| error.to_string()),
        Command::Admin(_)
        | Command::Tenant(_)
        | Command::Check(_)
        | Command::Healthcheck(_)
        | Command::Openapi { .. }
        | Command::Extract(_) => {
            unreachable!("only `serve` listens to signals")
        }
    }
}
