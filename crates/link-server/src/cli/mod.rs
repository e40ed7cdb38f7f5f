//! The command line. `serve` runs the service, `extract` is its child process, `restore` fills the database of a stopped
//! one. Of the other commands, those of the operator use the socket of a running service (`backup` also works without
//! one), and those of a tenant its REST interface (`link-cli`).

mod administer;
mod check;
mod healthcheck;
mod init;
mod reloading;
mod stopping;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use link_cli::TenantCommand;
use link_cli::failure::TenantCommandError;
use link_documents::SandboxPolicy;
use tokio::sync::watch;

use self::administer::AdminCommand;
use self::reloading::Reloads;
use self::stopping::Signals;
use crate::adapters::child_reader::document_reader;
use crate::connections;
use crate::logs;
use crate::openapi::{PUBLISHED, PUBLISHED_CONNECTORS};
use crate::service::Service;
use crate::settings::{SettingsInput, check_environment};
use crate::traces;
use link_cli::terminal::{CommandError, OutputClosedError, say, say_aside};

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
    Serve(Box<Serve>),
    #[command(flatten)]
    Admin(AdminCommand),
    #[command(flatten)]
    Tenant(TenantCommand),
    /// Try everything that `serve` needs with the same settings, without starting: each fault with its remedy.
    Check(Box<check::CheckArgs>),
    /// Ask a service on this machine whether it is ready, for the health check of a container.
    Healthcheck(healthcheck::Healthcheck),
    /// Print the OpenAPI 3.1 document.
    #[command(hide = true)]
    Openapi {
        /// Print the document of the connector protocol instead.
        #[arg(long)]
        connectors: bool,
    },
    /// Read documents that the service passes on standard input, or test the document sandbox.
    Extract(Extract),
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let mut known = variables(&Linchpin::command());
    known.extend(link_cli::VARIABLES.map(str::to_owned));
    let faults = check_environment(std::env::vars_os(), &known);
    if !faults.is_empty() {
        for fault in faults {
            say_aside(&format!("linchpin: {fault}"));
        }
        return ExitCode::from(2);
    }
    let command = match Linchpin::try_parse() {
        Ok(parsed) => parsed.command,
        Err(refused) => {
            let message = refused.render().to_string();
            let shown = redact(&message);
            if shown == message {
                refused.exit();
            }
            say_aside(shown.trim_end());
            return ExitCode::from(2);
        }
    };
    if matches!(command, Command::Serve(_)) && init::is_first_process() {
        return init::run_as_child().unwrap_or_else(|error| {
            say_aside(&format!("linchpin: the service cannot be started as a child: {error}"));
            ExitCode::FAILURE
        });
    }
    let outcome = match command {
        Command::Serve(serve) => serve.run(),
        Command::Admin(command) => command.run(),
        Command::Tenant(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Healthcheck(command) => command.run(),
        Command::Openapi { connectors } => print_openapi(connectors),
        Command::Extract(extract) => return extract.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader closed the pipe, as `| head` does.
        Err(error) if error.is::<OutputClosedError>() => ExitCode::SUCCESS,
        Err(error) => {
            say_aside(&format!("linchpin: {error}"));
            error.downcast_ref().map_or(ExitCode::FAILURE, TenantCommandError::exit_code)
        }
    }
}

/// Returns the environment variables that a command and those below it read.
fn variables(command: &clap::Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(|it| it.get_env());
    let own = own.map(|it| it.to_string_lossy().into_owned());
    own.chain(command.get_subcommands().flat_map(variables)).collect()
}

/// Removes passwords from a message of clap, which repeats mistyped arguments.
///
/// In URLs with credentials, such as `postgres://user:password@host`, this hides everything from the first colon to the
/// last `@`. In other lines, it hides everything after `password=`, and the rest of a word after `lps_`, which begins the
/// secret of an API key.
fn redact(message: &str) -> String {
    message.split_inclusive('\n').map(redact_line).collect()
}

fn redact_line(line: &str) -> String {
    let is_border = |it: char| it.is_whitespace() || matches!(it, '\'' | '"' | '`');
    if let Some((before, _)) = line.split_once("password=") {
        return format!("{before}password=…\n");
    }
    let hidden = |word: &str| match (word.find(':'), word.rfind('@'), word.find("lps_")) {
        (Some(colon), Some(at), _) if colon < at => format!("{}:…{}", &word[..colon], &word[at..]),
        (_, _, Some(secret)) => format!("{}lps_…", &word[..secret]),
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

/// The flags of `serve`.
#[derive(Args)]
struct Serve {
    #[command(flatten)]
    settings: SettingsInput,
}

impl Serve {
    fn run(self) -> Result<(), CommandError> {
        let settings = self.settings.settle()?;
        let logs = logs::start(&settings.log)?;
        let signals = Signals::listen(Duration::from_secs(settings.drain_seconds))?;
        connections::raise_open_files();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let traces = traces::start(tokio::runtime::Handle::current())?;
            let mut stop = std::pin::pin!(signals.stop());
            let (opened, app) = watch::channel(None);
            tokio::spawn(Reloads::new(signals, logs.filter, &settings, app).run());
            let service = tokio::select! {
                started = Service::start(settings) => started?,
                // The database is away, perhaps.
                () = &mut stop => return Ok(()),
            };
            opened.send_replace(Some(service.app()));
            tracing::info!(version = env!("CARGO_PKG_VERSION"), "Started");
            greet(&service);
            let ran = service.run(stop).await;
            if let Some(traces) = traces {
                traces.stop().await;
            }
            ran
        })
    }
}

/// Prints the greeting to standard output. If keys are printed, a program reads standard output, so they are the only
/// thing there, and the greeting is written to standard error.
fn greet(service: &Service) {
    let keys = service.printed_keys();
    for line in service.greeting() {
        if keys.is_some() {
            say_aside(&line);
        } else {
            // The service must run even if standard output is closed.
            drop(say(&line));
        }
    }
    drop(keys.map(say));
}

// `linchpin extract`: the child process that reads documents. The service starts it, and an operator can test its
// sandbox.

/// The flags of `extract`.
#[derive(Args)]
struct Extract {
    /// Try forbidden operations in the document sandbox, and print which layers work. Fails if one does not.
    #[arg(long)]
    self_test: bool,
}

impl Extract {
    /// Runs one job from standard input, or tests the sandbox. A job runs before any thread starts, because only then
    /// the sandbox covers the whole process.
    fn run(self) -> ExitCode {
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
            ("unexpected argument 'lpk_1:lps_canary' found", "unexpected argument 'lpk_1:lps_…' found"),
            ("tip: a similar argument exists: '--log'\n", "tip: a similar argument exists: '--log'\n"),
        ] {
            assert_eq!(redact(message), shown);
        }
    }
}
