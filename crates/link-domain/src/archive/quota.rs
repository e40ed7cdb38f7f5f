//! What one user may upload within a day.

use std::time::Duration;

use link_types::id::UserId;

use crate::clock::Wall;
use crate::owner::Owner;

/// The span in which uploads count.
pub const QUOTA_SPAN: Duration = Duration::from_secs(86_400);

/// How much one user may upload within [`QUOTA_SPAN`]. What is removed again counts too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadQuota {
    /// Files; and as many archives.
    pub files: u32,
    /// Bytes of all files.
    pub bytes: u64,
}

/// What one user began to upload within [`QUOTA_SPAN`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UploadUsage {
    /// Archives.
    pub archives: u32,
    /// Files.
    pub files: u32,
    /// Bytes that were announced.
    pub bytes: u64,
}

/// One upload that counts against its user's quota.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadUse {
    /// The id of the archive or file.
    pub id: String,
    /// Whose user.
    pub owner: Owner,
    /// The user.
    pub user_id: UserId,
    /// When it was begun.
    pub at: Wall,
    /// A file's bytes; null for an archive.
    pub bytes: Option<u32>,
}

impl UploadQuota {
    /// Whether one more archive fits.
    pub const fn admits_archive(&self, usage: UploadUsage) -> bool {
        usage.archives < self.files
    }

    /// Whether one more file of so many bytes fits.
    pub const fn admits_file(&self, usage: UploadUsage, bytes: u32) -> bool {
        // `as` widens: From is not const.
        usage.files < self.files && usage.bytes.saturating_add(bytes as u64) <= self.bytes
    }
}
