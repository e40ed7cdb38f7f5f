//! Output and errors of commands.

use std::io::{ErrorKind, Write as _};

/// An error of a command, with a message for the terminal.
pub type CommandError = Box<dyn std::error::Error + Send + Sync>;

/// Standard output was closed before everything was written.
#[derive(Debug, thiserror::Error)]
#[error("standard output is closed")]
pub struct OutputClosedError;

/// Writes a line to standard output.
///
/// # Errors
/// [`OutputClosedError`], or the reason why the line cannot be written.
pub fn say(line: &str) -> Result<(), CommandError> {
    writeln!(std::io::stdout().lock(), "{line}").map_err(|error| {
        if error.kind() == ErrorKind::BrokenPipe {
            OutputClosedError.into()
        } else {
            format!("cannot write to standard output ({error})").into()
        }
    })
}

/// Writes a line to standard error, and ignores errors.
pub fn say_aside(line: &str) {
    drop(writeln!(std::io::stderr().lock(), "{line}"));
}
