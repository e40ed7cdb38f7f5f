//! A stored file, read piece by piece.

use std::collections::VecDeque;
use std::sync::Arc;

use link_domain::archive::Segment;
use link_domain::ports::{Answer as PortAnswer, ContentLost, FileContent};
use link_store::{FileKey, StoreError};
use link_types::id::{ArchiveId, FileId};

use crate::app::App;
use crate::http::problem::Answer;

/// The bytes of a file: its segments, opened one after the other, and what is to follow them.
pub struct StoredContent {
    app: App,
    key: FileKey,
    segments: VecDeque<Segment>,
    tail: Option<Arc<Vec<u8>>>,
}

impl StoredContent {
    /// A file's content as far as it is stored.
    ///
    /// # Errors
    /// When the archive is erased, or the database cannot be read.
    pub async fn open(app: &App, archive: &ArchiveId, file: &FileId) -> Answer<Self> {
        let (archive, file) = (archive.clone(), file.clone());
        let found = app.store().read(move |reader| -> Result<_, StoreError> {
            Ok((reader.file_key(&archive)?, reader.file_segments(&archive, &file)?))
        });
        let (key, segments) = found.await?;
        Ok(Self { app: app.clone(), key, segments: segments.into(), tail: None })
    }

    /// The same with only the first so many segments, and `tail` after them.
    pub(super) fn ending_with(mut self, segments: usize, tail: Arc<Vec<u8>>) -> Self {
        self.segments.truncate(segments);
        self.tail = Some(tail);
        self
    }

    async fn segment(&self, segment: &Segment) -> Result<Vec<u8>, ContentLost> {
        let sealed = self.app.files().get(&segment.object).await.map_err(|error| {
            tracing::error!(%error, file = %segment.file_id, "a segment cannot be read");
            ContentLost
        })?;
        let mut clear = self.key.open(segment, &sealed).map_err(|error| {
            tracing::error!(%error, file = %segment.file_id, "a segment cannot be opened");
            ContentLost
        })?;
        Ok(std::mem::take(&mut *clear))
    }
}

impl FileContent for StoredContent {
    fn next(&mut self) -> PortAnswer<'_, Result<Option<Vec<u8>>, ContentLost>> {
        Box::pin(async move {
            match self.segments.pop_front() {
                Some(segment) => self.segment(&segment).await.map(Some),
                None => Ok(self.tail.take().map(|tail| tail.to_vec())),
            }
        })
    }
}
