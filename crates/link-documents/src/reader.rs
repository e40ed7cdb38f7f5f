//! The parent's side: a child process for each job, connected by a pipe.

mod logos;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use link_domain::documents::document_reader::{
    DocumentFile, DocumentReader, DocumentReading, DocumentRequest, FileContent, InspectError, Inspection,
};
use link_domain::kernel::system::BoxFuture;
use link_types::archive::{ArchiveErrorCode, FileFault};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::Semaphore;

use crate::job::{Job, MAX_RESPONSE_BYTES, Outcome, Report, Task, piece_head};
use crate::limits::Limits;
use crate::points;
use crate::sandbox::probe::Probe;
use crate::sandbox::{self, Confinement, FileWall, Layer, SandboxPolicy, SandboxReport};
use crate::tesseract::Tesseract;

/// Reads documents with `linchpin extract`.
#[derive(Debug)]
pub struct ChildReader {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// The child's program, which another program may wrap.
    inner: PathBuf,
    wall: FileWall,
    policy: SandboxPolicy,
    tesseract: Tesseract,
    inspections: Semaphore,
    readings: Semaphore,
    logos: Semaphore,
    reading: Limits,
    peak_kib: AtomicU64,
}

/// Reason why a child gave no response.
enum ChildError {
    /// The child could not start, or its files could not be read.
    Away,
    /// The child had its files and took too long. A retry would take as long.
    Late,
    /// The child was killed by a signal or sent no response: its input broke it.
    Broken,
}

impl ChildReader {
    /// The maximum number of concurrent inspections. Readings do not delay inspections, because a person waits for
    /// those.
    ///
    /// The callers share the slots between tenants and users. Here they are granted in the order of requests.
    pub const MAX_INSPECTIONS: usize = 4;
    /// The maximum number of concurrent readings.
    pub const MAX_READINGS: usize = 2;
    /// The maximum number of logos that are encoded at once.
    pub const MAX_LOGOS: usize = 2;

    /// Creates a reader whose children are this program with these arguments, under [`SandboxPolicy::default`].
    pub fn new(program: impl Into<PathBuf>, arguments: &[&str], tesseract: Tesseract) -> Self {
        let inner = program.into();
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let (wall, program, arguments) = sandbox::command(&inner, &arguments, &tesseract);
        Self {
            program,
            arguments,
            inner,
            wall,
            policy: SandboxPolicy::default(),
            tesseract,
            inspections: Semaphore::new(Self::MAX_INSPECTIONS),
            readings: Semaphore::new(Self::MAX_READINGS),
            logos: Semaphore::new(Self::MAX_LOGOS),
            reading: Limits::READ,
            peak_kib: AtomicU64::new(0),
        }
    }

    /// Uses other limits than [`Limits::READ`] for readings.
    #[must_use]
    pub fn reading_within(self, reading: Limits) -> Self {
        Self { reading, ..self }
    }

    /// Uses another sandbox policy.
    #[must_use]
    pub fn under(self, policy: SandboxPolicy) -> Self {
        Self { policy, ..self }
    }

    /// Lets a child try what its sandbox forbids, and reports which layers hold.
    ///
    /// The test takes about 0.1 s and touches no uploaded file.
    ///
    /// # Errors
    /// [`SelfTestError`] if the child does not respond.
    pub async fn self_test(&self) -> Result<SandboxReport, SelfTestError> {
        // A missing temporary folder is not a fault of the sandbox.
        drop(tempfile::tempdir()?);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        // Within bubblewrap the child may read and start its own program.
        let own = self.inner.canonicalize()?;
        let readable = match self.wall {
            FileWall::Landlock => vec![own.clone(), PathBuf::from("/etc/passwd")],
            FileWall::Bubblewrap => vec![PathBuf::from("/etc/passwd")],
        };
        let shell = PathBuf::from("/bin/sh");
        let probe = Probe {
            readable: readable.into_iter().filter(|path| std::fs::File::open(path).is_ok()).collect(),
            program: if shell.exists() { shell } else { own },
            listener: listener.local_addr()?,
        };
        let task = Task::Probe { probe, tesseract: self.tesseract.clone() };
        match self.ask(&self.job(Limits::INSPECT, task), &mut []).await {
            Ok(Outcome::Probed { entered, attempts, tesseract }) => {
                Ok(SandboxReport::new(entered, &attempts, tesseract))
            }
            Ok(_) | Err(ChildError::Away | ChildError::Late | ChildError::Broken) => {
                Err(SelfTestError::NoResponse)
            }
        }
    }

