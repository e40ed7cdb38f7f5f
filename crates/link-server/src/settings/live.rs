//! The settings that a reload changes while the service runs.

use std::num::NonZeroU32;
use std::sync::{Arc, PoisonError, RwLock};

/// The settings that SIGHUP applies. All others, except the log filter, need a restart.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveSettings {
    /// Requests a second for each caller.
    pub rate_per_second: NonZeroU32,
    /// Requests at once for each caller.
    pub rate_burst: NonZeroU32,
    /// Requests a second for all API keys of a tenant's environment together, and the same for all its end users.
    pub tenant_rate_per_second: NonZeroU32,
    /// Requests at once for all API keys of a tenant's environment together, and the same for all its end users.
    pub tenant_rate_burst: NonZeroU32,
    /// Maximum number of mails that a tenant's environment may send in a UTC day.
    pub mails_per_tenant: NonZeroU32,
    /// Maximum number of mails to one address in a UTC day.
    pub mails_per_recipient: NonZeroU32,
    /// Maximum number of uploads, and of archives, that a user may start within 24 hours.
    pub upload_files: u32,
    /// Maximum size of uploads in megabytes that a user may start within 24 hours.
    pub upload_megabytes: u32,
    /// Lifetime of a link token in minutes.
    pub token_minutes: f64,
    /// Maximum number of waiting long polls.
    pub long_polls: NonZeroU32,
    /// Mean seconds before the first retry of a webhook delivery.
    pub resend_seconds: f64,
}

impl LiveSettings {
    /// Returns whether a setting is one of these.
    pub fn contains(&self, name: &str) -> bool {
        self.values().iter().any(|(known, _)| *known == name)
    }

    /// Describes each setting that differs in `new`, such as `rate-burst 200 -> 400`. None is a secret.
    pub fn differences(&self, new: &Self) -> Vec<String> {
        let pairs = self.values().into_iter().zip(new.values());
        let changed = pairs.filter(|(before, after)| before != after);
        changed.map(|((name, before), (_, after))| format!("{name} {before} -> {after}")).collect()
    }

    /// Returns the name and the value of each setting.
    fn values(&self) -> [(&'static str, String); 11] {
        let Self {
            rate_per_second,
            rate_burst,
            tenant_rate_per_second,
            tenant_rate_burst,
            mails_per_tenant,
            mails_per_recipient,
            upload_files,
            upload_megabytes,
            token_minutes,
            long_polls,
            resend_seconds,
        } = self;
        [
            ("rate-per-second", rate_per_second.to_string()),
            ("rate-burst", rate_burst.to_string()),
            ("tenant-rate-per-second", tenant_rate_per_second.to_string()),
            ("tenant-rate-burst", tenant_rate_burst.to_string()),
            ("mails-per-tenant", mails_per_tenant.to_string()),
            ("mails-per-recipient", mails_per_recipient.to_string()),
            ("upload-files", upload_files.to_string()),
            ("upload-megabytes", upload_megabytes.to_string()),
            ("token-minutes", token_minutes.to_string()),
            ("long-polls", long_polls.to_string()),
            ("resend-seconds", resend_seconds.to_string()),
        ]
    }
}

/// The settings in effect. Clones share them.
#[derive(Clone, Debug)]
pub struct Live(Arc<RwLock<Arc<LiveSettings>>>);

impl Live {
    pub(super) fn new(settings: LiveSettings) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(settings))))
    }

    /// Returns the settings that are in effect now.
    pub fn now(&self) -> Arc<LiveSettings> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the settings in effect, and returns the former ones. Limits that keep a copy do not learn of it
    /// ([`Parts::apply`](crate::app::Parts::apply) informs them).
    pub fn replace(&self, new: LiveSettings) -> Arc<LiveSettings> {
        let mut current = self.0.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *current, Arc::new(new))
    }

    /// Changes settings before the service starts.
    pub fn edit(&self, change: impl FnOnce(&mut LiveSettings)) {
        let mut new = LiveSettings::clone(&self.now());
        change(&mut new);
        self.replace(new);
    }
}
