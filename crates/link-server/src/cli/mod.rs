//! The command line. `serve` runs the service, `extract` is its child process, `restore` replaces the database of a stopped
//! one, and the other commands talk to a running service (`backup` also works without one).

mod administer;
mod extract;
mod serve;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::administer::AdminCommand;
use self::terminal::{CommandError, OutputClosedError, say, say_aside};
use crate::openapi::published::{PUBLISHED, PUBLISHED_CONNECTORS};

/// Link people's accounts at employers and social services, with their consent.
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
        /// Print the document of the connector protocol instead.
        #[arg(long)]
        connectors: bool,
    },
    /// Read documents that the service passes on standard input, or test the document sandbox.
    Extract(extract::Extract),
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let command = match Linchpin::try_parse() {
        Ok(parsed) => parsed.command,
        Err(refused) => {
            let message = refused.render().to_string();
            let shown = redacted(&message);
            if shown == message {
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
        // The reader closed the pipe, as `| head` does.
        Err(error) if error.is::<OutputClosedError>() => ExitCode::SUCCESS,
        Err(error) => {
            say_aside(&format!("linchpin: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Removes passwords from a message of clap, which repeats mistyped arguments.
///
/// In URLs with credentials, such as `postgres://user:password@host`, this hides everything from the first colon to the
/// last `@`. In other lines, it hides everything after `password=`.
fn redacted(message: &str) -> String {
    message.split_inclusive('\n').map(redacted_line).collect()
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

fn print_openapi(connectors: bool) -> Result<(), CommandError> {
    say(if connectors { PUBLISHED_CONNECTORS } else { PUBLISHED }.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_removed_from_error_messages() {
        for (message, shown) in [
            ("unexpected 'postgres://u:canary@h/d' found", "unexpected 'postgres:…@h/d' found"),
            ("postgress:/u:can:a@ry@h/d", "postgress:…@h/d"),
            ("--databse-url=u:canary@h", "--databse-url=u:…@h"),
            ("host=h password=can canary=1", "host=h password=…\n"),
            ("tip: a similar argument exists: '--log'\n", "tip: a similar argument exists: '--log'\n"),
        ] {
            assert_eq!(redacted(message), shown);
        }
    }
}
