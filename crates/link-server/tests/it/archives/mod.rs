//! Uploads and archive jobs below HTTP, with a test clock and a scripted document reader.

mod analysis;
mod writing;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use link_domain::documents::archive::{Archive, ArchiveInput, NewArchive, NewFile, UploadUsage};
use link_domain::documents::document_reader::{
    DocumentReader, DocumentReading, DocumentRequest, FileContent, InspectError, Inspection,
};
use link_domain::documents::file_store::StoredObject;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_domain::kernel::system::Clock;
use link_domain::linking::consent::Consent;
use link_domain::linking::consent_reading::Sentences;
use link_domain::tenancy::user::User;
use link_server::adapters::system::SystemClock;
use link_server::admin::tenant_setup;
use link_server::app::{App, Parts};
use link_server::http::problem::ApiResult;
use link_server::settings::SettingsInput;
use link_server::uploads::{UploadEnd, UploadWriter};
use link_server::{service, workers};
use link_store::FileSettings;
use link_store::test_support::{Backend, TestDatabase};
use link_types::archive::{ArchiveType, Extraction, FileFormat, FileSlot};
use link_types::id::{ArchiveId, AttemptId, ConsentTemplateId, FileId, UserId};
use link_types::link::{ConsentGivenBy, ConsentReceipt};
use link_types::template::Retention;
use link_types::{Mode, Sensitive};
use tokio::sync::watch;

/// System time plus an offset that tests advance.
#[derive(Default)]
pub struct TestClock(AtomicI64);

impl TestClock {
    /// Advances the clock.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Wall {
        SystemClock.now() + Duration::from_micros(self.0.load(Ordering::SeqCst).unsigned_abs())
    }
}

/// A reader that returns queued results in order, then repeats the last one.
pub struct ScriptedReader {
    pub inspections: Mutex<VecDeque<Result<Inspection, InspectError>>>,
    pub readings: Mutex<VecDeque<DocumentReading>>,
    /// The bytes of every file that it read.
    pub seen: Mutex<Vec<Vec<u8>>>,
    /// How often `read` was called.
    pub asked: watch::Sender<u32>,
    /// Whether `read` may return.
    pub free: watch::Sender<bool>,
}

fn next<T: Clone>(queue: &Mutex<VecDeque<T>>) -> T {
    let mut queue = queue.lock().unwrap();
    let first = queue.pop_front().unwrap();
    if queue.is_empty() {
        queue.push_back(first.clone());
    }
    first
}

impl DocumentReader for ScriptedReader {
    fn inspect<'a>(
        &'a self,
        _: Box<dyn FileContent + 'a>,
    ) -> BoxFuture<'a, Result<Inspection, InspectError>> {
        Box::pin(std::future::ready(next(&self.inspections)))
    }

    fn read<'a>(&'a self, request: DocumentRequest<'a>) -> BoxFuture<'a, DocumentReading> {
        Box::pin(async move {
            for mut file in request.files {
                let mut bytes = Vec::new();
                while let Some(piece) = file.content.next().await.unwrap() {
                    bytes.extend(piece);
                }
                assert_eq!(bytes.len(), file.size_bytes as usize);
                self.seen.lock().unwrap().push(bytes);
            }
            self.asked.send_modify(|asked| *asked += 1);
            self.free.subscribe().wait_for(|free| *free).await.unwrap();
            next(&self.readings)
        })
    }
}

/// A service without HTTP: store, files, reader and the job worker.
pub struct Harness {
    pub app: App,
    pub clock: Arc<TestClock>,
    pub reader: Arc<ScriptedReader>,
    pub owner: Owner,
    pub user: UserId,
    pub database: TestDatabase,
    stop: watch::Sender<bool>,
    work: tokio::task::JoinHandle<()>,
}

pub fn payslip_reading() -> DocumentReading {
    let (document_type, pages) = (ArchiveType::Payslip, vec![1]);
    let document = Extraction { document_type, pages, fields: Vec::new(), faults: Vec::new() };
    DocumentReading::Read { extracted: document.into(), batch: Default::default() }
}

impl Harness {
    pub async fn new(backend: Backend) -> Self {
        Self::with_parts(backend, |_| {}).await
    }

