//! Limits on what a user can upload within a day.

use std::time::Duration;

use link_types::id::UserId;

use crate::kernel::clock::Wall;
use crate::kernel::owner::Owner;

/// Period that the quota applies to.
pub const QUOTA_SPAN: Duration = Duration::from_secs(86_400);

/// Limits on what a user can upload within [`QUOTA_SPAN`]. Removed uploads count too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadQuota {
    /// Maximum number of files. The same number limits archives.
    pub files: u32,
    /// Maximum total size of all files, in bytes.
    pub bytes: u64,
}

/// Uploads that a user started within [`QUOTA_SPAN`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UploadUsage {
    /// Number of archives.
    pub archives: u32,
    /// Number of files.
    pub files: u32,
    /// Total announced size in bytes.
    pub bytes: u64,
}

impl UploadUsage {
    /// Adds a file.
    #[must_use]
    pub const fn with_file(self, bytes: u64) -> Self {
        Self { files: self.files.saturating_add(1), bytes: self.bytes.saturating_add(bytes), ..self }
    }
}

/// An upload that counts against the user's quota.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadUse {
    /// Identifier of the archive or file.
    pub id: String,
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// User who uploads.
    pub user_id: UserId,
    /// When the upload started.
    pub at: Wall,
    /// Size of a file in bytes. `None` for an archive.
    pub bytes: Option<u32>,
}

impl UploadQuota {
    /// Returns whether another archive is within the quota.
    pub const fn admits_archive(&self, usage: UploadUsage) -> bool {
        usage.archives < self.files
    }

    /// Returns whether another file of this size is within the quota.
    pub const fn admits_file(&self, usage: UploadUsage, bytes: u32) -> bool {
        // `as` widens here, because `From` is not const.
        usage.files < self.files && usage.bytes.saturating_add(bytes as u64) <= self.bytes
    }
}
