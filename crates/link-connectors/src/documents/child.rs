//! The child: one job, one answer. Everything that parses what people upload happens here.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ExitCode;
use std::time::Instant;

use rustix::process::{Signal, getpgrp, getpid, kill_process_group};

use super::inspection::inspect;
use super::job::{Job, Outcome, Report, Task, read_file};
use super::reading::{self, Unread};

/// Bytes the line of a job may have.
const JOB_BYTES: u64 = 64 * 1024;

/// Does the job that comes by standard input. It says nothing but its answer: no words about what it saw.
pub fn run() -> ExitCode {
    match work() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn work() -> io::Result<()> {
    let began = Instant::now();
    let mut input = BufReader::new(io::stdin());
    let mut line = String::new();
    input.by_ref().take(JOB_BYTES).read_line(&mut line)?;
    let job: Job = serde_json::from_str(&line)?;
    job.limits.bind()?;
    let outcome = match job.task {
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
        Task::Read { formats, tesseract } => {
            let files = formats
                .into_iter()
                .map(|format| read_file(&mut input).map(|bytes| (format, bytes)))
                .collect::<io::Result<Vec<_>>>()?;
            end_with_the_parent(input);
            match reading::read(files, &tesseract, began + job.limits.pictures_until()) {
                Ok((findings, left_out)) => Outcome::Read { findings: Box::new(findings), left_out },
                Err(Unread::Failed(code)) => Outcome::Failed { code },
                Err(Unread::WithoutTesseract) => Outcome::WithoutTesseract {},
            }
        }
    };
    let report = serde_json::to_vec(&Report { outcome, peak_kib: peak_kib() })?;
    io::stdout().write_all(&report)
}

/// The parent keeps standard input open while it waits. When it is gone, so is everything this child began.
fn end_with_the_parent(mut input: impl Read + Send + 'static) {
    std::thread::spawn(move || {
        let mut byte = [0];
        while matches!(input.read(&mut byte), Ok(1)) {}
        if getpgrp() == getpid() {
            let _ = kill_process_group(getpgrp(), Signal::KILL);
        }
    });
}

/// The largest memory this process had.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
