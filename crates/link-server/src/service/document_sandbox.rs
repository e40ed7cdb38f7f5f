//! The child process that reads documents: how the service starts it, and the log lines about its sandbox.

use std::path::PathBuf;

use link_documents::{ChildReader, SandboxPolicy, Tesseract};

/// Creates a reader that starts this program as a child process for each document.
///
/// # Errors
/// If the path of this program cannot be determined.
pub(crate) fn reader(policy: SandboxPolicy) -> std::io::Result<ChildReader> {
    Ok(ChildReader::new(own_program()?, &["extract"], Tesseract::default()).under(policy))
}

/// Tests the sandbox once and logs which layers work. Runs in the background.
pub(super) async fn report(policy: SandboxPolicy) {
    let tested = match reader(policy) {
        Ok(reader) => reader.self_test().await,
        Err(error) => Err(error.into()),
    };
    let report = match tested {
        Ok(report) => report,
        Err(error) => {
            tracing::warn!(%error, "Testing the document sandbox failed; run `linchpin extract --self-test`");
            return;
        }
    };
    let layers = report.layers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    if report.is_complete() {
        tracing::info!(%layers, "Documents are read in a sandbox");
    } else {
        let advice = report.advice().join("; ");
        tracing::warn!(%layers, %advice, "The document sandbox is incomplete");
    }
    if report.tesseract == Some(false) {
        tracing::warn!("Tesseract does not run in the sandbox, so scans and photos cannot be read");
    }
}

/// Returns the path of the running program, even if a newer one has replaced it on disk.
fn own_program() -> std::io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Ok(running) } else { std::env::current_exe() }
}
