//! The child process that reads documents.

use std::path::PathBuf;

use link_documents::{ChildReader, SandboxPolicy, Tesseract};

/// Creates a reader that starts this program as a child process for each document.
///
/// # Errors
/// If the path of this program cannot be determined.
pub(crate) fn document_reader(policy: SandboxPolicy) -> std::io::Result<ChildReader> {
    Ok(ChildReader::new(own_program()?, &["extract"], Tesseract::default()).under(policy))
}

/// Returns the path of the running program, even if a newer one has replaced it on disk.
fn own_program() -> std::io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Ok(running) } else { std::env::current_exe() }
}
