//! The child process: one job, one response. It does all parsing of uploaded files.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::os::fd::AsFd as _;
use std::process::ExitCode;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::tenancy::logo::{EncodedLogo, LogoBounds};
use rustix::process::{Signal, getpgrp, getpid, kill_current_process_group};

use crate::inspection::inspect;
use crate::job::{Job, Outcome, Report, Task, read_file};
use crate::logo;
use crate::reading::{self, ReadingError};
use crate::sandbox::probe::{attempts, tesseract_runs};
use crate::sandbox::{self, SandboxPolicy};

/// The maximum length of a job's line, in bytes.
const MAX_JOB_BYTES: usize = 64 * 1024;

/// Runs the job from standard input. Prints nothing but the response, and no messages about the files.
pub fn run() -> ExitCode {
    match work() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn work() -> io::Result<()> {
    let began = Instant::now();
    // `Stdin` is buffered, so it would read the start of a document before the sandbox is complete.
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let job: Job = serde_json::from_slice(&first_line(&input)?)?;
    // The sandbox blocks the path, but not an open file.
    let status = File::open("/proc/self/status");
    job.limits.bind()?;
    let entered = sandbox::enter(job.confinement, job.task.tesseract());
    let missing = match job.confinement.policy {
        SandboxPolicy::Required => entered.missing(),
        SandboxPolicy::BestEffort => Vec::new(),
    };
    let mut input = BufReader::new(input);
    let outcome = match job.task {
        Task::Probe { probe, tesseract } => {
            end_with_the_parent(input);
            Outcome::Probed { entered, attempts: attempts(&probe), tesseract: tesseract_runs(&tesseract) }
        }
        Task::Inspect {} | Task::Logo { .. } | Task::Read { .. } if !missing.is_empty() => {
            Outcome::Unsandboxed { missing }
        }
        Task::Inspect {} => {
            let file = read_file(&mut input)?;
            end_with_the_parent(input);
            match inspect(&file) {
                Ok(found) => {
                    Outcome::Inspected { format: found.format, pages: found.pages, pixels: found.pixels }
                }
                Err(fault) => Outcome::Refused { fault },
            }
        }
        Task::Logo { width, height } => {
            let file = read_file(&mut input)?;
            end_with_the_parent(input);
            match logo::encode(&file, LogoBounds { width, height }) {
                Ok(EncodedLogo { png, width, height }) => {
                    Outcome::Encoded { png: STANDARD.encode(png), width, height }
                }
                Err(fault) => Outcome::NotEncoded { fault },
            }
        }
        Task::Read { formats, tesseract } => {
            let files = formats
                .into_iter()
                .map(|format| read_file(&mut input).map(|bytes| (format, bytes)))
                .collect::<io::Result<Vec<_>>>()?;
            end_with_the_parent(input);
            match reading::read(files, &tesseract, began + job.limits.pictures_until()) {
                Ok((findings, left_out)) => Outcome::Read { findings: Box::new(findings), left_out },
                Err(ReadingError::Failed(code)) => Outcome::Failed { code },
                Err(ReadingError::WithoutTesseract) => Outcome::WithoutTesseract {},
            }
        }
    };
    let report = serde_json::to_vec(&Report { outcome, peak_kib: status.map_or(0, peak_kib) })?;
    io::stdout().write_all(&report)
}

/// Reads the job's line byte by byte, because a document follows it.
fn first_line(mut input: impl Read) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < MAX_JOB_BYTES {
        input.read_exact(&mut byte)?;
        if byte == *b"\n" {
            return Ok(line);
        }
        line.extend(byte);
    }
    Err(io::ErrorKind::InvalidData.into())
}

/// Ends this child and its own children when the parent is gone. The parent keeps standard input open while it waits.
fn end_with_the_parent(mut input: impl Read + Send + 'static) {
    std::thread::spawn(move || {
        let mut byte = [0];
        while matches!(input.read(&mut byte), Ok(1)) {}
        if getpgrp() == getpid() {
            let _ = kill_current_process_group(Signal::KILL);
        }
        // Within bubblewrap the group belongs to another process, and ends with this one.
        std::process::exit(1);
    });
}

/// Returns the peak memory of this process, in KiB.
fn peak_kib(mut status: File) -> u64 {
    let mut text = String::new();
    if status.read_to_string(&mut text).is_err() {
        return 0;
    }
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
