//! Stores the sealed segments of files: in a local folder, or in an S3-compatible object store.

mod fault;
mod http;

use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use link_domain::documents::file_store::{FileStore, FileStoreError, StoredObject};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::system::BoxFuture;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{BackoffConfig, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig};
use secrecy::{ExposeSecret as _, SecretString};

use self::http::Hyper;

/// Where files are stored.
#[derive(Debug, Clone)]
pub enum FileSettings {
    /// Below a folder, created with mode 0700 if it is missing.
    Folder(PathBuf),
    /// In a bucket of an S3-compatible object store.
    S3(S3Settings),
    /// In memory. Nothing is written to disk.
    Memory,
}

/// An S3 bucket and its credentials.
#[derive(Debug, Clone)]
pub struct S3Settings {
    /// The server's URL. If `None`, AWS's endpoint for the region.
    pub endpoint: Option<String>,
    /// The region.
    pub region: String,
    /// The bucket. It must exist.
    pub bucket: String,
    /// The access key ID.
    pub access_key_id: String,
    /// The secret access key.
    pub secret_access_key: SecretString,
}

/// How long a server may take to respond. A person or a place of a worker waits for it.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum time to read, write or delete one object, including retries, in times of that for a response.
const TIMEOUT_FACTOR: u32 = 3;
/// The maximum time to list or delete all objects of an archive, including retries.
const TIMEOUT_OF_MANY: Duration = Duration::from_secs(120);
/// How often a request to a bucket is repeated after an error that may pass. A job or a person tries again later.
const RETRIES: usize = 2;
/// The wait before the first repetition, and the maximum.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));
/// How long after the first request no more repetitions begin.
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);

/// A file in the folder of files, so that an empty mount point in its place is noticed.
const MARKER: &str = "linchpin-files";
const MARKER_TEXT: &str =
    "The service that uses this folder checks that this file is here. Do not remove it.\n";

/// A [`FileStore`] for the configured location.
#[derive(Debug, Clone)]
pub struct ObjectFiles {
    objects: Arc<dyn ObjectStore>,
    folder: Option<PathBuf>,
    timeout: Duration,
}

impl ObjectFiles {
    /// Opens the file store.
    ///
    /// # Errors
    /// If the folder cannot be created, or the settings are invalid.
    pub fn open(settings: FileSettings) -> Result<Self, FileStoreError> {
        Self::open_with(settings, RESPONSE_TIMEOUT)
    }

    /// Opens the file store, with a time that a server may take to respond.
    pub(crate) fn open_with(settings: FileSettings, response: Duration) -> Result<Self, FileStoreError> {
        let timeout = response * TIMEOUT_FACTOR;
        match settings {
            FileSettings::Folder(folder) => {
                let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
                made.map_err(|error| {
                    fault::refusal_of_io(&error)
                        .unwrap_or_else(|| FileStoreError::Unavailable(error.to_string()))
                })?;
                // Committed segments must survive a power failure.
                let objects = LocalFileSystem::new_with_prefix(&folder).map_err(fault)?;
                let objects = objects.with_automatic_cleanup(true).with_fsync(true);
                mark(&folder, MARKER).map_err(|error| {
                    fault::refusal_of_io(&error)
                        .unwrap_or_else(|| FileStoreError::Unavailable(error.to_string()))
                })?;
                Ok(Self { objects: Arc::new(objects), folder: Some(folder), timeout })
            }
            FileSettings::S3(settings) => {
                Ok(Self { objects: Arc::new(bucket(settings, response)?), folder: None, timeout })
            }
            FileSettings::Memory => Ok(Self { objects: Arc::new(InMemory::new()), folder: None, timeout }),
        }
    }

