//! The child that reads documents: how the service starts it, and what the log says of its sandbox.

use std::path::PathBuf;

use link_connectors::documents::{ChildReader, SandboxPolicy, Tesseract};

/// Reads documents by children of this program.
///
/// # Errors
/// If the system does not say which program this is.
pub(crate) fn reader(policy: SandboxPolicy) -> std::io::Result<ChildReader> {
    Ok(ChildReader::new(own_program()?, &["extract"], Tesseract::default()).under(policy))
}

/// Tests the sandbox once and logs which layers hold. It runs next to the service: nothing waits for it.
pub(super) async fn report(policy: SandboxPolicy) {
    let tested = match reader(policy) {
        Ok(reader) => reader.self_test().await,
        Err(error) => Err(error.into()),
    };
    let report = match tested {
        Ok(report) => report,
        Err(error) => {
            tracing::warn!(%error, "the sandbox of documents cannot be tested: run `linchpin extract --self-test`");
            return;
        }
    };
    let layers = report.layers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    if report.is_complete() {
        tracing::info!(%layers, "documents are read in a sandbox");
    } else {
        let advice = report.advice().join("; ");
        tracing::warn!(%layers, %advice, "the sandbox of documents is incomplete");
    }
    if report.tesseract == Some(false) {
        tracing::warn!("Tesseract does not run in the sandbox: scans and photos are not read");
    }
}

/// This very program, even if a newer one has replaced it on disk.
fn own_program() -> std::io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Ok(running) } else { std::env::current_exe() }
}
