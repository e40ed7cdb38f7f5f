//! The command line: `serve` runs the service, `extract` is its child, the other commands talk to a running one.

mod administer;
mod extract;
mod serve;

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use link_connectors::http_source::protocol_document;

use administer::AdminCommand;

/// Links people's accounts at employers and social services, with their consent.
#[derive(Parser)]
#[command(name = "linchpin", version, arg_required_else_help = true)]
struct Linchpin {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the service.
    Serve(Box<serve::Serve>),
    #[command(flatten)]
    Admin(AdminCommand),
    /// Print the OpenAPI 3.1 document.
    #[command(hide = true)]
    Openapi {
        /// That of the protocol of connectors.
        #[arg(long)]
        connectors: bool,
    },
    /// Look into documents that the service hands over on standard input, or test the sandbox of that.
    Extract(extract::Extract),
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let command = match Linchpin::try_parse() {
        Ok(parsed) => parsed.command,
        Err(refused) => {
            let words = refused.render().to_string();
            let shown = redacted(&words);
            if shown == words {
                refused.exit();
            }
            say_aside(shown.trim_end());
            return ExitCode::from(2);
        }
    };
    let outcome = match command {
        Command::Serve(serve) => serve.run(),
        Command::Admin(command) => command.run(),
        Command::Openapi { connectors } => print_openapi(connectors),
        Command::Extract(extract) => return extract.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read has seen enough, as `| head` does.
        Err(error) if error.is::<NobodyReads>() => ExitCode::SUCCESS,
        Err(error) => {
            say_aside(&format!("linchpin: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// The words without passwords: from the colon of an address with credentials, `postgres://user:password@host`, to the `@`
/// nothing is shown, and nothing of a line after `password=`. A person who mistypes a flag has its value repeated.
fn redacted(words: &str) -> String {
    words.split_inclusive('\n').map(redacted_line).collect()
}

fn redacted_line(line: &str) -> String {
    let is_border = |it: char| it.is_whitespace() || matches!(it, '\'' | '"' | '`');
    if let Some((before, _)) = line.split_once("password=") {
        return format!("{before}password=…\n");
    }
    let hidden = |word: &str| match (word.find(':'), word.rfind('@')) {
        (Some(colon), Some(at)) if colon < at => format!("{}:…{}", &word[..colon], &word[at..]),
        _ => word.to_owned(),
    };
    let pieces = line.split_inclusive(is_border);
    pieces
        .map(|piece| match piece.strip_suffix(is_border) {
            Some(word) => hidden(word) + &piece[word.len()..],
            None => hidden(piece),
        })
        .collect()
}

/// Why a command ended without doing its work, in a sentence for the terminal.
type CommandError = Box<dyn std::error::Error + Send + Sync>;

fn print_openapi(connectors: bool) -> Result<(), CommandError> {
    let document = if connectors { protocol_document() } else { crate::router::openapi_document() };
    say(&serde_json::to_string_pretty(&document)?)
}

/// Standard output was closed before all of an answer was written.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the answer")]
struct NobodyReads;

/// Writes a line for the person at the terminal, or a program.
///
/// # Errors
/// [`NobodyReads`], and why the line cannot be written.
fn say(line: &str) -> Result<(), CommandError> {
    writeln!(std::io::stdout().lock(), "{line}").map_err(|error| {
        if error.kind() == ErrorKind::BrokenPipe {
            NobodyReads.into()
        } else {
            format!("cannot write the answer ({error})").into()
        }
    })
}

/// Writes a line beside the answer. Where it cannot be written there is nobody to tell.
fn say_aside(line: &str) {
    drop(writeln!(std::io::stderr().lock(), "{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_cut_out_of_refusals() {
        for (words, shown) in [
            ("unexpected 'postgres://u:canary@h/d' found", "unexpected 'postgres:…@h/d' found"),
            ("postgress:/u:can:a@ry@h/d", "postgress:…@h/d"),
            ("--databse-url=u:canary@h", "--databse-url=u:…@h"),
            ("host=h password=can canary=1", "host=h password=…\n"),
            ("tip: a similar argument exists: '--log'\n", "tip: a similar argument exists: '--log'\n"),
        ] {
            assert_eq!(redacted(words), shown);
        }
    }
}
