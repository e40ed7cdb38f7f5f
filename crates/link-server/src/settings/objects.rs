//! The store of uploaded files.

use std::path::{Path, PathBuf};

use link_store::{FileSettings, S3Settings};
use secrecy::SecretString;

use super::error::{Faults, SettingsError};

/// The storage of files as configured.
pub(super) struct ObjectInput {
    pub(super) folder: Option<PathBuf>,
    pub(super) bucket: Option<String>,
    pub(super) endpoint: Option<String>,
    pub(super) region: Option<String>,
    pub(super) access_key_id: Option<String>,
    pub(super) secret_access_key: Option<SecretString>,
}

impl ObjectInput {
    pub(super) fn settle(self, ephemeral: bool, data_dir: &Path, faults: &mut Faults) -> FileSettings {
        let Some(bucket) = self.bucket else {
            let useless = [
                ("s3-endpoint", self.endpoint.is_some()),
                ("s3-region", self.region.is_some()),
                ("s3-access-key-id", self.access_key_id.is_some()),
                ("s3-secret-access-key", self.secret_access_key.is_some()),
            ];
            for (with, _) in useless.into_iter().filter(|(_, given)| *given) {
                faults.add(SettingsError::Missing { name: "s3-bucket", with });
            }
            if ephemeral {
                return FileSettings::Memory;
            }
            return FileSettings::Folder(self.folder.unwrap_or_else(|| data_dir.join("files")));
        };
        let missing = |name| SettingsError::Missing { name, with: "s3-bucket" };
        let access_key_id = self.access_key_id.ok_or_else(|| missing("s3-access-key-id"));
        let secret_access_key = self.secret_access_key.ok_or_else(|| missing("s3-secret-access-key"));
        FileSettings::S3(S3Settings {
            bucket,
            endpoint: self.endpoint,
            region: self.region.unwrap_or_else(|| "us-east-1".to_owned()),
            access_key_id: faults.or(access_key_id, String::new()),
            secret_access_key: faults.or(secret_access_key, SecretString::default()),
        })
    }
}
