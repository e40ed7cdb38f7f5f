//! The limits on requests and deliveries: their rates, and how many may do the same at once.

use link_types::id::{LinkSessionId, LinkSiteSessionId};

use crate::app::attempt_slots::AttemptSlots;
use crate::app::counted::{Counts, KnownSessions};
use crate::app::long_polls::LongPolls;
use crate::app::upload_locks::UploadLocks;
use crate::http::limits::permits::{BodyUploadPermits, Permits};
use crate::http::limits::rate_limit::{Rate, RateLimits};
use crate::settings::{LiveSettings, Settings};

/// The limits of this process.
pub struct Limits {
    /// Rates.
    pub rates: RateLimits,
    /// Sessions that this node authenticated recently.
    pub known_sessions: KnownSessions,
    /// Requests under way that append to uploads, by session.
    pub appends: Counts<LinkSessionId>,
    /// Requests under way that send files of a form, by visit.
    pub form_uploads: Counts<LinkSiteSessionId>,
    /// Permits for uploads in a single request body.
    pub body_uploads: BodyUploadPermits,
    /// Permits for inspecting files.
    pub inspections: Permits,
    /// Permits for encoding logos.
    pub logos: Permits,
    /// Permits for previews of templates.
    pub previews: Permits,
    /// Permits for encoding the logos of previews.
    pub logos_of_previews: Permits,
    /// Permits for rendering exports.
    pub exports: Permits,
    /// Locks on uploads in progress.
    pub upload_locks: UploadLocks,
    /// Open long polls.
    pub long_polls: LongPolls,
    /// Running delivery attempts and pings.
    pub(crate) attempts: AttemptSlots,
}

impl Limits {
    /// Creates the configured limits. Nothing is counted yet.
    pub fn new(settings: &Settings) -> Self {
        let live = settings.live.now();
        let [caller, tenant] = rates(&live);
        Self {
            rates: RateLimits::new(caller, tenant),
            known_sessions: KnownSessions::default(),
            appends: Counts::default(),
            form_uploads: Counts::default(),
            body_uploads: BodyUploadPermits::default(),
            inspections: Permits::for_inspections(),
            logos: Permits::for_logos(),
            previews: Permits::for_previews(),
            logos_of_previews: Permits::for_logos_of_previews(),
            exports: Permits::for_exports(),
            upload_locks: UploadLocks::default(),
            long_polls: LongPolls::new(live.long_polls.get() as usize),
            attempts: AttemptSlots::default(),
        }
    }

    /// Applies the limits that can change while the service runs. What callers used of them stays counted.
    pub fn change(&self, settings: &LiveSettings) {
        let [caller, tenant] = rates(settings);
        self.rates.change(caller, tenant);
        self.long_polls.change(settings.long_polls.get() as usize);
    }
}

/// Returns the rate of each caller, and of each tenant's environment.
fn rates(settings: &LiveSettings) -> [Rate; 2] {
    [
        Rate { per_second: settings.rate_per_second, burst: settings.rate_burst },
        Rate { per_second: settings.tenant_rate_per_second, burst: settings.tenant_rate_burst },
    ]
}
