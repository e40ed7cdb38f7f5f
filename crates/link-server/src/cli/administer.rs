//! `linchpin tenant|key|template|webhook|mail|retention|fire|listen …`: asks the running service, which alone owns the database.

mod fire;
mod key;
mod listen;
mod mail;
mod retention;
mod shown;
mod template;
mod tenant;
mod webhook;

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use link_types::Mode;
use link_types::event::EventType;
use link_types::id::TenantId;
use serde_json::Value;

use self::shown::Shown;
use super::{CommandError, say};
use crate::admin::{AdminAnswer, AdminRequest, SOCKET};
use crate::settings::DEFAULT_DATA_DIR;

/// The commands that administer a running service.
#[derive(Subcommand)]
pub(super) enum AdminCommand {
    /// Tenants: the organizations that link accounts.
    Tenant {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: tenant::Tenant,
    },
    /// API keys.
    Key {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: key::Key,
    },
    /// Link templates.
    Template {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: template::Template,
    },
    /// Webhooks.
    Webhook {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: webhook::Webhook,
    },
    /// Mail: what was kept, whom sandboxes may mail, who gets none.
    Mail {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: mail::Mail,
    },
    /// The removal of what has had its time, which pauses after a jump of the clock.
    Retention {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: retention::Retention,
    },
    /// Send an event of any type now, to a tenant's sandbox webhooks.
    Fire {
        #[command(flatten)]
        service: Service,
        #[command(flatten)]
        command: fire::FireArgs,
    },
    /// Forward a tenant's events to an address of this machine, as they come.
    Listen {
        #[command(flatten)]
        service: Service,
        #[command(flatten)]
        command: listen::ListenArgs,
    },
}

/// Where the running service is found, and how its answer is shown.
#[derive(Args)]
pub(super) struct Service {
    /// Data folder of the running service.
    #[arg(long, env = "LINCHPIN_DATA_DIR", default_value = DEFAULT_DATA_DIR, global = true)]
    data_dir: PathBuf,
    /// Print the answer as JSON, for programs.
    #[arg(long, global = true)]
    json: bool,
}

/// One environment of one tenant.
#[derive(Args)]
pub(super) struct OwnerArgs {
    /// The tenant's id.
    #[arg(long)]
    tenant: TenantId,
    /// The environment.
    #[arg(long, value_enum, default_value_t = Environment::Sandbox)]
    environment: Environment,
}

impl OwnerArgs {
    fn parts(self) -> (TenantId, Mode) {
        (self.tenant, self.environment.into())
    }
}

/// The two environments, in the command line's words.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Environment {
    Sandbox,
    Production,
}

impl From<Environment> for Mode {
    fn from(environment: Environment) -> Self {
        match environment {
            Environment::Sandbox => Self::Sandbox,
            Environment::Production => Self::Production,
        }
    }
}

/// One of the interface's event types, as a flag; a wrong one is told which there are.
fn event_type() -> impl TypedValueParser<Value = EventType> {
    let words = EventType::ALL.iter().map(|it| it.as_str());
    PossibleValuesParser::new(words).try_map(|word| word.parse::<EventType>())
}

impl AdminCommand {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let (service, (request, shown)) = match self {
            Self::Tenant { service, command } => (service, command.request()),
            Self::Key { service, command } => (service, command.request()),
            Self::Template { service, command } => (service, command.request()),
            Self::Webhook { service, command } => (service, command.request()),
            Self::Mail { service, command } => (service, command.request()),
            Self::Retention { service, command } => (service, command.request()),
            Self::Fire { service, command } => (service, command.request()),
            Self::Listen { service, command } => return command.run(&service),
        };
        let answer = service.ask(&request)?;
        say(&service.show(&answer, shown)?)?;
        match webhook::fault(&request, &answer) {
            Some(fault) => Err(fault.into()),
            None => Ok(()),
        }
    }
}

/// What a command asks, and how the answer is shown to a person.
type Asked = (AdminRequest, Shown);

impl Service {
    fn show(&self, answer: &Value, shown: Shown) -> Result<String, CommandError> {
        if self.json { Ok(serde_json::to_string_pretty(answer)?) } else { Ok(shown.words(answer)) }
    }

    fn ask(&self, request: &AdminRequest) -> Result<Value, CommandError> {
        let path = self.data_dir.join(SOCKET);
        let mut stream = UnixStream::connect(&path).map_err(|error| {
            let path = path.display();
            if error.kind() == ErrorKind::PermissionDenied {
                return format!(
                    "{path} is another user's ({error}). Run this command as the user that the service runs as, like \
                     `sudo -u linchpin linchpin …`"
                );
            }
            format!(
                "no service answers at {path} ({error}). Start `linchpin serve` with this data folder, or name another \
                 with --data-dir"
            )
        })?;
        let mut line = serde_json::to_string(request)?;
        line.push('\n');
        stream.write_all(line.as_bytes())?;
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer)?;
        if answer.is_empty() {
            return Err("the service stopped before it answered: look at its log, and ask again".into());
        }
        match serde_json::from_str(&answer)? {
            AdminAnswer::Done(answer) => Ok(answer),
            AdminAnswer::Refused(why) => Err(why.into()),
        }
    }
}
