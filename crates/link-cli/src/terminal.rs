//! Output and errors of commands.

use std::fs::File;
use std::io::{ErrorKind, IsTerminal as _, Read as _, Write as _};
use std::path::Path;

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

/// Reads a code that should not be in the arguments, which other users of the machine can see: from a file, where `-` is standard input;
/// without a file from the terminal, which does not show it, or from standard input.
///
/// # Errors
/// If it cannot be read.
pub fn read_code(file: Option<&Path>, prompt: &str) -> std::io::Result<String> {
    /// A code has fewer than 100 characters.
    const MAX_CODE: u64 = 4_096;
    let mut text = String::new();
    match file {
        Some(path) if path != Path::new("-") => {
            let opened = File::open(path).map_err(|error| {
                std::io::Error::new(error.kind(), format!("cannot read {} ({error})", path.display()))
            })?;
            opened.take(MAX_CODE).read_to_string(&mut text)?;
        }
        None if std::io::stdin().is_terminal() => {
            say_aside(&format!("{prompt}, not shown while you type or paste:"));
            text = rpassword::read_password()?;
        }
        Some(_) | None => {
            std::io::stdin().lock().take(MAX_CODE).read_to_string(&mut text)?;
        }
    }
    Ok(text.trim().to_owned())
}
