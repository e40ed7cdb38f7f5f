//! `linchpin extract`: the child that looks into documents. The service starts it; a person tests its sandbox.

use std::process::ExitCode;

use clap::Args;
use link_connectors::documents::SandboxPolicy;

use super::{CommandError, say, say_aside};
use crate::service::document_reader;

/// The flags of `extract`.
#[derive(Args)]
pub(super) struct Extract {
    /// Try what the sandbox of documents forbids, and print which layers hold; fails if one is missing.
    #[arg(long)]
    self_test: bool,
}

impl Extract {
    /// Does one job that comes by standard input, or tests the sandbox. A job is done before any thread starts: the
    /// sandbox covers the whole process only then.
    pub(super) fn run(self) -> ExitCode {
        if !self.self_test {
            return link_connectors::documents::child::run();
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

/// Prints a line a layer; gives whether all of them hold.
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