    /// Starts a harness whose parts the test changes first.
    pub async fn with_parts(backend: Backend, exchange: impl FnOnce(&mut Parts)) -> Self {
        let database = TestDatabase::new(backend);
        let mut settings = SettingsInput::default().settle().unwrap();
        settings.data_dir = database.folder().to_owned();
        settings.files = FileSettings::Folder(database.folder().join("files"));
        let (stop, stopping) = watch::channel(false);
        let mut parts = service::parts(settings, database.open().await, stopping).unwrap();
        let clock = Arc::new(TestClock::default());
        let fit = Inspection { format: FileFormat::Pdf, pages: 1, pixels: 0 };
        let reader = Arc::new(ScriptedReader {
            inspections: Mutex::new([Ok(fit)].into()),
            readings: Mutex::new([payslip_reading()].into()),
            seen: Mutex::default(),
            asked: watch::Sender::new(0),
            free: watch::Sender::new(true),
        });
        parts.ports.clock = Arc::clone(&clock) as Arc<dyn Clock>;
        parts.ports.reader = Arc::clone(&reader) as Arc<dyn DocumentReader>;
        exchange(&mut parts);
        let app = App::new(parts);
        tenant_setup::first_start(&app).await.unwrap();
        let tenants =
            app.store.read(|reader| -> ApiResult<_> { Ok(reader.tenants().list()?) }).await.unwrap();
        let owner = Owner { tenant: tenants[0].id.clone(), mode: Mode::Production };
        let mut context = app.context(Default::default());
        let (user, change) = User::create(owner.clone(), None, Default::default(), &mut context);
        let now = context.now();
        app.store.write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();
        let work = tokio::spawn(workers::jobs::run(app.clone()));
        Self { app, clock, reader, owner, user: user.id, database, stop, work }
    }

    /// Advances the clock.
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Creates an archive to upload into.
    pub async fn begin_archive(&self) -> ArchiveId {
        let mut context = self.app.context(Default::default());
        let receipt = ConsentReceipt {
            consent_template_id: ConsentTemplateId::from_bytes([2; 16]),
            version: "1.0".into(),
            locale: "en".into(),
            given_by: ConsentGivenBy::Person,
            sync_interval: None,
            retention: Retention::FromConnection,
            data_choice: None,
        };
        let new = NewArchive {
            owner: self.owner.clone(),
            user_id: self.user.clone(),
            attempt_id: AttemptId::from_bytes([7; 16]),
            visit_id: None,
            archive_type: ArchiveType::Payslip,
            consent: Consent {
                receipt,
                consented_at: context.now().tenant(),
                text: Digest32::from_text("You share your data."),
                sentences: Sentences::new("en", None, Retention::FromConnection),
                company: "Ardilla Loans".into(),
                given_in: None,
            },
        };
        let quota = self.app.settings.upload_quota();
        let (archive, change) = Archive::begin(new, UploadUsage::default(), quota, &mut context).unwrap();
        let now = context.now();
        self.app.store.write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();
        archive.id
    }

    /// Applies an input and returns the changed archive.
    pub async fn act(
        &self,
        id: &ArchiveId,
        input: impl Fn() -> ArchiveInput<'static> + Send + 'static,
    ) -> Archive {
        let (owner, id, context) = (self.owner.clone(), id.clone(), self.app.context(Default::default()));
        self.app
            .store
            .write(move |tx| -> ApiResult<_> {
                let mut context = context.clone();
                let archive = tx.archives().get(&owner, &id)?.unwrap();
                let (archive, change) = archive.apply(input(), &mut context)?;
                tx.apply(&change, context.now())?;
                Ok(archive)
            })
            .await
            .unwrap()
    }

    /// Announces a file of `size` bytes and returns its id.
    pub async fn announce(&self, archive: &ArchiveId, size: usize) -> FileId {
        let quota = self.app.settings.upload_quota();
        let archive = self
            .act(archive, move || ArchiveInput::AddFile {
                file: NewFile {
                    name: Sensitive::new("slip.pdf"),
                    slot: FileSlot::Page,
                    size_bytes: size as u64,
                    sha256: None,
                },
                usage: UploadUsage::default(),
                quota,
            })
            .await;
        archive.progress(self.app.now(Default::default()).tenant()).files.last().unwrap().file_id.clone()
    }

    /// Opens the writer of a file.
    pub async fn writer(&self, archive: &ArchiveId, file: &FileId) -> UploadWriter {
        UploadWriter::open(&self.app, &self.owner, archive, file).await.unwrap()
    }

    /// Creates, fills and submits an archive with one file.
    pub async fn submit(&self, bytes: &[u8]) -> ArchiveId {
        let archive = self.begin_archive().await;
        let file = self.announce(&archive, bytes.len()).await;
        let mut writer = self.writer(&archive, &file).await;
        writer.append(bytes).await.unwrap();
        assert!(matches!(writer.finish().await.unwrap(), UploadEnd::Complete(_)));
        self.act(&archive, || ArchiveInput::Submit).await;
        archive
    }

    /// Reads the archive; `None` if it does not exist.
    pub async fn archive(&self, id: &ArchiveId) -> Option<Archive> {
        let (owner, id) = (self.owner.clone(), id.clone());
        self.app
            .store
            .read(move |reader| -> ApiResult<_> { Ok(reader.archives().get(&owner, &id)?) })
            .await
            .unwrap()
    }

    /// Lists the stored objects of an archive.
    pub async fn objects(&self, id: &ArchiveId) -> Vec<StoredObject> {
        self.app.ports.files.list(&link_domain::documents::archive::Segment::folder(id)).await.unwrap()
    }

    /// Stops the worker and waits for it, as a shutdown does.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.work.await.unwrap();
    }
}

/// Makes bytes that do not repeat within or between segments.
pub fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|place| (place % 251) as u8 ^ (place / 65_536) as u8).collect()
}
