//! Settings of the backups that the service writes on a schedule.

use std::path::{Path, PathBuf};
use std::time::Duration;

use link_store::{BackupTarget, FileSettings};

use super::{SettingsError, SettingsErrors};

/// The backups that the service writes.
#[derive(Debug, Clone)]
pub struct BackupSettings {
    /// Where they are written.
    pub target: BackupTarget,
    /// The place as configured.
    pub address: String,
    /// The time between a good backup and the next.
    pub every: Duration,
    /// Maximum number of backups that are kept, at least 1.
    pub keep: usize,
    /// How long a backup is kept.
    pub life: Duration,
}

/// The settings as configured. Absent values have defaults.
pub(super) struct BackupInput {
    pub(super) to: Option<String>,
    pub(super) hours: Option<f64>,
    pub(super) keep: Option<u32>,
    pub(super) days: Option<u32>,
}

/// The address of a place for backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BackupAddress {
    Folder(PathBuf),
    Bucket { bucket: String, prefix: String },
}

const DAY: Duration = Duration::from_secs(86_400);

/// Returns whether a command's argument is the address of a backup in a bucket.
pub fn is_bucket_address(text: &str) -> bool {
    text.starts_with("s3://")
}

impl BackupAddress {
    pub(super) fn parse(text: &str) -> Option<Self> {
        if !is_bucket_address(text) {
            let is_path = !text.is_empty() && !text.contains("://");
            return is_path.then(|| std::path::absolute(Path::new(text)).ok()).flatten().map(Self::Folder);
        }
        let (bucket, prefix) = text.strip_prefix("s3://")?.split_once('/')?;
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        // Others would be encoded in the names of objects.
        let is_plain =
            |part: &str| part.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.'));
        let is_name = |part: &str| is_plain(part) && !matches!(part, "" | "." | "..");
        let is_valid = is_name(bucket) && prefix.split('/').all(is_name);
        is_valid.then(|| Self::Bucket { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// Returns the name of the bucket.
    pub(super) fn bucket(&self) -> Option<&str> {
        match self {
            Self::Folder(_) => None,
            Self::Bucket { bucket, .. } => Some(bucket),
        }
    }
}

impl BackupInput {
    /// Returns the address. Records an error if it is not valid.
    pub(super) fn address(&self, faults: &mut SettingsErrors) -> Option<BackupAddress> {
        let text = self.to.as_deref()?;
        let address = BackupAddress::parse(text);
        if address.is_none() {
            let message = "--backup-to must be a folder or s3://BUCKET/PREFIX, with a prefix of letters, digits and -_./";
            faults.add(SettingsError::Service(message.to_owned()));
        }
        address
    }

    /// Returns the settings. `bucket` is the bucket that the address names.
    pub(super) fn settle(
        self,
        address: Option<BackupAddress>,
        bucket: Option<FileSettings>,
        faults: &mut SettingsErrors,
    ) -> Option<BackupSettings> {
        let hours = self.hours.unwrap_or(24.0);
        if !(0.01..=720.0).contains(&hours) {
            faults.add(SettingsError::Range { name: "backup-hours", range: "0.01 to 720" });
        }
        let keep = self.keep.unwrap_or(14);
        if keep == 0 {
            faults.add(SettingsError::Range { name: "backup-keep", range: "at least 1" });
        }
        let days = self.days.unwrap_or(30);
        // The keys of an older one are destroyed.
        if !(1..=60).contains(&days) {
            faults.add(SettingsError::Range { name: "backup-days", range: "1 to 60" });
        }
        let Some(text) = self.to else {
            let useless = [
                ("backup-hours", self.hours.is_some()),
                ("backup-keep", self.keep.is_some()),
                ("backup-days", self.days.is_some()),
            ];
            for (with, _) in useless.into_iter().filter(|(_, given)| *given) {
                faults.add(SettingsError::Missing { name: "backup-to", with });
            }
            return None;
        };
        let target = match (address?, bucket) {
            (BackupAddress::Folder(folder), _) => BackupTarget::Folder(folder),
            (BackupAddress::Bucket { prefix, .. }, bucket) => BackupTarget::Bucket { files: bucket?, prefix },
        };
        Some(BackupSettings {
            target,
            address: text,
            every: Duration::from_secs_f64(hours.clamp(0.01, 720.0) * 3_600.0),
            keep: usize::try_from(keep).unwrap_or(usize::MAX),
            life: DAY * days,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_of_a_bucket_has_a_prefix() {
        let address = BackupAddress::parse("s3://company-backups/linchpin/prod/");
        let (bucket, prefix) = ("company-backups".to_owned(), "linchpin/prod".to_owned());
        assert_eq!(address, Some(BackupAddress::Bucket { bucket, prefix }));
        for refused in [
            "s3://bucket",
            "s3://bucket/",
            "s3:///prefix",
            "s3://b/a//c",
            "s3://b/..",
            "s3://b/a b",
            "gs://b/a",
            "",
        ] {
            assert_eq!(BackupAddress::parse(refused), None, "{refused}");
        }
    }

    #[test]
    fn other_addresses_are_folders() {
        let folder = BackupAddress::Folder("/var/backups".into());
        assert_eq!(BackupAddress::parse("/var/backups"), Some(folder));
    }
}
