//! Bytes of an upload on their way into the store: sealed segment by segment, each durable before its row says so.

use std::sync::Arc;

use axum::http::StatusCode;
use link_domain::archive::{Archive, ArchiveInput, SEGMENT_BYTES, Segment, StoredFile};
use link_domain::context::Context;
use link_domain::owner::Owner;
use link_domain::ports::{FileContent, InspectFault, Inspection};
use link_store::FileKey;
use link_types::archive::FileFault;
use link_types::id::{ArchiveId, FileId, UserId};
use sha2::{Digest, Sha256};

use super::StoredContent;
use crate::app::App;
use crate::http::problem::{Answer, Problem};

/// Appends to one file. It holds at most one segment; what it has not written when it is dropped is lost, and sent
/// again. Another writer of the same file, on whatever node, makes this one's next segment a conflict.
pub struct UploadWriter {
    app: App,
    owner: Owner,
    user_id: UserId,
    archive_id: ArchiveId,
    file_id: FileId,
    key: FileKey,
    size: u32,
    /// Bytes that are durable.
    received: u32,
    /// The segment being filled, from its first byte on: what an earlier request left of it, too.
    filling: Arc<Vec<u8>>,
    /// The object that holds the part of it that is durable.
    replaced: Option<String>,
}

/// How far a file has come when a writer is done with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UploadEnd {
    /// More bytes are to come.
    Partial {
        /// Those that are durable.
        received: u32,
    },
    /// All of it is there and it is fit.
    Complete(Box<StoredFile>),
    /// It is refused, and taken out of its archive.
    Refused(FileFault),
}

impl UploadWriter {
    /// Takes up a file where it stands.
    ///
    /// # Errors
    /// 404 when there is no such file, 409 when all of it is there already.
    pub async fn open(app: &App, owner: &Owner, archive_id: &ArchiveId, file_id: &FileId) -> Answer<Self> {
        let (whose, which, file) = (owner.clone(), archive_id.clone(), file_id.clone());
        let found = app.store().read(move |reader| -> Answer<_> {
            let archive = reader.archive(&whose, &which)?.ok_or_else(Problem::missing)?;
            let uploading = archive.uploading(&file).cloned().ok_or_else(Problem::missing)?;
            let segments = reader.file_segments(&which, &file)?;
            Ok((archive.user_id, uploading, reader.file_key(&which)?, segments))
        });
        let (user_id, file, key, segments) = found.await?;
        if file.stored().is_some() {
            return Err(Problem::conflict("All of the file is there already."));
        }
        let mut writer = Self {
            app: app.clone(),
            owner: owner.clone(),
            user_id,
            archive_id: archive_id.clone(),
            file_id: file_id.clone(),
            key,
            size: file.size_bytes(),
            received: file.received_bytes(),
            filling: Arc::default(),
            replaced: None,
        };
        if let Some(last) = segments.last().filter(|last| last.length < SEGMENT_BYTES) {
            let sealed = app.files().get(&last.object).await.map_err(Problem::unavailable)?;
            writer.filling = Arc::new(std::mem::take(&mut *writer.key.open(last, &sealed)?));
            writer.replaced = Some(last.object.clone());
        }
        Ok(writer)
    }

    /// Bytes that are durable.
    pub const fn received(&self) -> u32 {
        self.received
    }

    /// Bytes of the whole file.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Takes bytes in, and writes whatever segments they fill. The file's last bytes wait for [`UploadWriter::finish`].
    ///
    /// # Errors
    /// 413 when there are more than the file has left, 409 when the file was changed by somebody else meanwhile, 503
    /// when the store of files is away.
    pub async fn append(&mut self, mut bytes: &[u8]) -> Answer<()> {
        if bytes.len() > (self.size - self.taken()) as usize {
            return Err(crate::http::tus::too_many_bytes());
        }
        while !bytes.is_empty() {
            let room = SEGMENT_BYTES as usize - self.filling.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            Arc::make_mut(&mut self.filling).extend_from_slice(now);
            bytes = later;
            if self.filling.len() == SEGMENT_BYTES as usize && self.taken() < self.size {
                self.write().await?;
            }
        }
        Ok(())
    }

    /// Writes what is left. When that is the end of the file, the file is looked at first: it is complete once it was
    /// found fit, and goes when it was not.
    ///
    /// # Errors
    /// As [`UploadWriter::append`]; 503 also when the document reader is away, or too many files wait to be looked at, and
    /// the last segment is sent again.
    pub async fn finish(mut self) -> Answer<UploadEnd> {
        if self.taken() == self.size {
            return self.complete().await;
        }
        if self.taken() > self.received {
            self.write().await?;
        }
        Ok(UploadEnd::Partial { received: self.received })
    }

    /// Bytes that came, durable or not.
    fn taken(&self) -> u32 {
        self.first_of_filling() + u32::try_from(self.filling.len()).unwrap_or(u32::MAX)
    }

    const fn first_of_filling(&self) -> u32 {
        self.received / SEGMENT_BYTES * SEGMENT_BYTES
    }

    /// Makes the segment durable under a name of its own; no row speaks of it yet.
    async fn stored_segment(&self, context: &mut Context) -> Answer<Segment> {
        let index = self.first_of_filling() / SEGMENT_BYTES;
        let length = u32::try_from(self.filling.len()).unwrap_or(u32::MAX);
        let segment = Segment::new(&self.archive_id, &self.file_id, index, length, context);
        let sealed = self.key.seal(&segment, &self.filling)?;
        self.app.files().put(&segment.object, sealed).await.map_err(Problem::unavailable)?;
        Ok(segment)
    }