    /// Returns an error if the folder is not the one that was opened, such as the mount point of a volume that is away. There,
    /// every object would be missing, and new ones would be lost when the volume is back.
    fn check_folder(&self) -> Result<(), FileStoreError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        match std::fs::metadata(folder.join(MARKER)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(FileStoreError::Refused {
                code: "ENOENT".to_owned(),
                cause: format!("{} is missing in the folder of files", MARKER),
                remedy: "Mount the folder of files again. If it was replaced on purpose, restart the service",
            }),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    async fn list_objects(&self, prefix: &str) -> Result<Vec<ObjectMeta>, FileStoreError> {
        use futures_util::TryStreamExt as _;
        self.objects.list(Some(&Path::from(prefix))).try_collect().await.map_err(fault)
    }

    /// Returns an object, or `None` if it is larger than a number of bytes.
    pub(crate) async fn get_at_most(
        &self,
        name: &str,
        bytes: u64,
    ) -> Result<Option<Vec<u8>>, FileStoreError> {
        in_time(self.timeout, async {
            match self.objects.get(&Path::from(name)).await.map_err(fault) {
                Ok(found) if found.meta.size > bytes => Ok(None),
                Ok(found) => Ok(Some(found.bytes().await.map_err(fault)?.into())),
                Err(FileStoreError::Missing) => self.check_folder().and(Err(FileStoreError::Missing)),
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// Deletes all objects below a name, many with each request.
    pub(crate) async fn delete_many(&self, prefix: &str) -> Result<(), FileStoreError> {
        use futures_util::{StreamExt as _, TryStreamExt as _};
        in_time(TIMEOUT_OF_MANY, async {
            let found = self.list_objects(prefix).await?.into_iter().map(|it| Ok(it.location));
            let deleted = self.objects.delete_stream(futures_util::stream::iter(found).boxed());
            deleted.try_for_each(|_| async { Ok(()) }).await.map_err(fault)
        })
        .await
    }

    async fn delete_existing(&self, name: &Path) -> Result<(), FileStoreError> {
        match self.objects.delete(name).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(fault(error)),
        }
    }
}

impl FileStore for ObjectFiles {
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(in_time(self.timeout, async move {
            self.check_folder()?;
            self.objects.put(&Path::from(name), bytes.into()).await.map(drop).map_err(fault)
        }))
    }

    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<u8>, FileStoreError>> {
        Box::pin(async move { Ok(self.get_at_most(name, u64::MAX).await?.unwrap_or_default()) })
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(in_time(self.timeout, async move { self.delete_existing(&Path::from(name)).await }))
    }

    fn delete_all<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(in_time(TIMEOUT_OF_MANY, async move {
            for object in self.list_objects(prefix).await? {
                self.delete_existing(&object.location).await?;
            }
            let Some(folder) = &self.folder else { return Ok(()) };
            // A write that was interrupted by a crash left a temporary file, which listings do not show.
            let folder = folder.join(prefix);
            let removed = tokio::task::spawn_blocking(move || std::fs::remove_dir_all(folder)).await;
            match removed {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                Ok(Err(error)) => Err(FileStoreError::Unavailable(error.to_string())),
                Err(error) => Err(FileStoreError::Unavailable(error.to_string())),
            }
        }))
    }

    fn list<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StoredObject>, FileStoreError>> {
        Box::pin(in_time(TIMEOUT_OF_MANY, async move {
            let found = self.list_objects(prefix).await?;
            Ok(found
                .into_iter()
                .map(|object| StoredObject {
                    name: object.location.to_string(),
                    written_at: Wall::from_micros(object.last_modified.timestamp_micros()),
                })
                .collect())
        }))
    }
}

/// Returns whether a folder was marked.
pub(crate) fn has_marker(folder: &std::path::Path, marker: &str) -> bool {
    folder.join(marker).is_file()
}

/// Marks a folder on its first use. Later a folder that became read-only opens: its files can be read, and the service names
/// the fault while it runs.
pub(crate) fn mark(folder: &std::path::Path, marker: &str) -> std::io::Result<()> {
    let marker = folder.join(marker);
    if marker.is_file() { Ok(()) } else { std::fs::write(marker, MARKER_TEXT) }
}

fn bucket(settings: S3Settings, response: Duration) -> Result<AmazonS3, FileStoreError> {
    let mut builder = AmazonS3Builder::new()
        .with_http_connector(Hyper { timeout: response })
        .with_retry(RetryConfig {
            backoff: BackoffConfig { init_backoff: BACKOFF.0, max_backoff: BACKOFF.1, base: 2.0 },
            max_retries: RETRIES,
            retry_timeout: RETRY_TIMEOUT,
        })
        .with_region(settings.region)
        .with_bucket_name(settings.bucket)
        .with_access_key_id(settings.access_key_id)
        .with_secret_access_key(settings.secret_access_key.expose_secret());
    if let Some(endpoint) = settings.endpoint {
        builder = builder.with_allow_http(endpoint.starts_with("http://")).with_endpoint(endpoint);
    }
    builder.build().map_err(fault)
}

async fn in_time<T>(
    timeout: Duration,
    work: impl Future<Output = Result<T, FileStoreError>>,
) -> Result<T, FileStoreError> {
    let done = tokio::time::timeout(timeout, work).await;
    done.unwrap_or_else(|late| Err(FileStoreError::Unavailable(late.to_string())))
}

fn fault(error: object_store::Error) -> FileStoreError {
    fault::convert(&error)
}
