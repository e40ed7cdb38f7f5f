//! The state that all requests and workers share: its parts are public, by concern.

pub(crate) mod attempt_slots;
pub mod caches;
pub mod counted;
pub mod health;
pub mod limits;
pub mod long_polls;
pub mod packed_pages;
pub mod ports;
pub mod readiness;
pub mod refused_origins;
pub mod reports;
pub mod request_log;
pub mod site_hosts;
pub mod upload_locks;

use std::ops::Deref;
use std::sync::Arc;

use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_store::{Store, StoreError};
use link_types::Mode;
use tokio::sync::watch;

use crate::app::caches::Caches;
use crate::app::health::Health;
use crate::app::limits::Limits;
use crate::app::ports::Ports;
use crate::app::reports::Reports;
use crate::settings::{LiveSettings, Settings};

/// The shared state. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of an [`App`].
pub struct Parts {
    /// The settings.
    pub settings: Settings,
    /// The database.
    pub store: Store,
    /// The implementations of the domain's ports.
    pub ports: Ports,
    /// Limits on requests and deliveries.
    pub limits: Limits,
    /// The health of this process and of what it depends on.
    pub health: Health,
    /// Results that the process keeps.
    pub caches: Caches,
    /// Notes for the operator and for tenants.
    pub reports: Reports,
    /// Becomes true when the service stops.
    pub stopping: watch::Receiver<bool>,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// Creates an app from its parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Parts {
    /// Returns true if the service is stopping.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Applies the settings that can change while the service runs. Returns a description of each change. What callers
    /// used of their limits stays counted.
    pub fn apply(&self, settings: &LiveSettings) -> Vec<String> {
        let before = self.settings.live.replace(settings.clone());
        self.limits.change(settings);
        before.differences(settings)
    }

    /// Returns a random number, for values that must be distinct but are not secret.
    pub fn random(&self) -> u64 {
        u64::from_be_bytes(self.random_bytes())
    }

    /// Returns random bytes.
    pub fn random_bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.ports.entropy.fill(&mut bytes);
        bytes
    }

    /// Returns the time of the wall clock.
    pub fn wall(&self) -> Wall {
        self.ports.clock.now()
    }

    /// Returns the current time on the wall clock and on the clock of a tenant's environment.
    pub fn now(&self, offset: ClockOffset) -> Now {
        Now::new(self.wall(), offset)
    }

    /// Returns the time and randomness for one unit of work.
    pub fn context(&self, offset: ClockOffset) -> Context {
        Context::read(self.ports.clock.as_ref(), self.ports.entropy.as_ref(), offset)
    }

    /// Returns how far the clock of an owner's environment is ahead of the wall clock.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn offset_of(&self, owner: &Owner) -> Result<ClockOffset, StoreError> {
        match owner.mode {
            Mode::Production => Ok(ClockOffset::default()),
            Mode::Sandbox => {
                let owner = owner.clone();
                self.store.read(move |reader| reader.tenants().offset(&owner)).await
            }
        }
    }

    /// Returns the base URL of an environment's API that tenants write into their code.
    pub fn api_base(&self, mode: Mode) -> String {
        format!("{}{}", self.settings.api_url, crate::http::prefix(mode))
    }

    /// Returns the base URL of an environment's API in this cell. Requests that do not name their tenant need it: a proxy in
    /// front of several cells cannot route them.
    pub fn cell_base(&self, mode: Mode) -> String {
        format!("{}{}", self.settings.public_url, crate::http::prefix(mode))
    }

    /// Returns the base URL of an environment's files and exports.
    pub fn files_base(&self, mode: Mode) -> String {
        format!("{}{}", self.settings.files_url, crate::http::prefix(mode))
    }
}
