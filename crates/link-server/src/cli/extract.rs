//! `linchpin extract`: the child process that reads documents. The service starts it, and an operator can test its
//! sandbox.

use std::process::ExitCode;

use clap::Args;
use link_documents::SandboxPolicy;

use super::terminal::{CommandError, say, say_aside};
use crate::service::document_reader;

/// The flags of `extract`.
#[derive(Args)]
pub(super) struct Extract {
    /// Try forbidden operations in the document sandbox, and print which layers work. Fails if one does not.
    #[arg(long)]
    self_test: bool,
}

impl Extract {
    /// Runs one job from standard input, or tests the sandbox. A job runs before any thread starts, because only then
    /// the sandbox covers the whole process.
    pub(super) fn run(self) -> ExitCode {
        if !self.self_test {
            return link_documents::child::run();
        }
        match self_test() {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                say_aside(&format!("linchpin: {error}"));
                ExitCode::FAILURE
            }
        }
    }
}

/// Prints a line for each layer, and returns whether all of them work.
fn self_test() -> Result<bool, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let reader = document_reader(SandboxPolicy::Required)?;
    let report = runtime.block_on(reader.self_test())?;
    for layer in &report.layers {
        say(&layer.to_string())?;
    }
    say(match report.tesseract {
        Some(true) => "tesseract: runs in the sandbox",
        Some(false) => "tesseract: DOES NOT RUN in the sandbox",
        None => "tesseract: not installed",
    })?;
    for advice in report.advice() {
        say(&format!("advice: {advice}"))?;
    }
    Ok(report.is_complete() && report.tesseract != Some(false))
}