    fn job(&self, limits: Limits, task: Task) -> Job {
        Job { limits, confinement: Confinement { policy: self.policy, wall: self.wall }, task }
    }

    /// Returns the largest peak memory of any child so far in KiB, without the child's own children.
    pub fn peak_kib(&self) -> u64 {
        self.peak_kib.load(Ordering::Relaxed)
    }

    async fn ask(&self, job: &Job, files: &mut [Box<dyn FileContent + '_>]) -> Result<Outcome, ChildError> {
        let permits = match job.task {
            Task::Inspect {} | Task::Probe { .. } => &self.inspections,
            Task::Read { .. } => &self.readings,
            Task::Logo { .. } => &self.logos,
        };
        let _permit = permits.acquire().await.map_err(|_| ChildError::Away)?;
        let all_sent = AtomicBool::new(false);
        let response = tokio::time::timeout(job.limits.deadline, self.converse(job, files, &all_sent)).await;
        let report: Report = match response {
            Ok(response) => response?,
            Err(_) if all_sent.into_inner() => return Err(ChildError::Late),
            Err(_) => return Err(ChildError::Away),
        };
        self.peak_kib.fetch_max(report.peak_kib, Ordering::Relaxed);
        Ok(report.outcome)
    }

    async fn converse(
        &self,
        job: &Job,
        files: &mut [Box<dyn FileContent + '_>],
        all_sent: &AtomicBool,
    ) -> Result<Report, ChildError> {
        let folder = tempfile::tempdir().map_err(|_| ChildError::Away)?;
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .current_dir(folder.path())
            .process_group(0)
            .kill_on_drop(true)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| ChildError::Away)?;
        let _group = Group::from_child(&child);
        let mut input = child.stdin.take().ok_or(ChildError::Away)?;
        let output = child.stdout.take().ok_or(ChildError::Away)?;
        let mut response = Vec::new();
        let mut output = output.take(MAX_RESPONSE_BYTES);
        let sent = async {
            match send_job(&mut input, job, files).await {
                // The child would wait for the rest until its deadline.
                Err(SendJobError::ContentLost) => return Err(ChildError::Away),
                Ok(()) | Err(SendJobError::ChildGone) => {}
            }
            all_sent.store(true, Ordering::Relaxed);
            Ok(input)
        };
        let heard = async { output.read_to_end(&mut response).await.map_err(|_| ChildError::Away) };
        // The input stays open until the response is complete, because a child ends when it closes.
        let _input = tokio::try_join!(sent, heard)?;
        let ended = child.wait().await.map_err(|_| ChildError::Away)?;
        if !ended.success() {
            return Err(ChildError::Broken);
        }
        serde_json::from_slice(&response).map_err(|_| ChildError::Broken)
    }
}

/// Reason why a job could not be sent.
enum SendJobError {
    ContentLost,
    ChildGone,
}

async fn send_job(
    input: &mut ChildStdin,
    job: &Job,
    files: &mut [Box<dyn FileContent + '_>],
) -> Result<(), SendJobError> {
    let gone = |_| SendJobError::ChildGone;
    let mut line = serde_json::to_vec(job).map_err(|_| SendJobError::ChildGone)?;
    line.push(b'\n');
    input.write_all(&line).await.map_err(gone)?;
    for file in files {
        while let Some(piece) = file.next().await.map_err(|_| SendJobError::ContentLost)? {
            if !piece.is_empty() {
                input.write_all(&piece_head(piece.len())).await.map_err(gone)?;
                input.write_all(&piece).await.map_err(gone)?;
            }
        }
        input.write_all(&piece_head(0)).await.map_err(gone)?;
    }
    input.flush().await.map_err(gone)
}

/// Reason why the sandbox could not be tested.
#[derive(Debug, thiserror::Error)]
pub enum SelfTestError {
    /// The child did not start, or ended without a response.
    #[error("the document reader's child process does not start, or its sandbox stops it")]
    NoResponse,
    /// The test could not be prepared.
    #[error("the test could not be prepared ({0})")]
    Preparing(#[from] std::io::Error),
}

fn log_missing(missing: &[Layer]) {
    for layer in missing {
        tracing::error!(
            %layer,
            advice = layer.advice(),
            "A document was not read: the sandbox is incomplete, and --document-sandbox is `required`"
        );
    }
}

/// The child's process group, killed when this value is dropped.
struct Group(Option<Pid>);

impl Group {
    fn from_child(child: &Child) -> Self {
        Self(child.id().and_then(|id| Pid::from_raw(id.cast_signed())))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            // The group may have ended already.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

impl DocumentReader for ChildReader {
    fn inspect<'a>(
        &'a self,
        content: Box<dyn FileContent + 'a>,
    ) -> BoxFuture<'a, Result<Inspection, InspectError>> {
        Box::pin(async move {
            let job = self.job(Limits::INSPECT, Task::Inspect {});
            match self.ask(&job, &mut [content]).await {
                Ok(Outcome::Inspected { format, pages, pixels }) => Ok(Inspection { format, pages, pixels }),
                Ok(Outcome::Refused { fault }) => Err(InspectError::Refused(fault)),
                Ok(Outcome::Unsandboxed { missing }) => {
                    log_missing(&missing);
                    Err(InspectError::Unavailable)
                }
                Ok(
                    Outcome::Encoded { .. }
                    | Outcome::NotEncoded { .. }
                    | Outcome::Read { .. }
                    | Outcome::Failed { .. }
                    | Outcome::WithoutTesseract {}
                    | Outcome::Probed { .. },
                )
                | Err(ChildError::Away) => Err(InspectError::Unavailable),
                Err(ChildError::Broken | ChildError::Late) => Err(InspectError::Refused(FileFault::Damaged)),
            }
        })
    }

    fn read<'a>(&'a self, request: DocumentRequest<'a>) -> BoxFuture<'a, DocumentReading> {
        Box::pin(async move {
            let formats = request.files.iter().map(|file| file.format).collect();
            let task = Task::Read { formats, tesseract: self.tesseract.clone() };
            let mut contents: Vec<_> =
                request.files.into_iter().map(|DocumentFile { content, .. }| content).collect();
            let failed = |code| DocumentReading::Failed { code };
            match self.ask(&self.job(self.reading.clone(), task), &mut contents).await {
                Ok(Outcome::Read { findings, left_out }) => {
                    let (batch, extracted) = (points::batch(&findings), findings.extracted);
                    match left_out {
                        0 => DocumentReading::Read { extracted, batch },
                        1.. => DocumentReading::ReadInPart { extracted, batch },
                    }
                }
                Ok(Outcome::Failed { code }) => failed(code),
                Ok(Outcome::Unsandboxed { missing }) => {
                    log_missing(&missing);
                    failed(ArchiveErrorCode::ServiceUnavailable)
                }
                Ok(
                    Outcome::Inspected { .. }
                    | Outcome::Refused { .. }
                    | Outcome::Encoded { .. }
                    | Outcome::NotEncoded { .. }
                    | Outcome::Probed { .. },
                ) => failed(ArchiveErrorCode::SystemError),
                // A retry would not help before an operator installs Tesseract.
                Ok(Outcome::WithoutTesseract {}) => {
                    tracing::error!(
                        program = %self.tesseract.program,
                        "Tesseract is not installed, so pictures are not read"
                    );
                    failed(ArchiveErrorCode::FileUnableToRecognize)
                }
                Err(ChildError::Away) => failed(ArchiveErrorCode::ServiceUnavailable),
                Err(ChildError::Late) => failed(ArchiveErrorCode::FileUnableToRecognize),
                Err(ChildError::Broken) => failed(ArchiveErrorCode::FileUnreadable),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use link_domain::documents::document_reader::ContentLostError;
    use link_domain::kernel::clock::TenantTime;
    use link_types::archive::{ArchiveType, FileFormat, FileSlot};

    use super::*;

    struct LostContent;

    impl FileContent for LostContent {
        fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ContentLostError>> {
            Box::pin(std::future::ready(Err(ContentLostError)))
        }
    }

    #[tokio::test]
    async fn lost_content_ends_the_reading_at_once() {
        // It waits for the end of its input, as a reader does.
        let reader = ChildReader::new("/bin/cat", &[], Tesseract::default());
        let file = DocumentFile {
            slot: FileSlot::Page,
            format: FileFormat::Pdf,
            size_bytes: 1,
            content: Box::new(LostContent),
        };
        let at = TenantTime::from_micros(0);
        let request = DocumentRequest { archive_type: ArchiveType::Payslip, files: vec![file], at };
        let reading = tokio::time::timeout(Duration::from_secs(30), reader.read(request)).await;
        let unavailable = DocumentReading::Failed { code: ArchiveErrorCode::ServiceUnavailable };
        assert_eq!(reading.unwrap(), unavailable);
        let inspected = reader.inspect(Box::new(LostContent)).await;
        assert_eq!(inspected.unwrap_err(), InspectError::Unavailable);
    }
}
