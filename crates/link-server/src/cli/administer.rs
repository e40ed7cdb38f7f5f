//! `linchpin tenant|key|template|webhook|mail|retention|fire|listen …`: commands that the running service executes,
//! because only it may use the database.

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
    /// Manage tenants, the organizations that link accounts.
    Tenant {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: tenant::Tenant,
    },
    /// Manage API keys.
    Key {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: key::Key,
    },
    /// Manage link templates.
    Template {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: template::Template,
    },
    /// Manage webhooks.
    Webhook {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: webhook::Webhook,
    },
    /// Read stored mail, and manage allowed and blocked recipients.
    Mail {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: mail::Mail,
    },
    /// Manage the removal of expired data, which pauses after a clock jump.
    Retention {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: retention::Retention,
    },
    /// Send an event of any type to a tenant's sandbox webhooks now.
    Fire {
        #[command(flatten)]
        service: Service,
        #[command(flatten)]
        command: fire::FireArgs,
    },
    /// Forward a tenant's events to a URL on this machine as they occur.
    Listen {
        #[command(flatten)]
        service: Service,
        #[command(flatten)]
        command: listen::ListenArgs,
    },
}

/// How to find the running service, and how to print its response.
#[derive(Args)]
pub(super) struct Service {
    /// Data folder of the running service.
    #[arg(long, env = "LINCHPIN_DATA_DIR", default_value = DEFAULT_DATA_DIR, global = true)]
    data_dir: PathBuf,
    /// Print JSON, for programs.
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

/// An environment, as written on the command line.
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

/// Parses an event type. The error message for an unknown one lists all types.
fn event_type() -> impl TypedValueParser<Value = EventType> {
    let names = EventType::ALL.iter().map(|it| it.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<EventType>())
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

/// A command's request, and how to print its response.
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
                    "cannot access {path} ({error}). Run this command as the user that runs the service, for \
                     example `sudo -u linchpin linchpin …`"
                );
            }
            format!(
                "no service listens on {path} ({error}). Start `linchpin serve` with this data folder, or \
                 choose another with --data-dir"
            )
        })?;
        let mut line = serde_json::to_string(request)?;
        line.push('\n');
        stream.write_all(line.as_bytes())?;
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer)?;
        if answer.is_empty() {
            return Err("the service stopped before it responded. Check its log, and try again".into());
        }
        match serde_json::from_str(&answer)? {
            AdminAnswer::Done(answer) => Ok(answer),
            AdminAnswer::Refused(why) => Err(why.into()),
        }
    }
}