    async fn write(&mut self) -> Answer<()> {
        let mut context = self.app.context(self.app.offset_of(&self.owner).await?);
        let segment = self.stored_segment(&mut context).await?;
        let (file_id, from, durable) = (self.file_id.clone(), self.received, segment.clone());
        let received =
            move || ArchiveInput::Received { file_id: file_id.clone(), from, segment: durable.clone() };
        let applied = self.apply(context, received).await;
        self.take_back_refused(&segment, &applied).await;
        applied?;
        self.drop_replaced().await;
        self.received = segment.ends_at();
        if segment.length == SEGMENT_BYTES {
            Arc::make_mut(&mut self.filling).clear();
        } else {
            self.replaced = Some(segment.object);
        }
        Ok(())
    }

    async fn complete(&mut self) -> Answer<UploadEnd> {
        let turn = self.app.inspection_turns().take(&self.owner.tenant, &self.user_id).await?;
        let sha256 = self.sha256().await?;
        let inspected = self.inspect().await;
        drop(turn);
        let inspection = match inspected {
            Ok(inspection) => inspection,
            Err(InspectFault::Refused(fault)) => return self.refuse(fault).await,
            Err(InspectFault::Unavailable) => {
                return Err(Problem::unavailable(InspectFault::Unavailable));
            }
        };
        let mut context = self.app.context(self.app.offset_of(&self.owner).await?);
        let segment = self.stored_segment(&mut context).await?;
        let (file_id, from, durable) = (self.file_id.clone(), self.received, segment.clone());
        let completed = move || ArchiveInput::Completed {
            file_id: file_id.clone(),
            from,
            segment: durable.clone(),
            inspection,
            sha256: sha256.clone(),
        };
        let applied = self.apply(context, completed).await;
        self.take_back_refused(&segment, &applied).await;
        match applied {
            Ok(archive) => {
                self.drop_replaced().await;
                let stored = archive.stored_file(&self.file_id).ok_or_else(Problem::missing)?;
                Ok(UploadEnd::Complete(Box::new(stored.clone())))
            }
            Err(problem) => match problem.file_fault() {
                Some(fault) => self.refuse(fault).await,
                None => Err(problem),
            },
        }
    }

    async fn refuse(&self, fault: FileFault) -> Answer<UploadEnd> {
        let context = self.app.context(self.app.offset_of(&self.owner).await?);
        let file_id = self.file_id.clone();
        self.apply(context, move || ArchiveInput::RemoveFile { file_id: file_id.clone() }).await?;
        Ok(UploadEnd::Refused(fault))
    }

    async fn inspect(&self) -> Result<Inspection, InspectFault> {
        let content = self.content().await.map_err(|problem| {
            tracing::error!(?problem, file = %self.file_id, "a file cannot be inspected");
            InspectFault::Unavailable
        })?;
        self.app.reader().inspect(Box::new(content)).await
    }

    async fn sha256(&self) -> Answer<String> {
        let mut content = self.content().await?;
        let mut digest = Sha256::new();
        while let Some(piece) = content.next().await.map_err(Problem::unavailable)? {
            digest.update(&piece);
        }
        Ok(base16ct::lower::encode_string(&digest.finalize()))
    }

    /// The whole file: its full segments, and the one in hand.
    async fn content(&self) -> Answer<StoredContent> {
        let stored = StoredContent::open(&self.app, &self.archive_id, &self.file_id).await?;
        Ok(stored.ending_with((self.received / SEGMENT_BYTES) as usize, Arc::clone(&self.filling)))
    }

    /// The object whose segment was written anew goes. An object that a failed unit left is swept later instead: the
    /// failure may have been that of the answer alone.
    async fn drop_replaced(&mut self) {
        if let Some(waste) = self.replaced.take()
            && let Err(error) = self.app.files().delete(&waste).await
        {
            tracing::warn!(%error, "a segment without a row is left to the sweep");
        }
    }

    /// The object goes whose segment was refused: its file or archive is gone, or somebody else was quicker. After any
    /// other failure a row may name it.
    async fn take_back_refused(&self, segment: &Segment, applied: &Answer<Archive>) {
        let Err(problem) = applied else { return };
        let is_refused = matches!(problem.status(), StatusCode::NOT_FOUND | StatusCode::CONFLICT);
        if !is_refused && problem.file_fault().is_none() {
            return;
        }
        let (archive, file) = (self.archive_id.clone(), self.file_id.clone());
        let named = self.app.store().read(move |reader| reader.file_segments(&archive, &file)).await;
        // The refusal may be that of a unit that ran twice.
        let is_named = named.map(|named| named.iter().any(|it| it.object == segment.object));
        if !matches!(is_named, Ok(false)) {
            return;
        }
        if let Err(error) = self.app.files().delete(&segment.object).await {
            tracing::warn!(%error, "a segment without a row is left to the sweep");
        }
    }

    async fn apply(
        &self,
        context: Context,
        input: impl Fn() -> ArchiveInput<'static> + Send + 'static,
    ) -> Answer<Archive> {
        let (owner, id) = (self.owner.clone(), self.archive_id.clone());
        self.app
            .store()
            .write(move |tx| -> Answer<_> {
                let mut context = context.clone();
                let archive = tx.archive(&owner, &id)?.ok_or_else(Problem::missing)?;
                let (archive, change) = archive.apply(input(), &mut context)?;
                tx.apply(&change, context.now())?;
                Ok(archive)
            })
            .await
    }
}
