//! The connection to the running service, the arguments that several commands have, and the format of responses.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use link_cli::connection::{Access, Connection};
use link_cli::failure::TenantCommandError;
use link_cli::shown::Shown;
use link_types::Mode;
use link_types::event::EventType;
use link_types::id::TenantId;
use serde_json::Value;

use crate::admin::{AdminRequest, AdminResponse, SOCKET, WARNING};
use crate::settings::DEFAULT_DATA_DIR;
use link_cli::terminal::{CommandError, say_aside};

/// A command's request, and how to print its response.
pub(super) type Asked = (AdminRequest, Shown);

/// How to find the running service, and how to print its response.
#[derive(Args)]
pub(in crate::cli) struct Service {
    /// Data folder of the running service.
    #[arg(long, env = "LINCHPIN_DATA_DIR", default_value = DEFAULT_DATA_DIR, global = true)]
    data_dir: PathBuf,
    /// Print JSON, for programs.
    #[arg(long, global = true)]
    pub(super) json: bool,
}

/// The environment of a tenant if one is named. Otherwise the command goes to a service over REST.
#[derive(Args)]
pub(in crate::cli) struct OptionalOwnerArgs {
    /// The tenant's id, to use the service on this machine. If absent, the command uses an API key over REST.
    #[arg(long)]
    tenant: Option<TenantId>,
    /// The environment of the tenant.
    #[arg(long, value_enum, default_value_t = Environment::Sandbox, requires = "tenant")]
    environment: Environment,
}

impl OptionalOwnerArgs {
    /// Returns the tenant and the environment.
    pub(super) fn parts(self) -> Option<(TenantId, Mode)> {
        Some((self.tenant?, self.environment.into()))
    }
}

/// One environment of one tenant.
#[derive(Args)]
pub(in crate::cli) struct OwnerArgs {
    /// The tenant's id.
    #[arg(long)]
    tenant: TenantId,
    /// The environment.
    #[arg(long, value_enum, default_value_t = Environment::Sandbox)]
    environment: Environment,
}

impl OwnerArgs {
    /// Returns the tenant and the environment.
    pub(super) fn parts(self) -> (TenantId, Mode) {
        (self.tenant, self.environment.into())
    }
}

/// An environment, as written on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub(in crate::cli) enum Environment {
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
pub(super) fn event_type() -> impl TypedValueParser<Value = EventType> {
    let names = EventType::ALL.iter().map(|it| it.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<EventType>())
}

/// A command that goes to the service on this machine if it names a tenant, or over REST.
#[derive(Args)]
pub(in crate::cli) struct EitherService {
    #[command(flatten)]
    service: Service,
    #[command(flatten)]
    connection: Connection,
}

impl EitherService {
    /// Returns the service on this machine, for a command that names a tenant.
    pub(super) fn here(&self) -> Result<&Service, CommandError> {
        if self.connection.profile.is_some() {
            let both = "--tenant uses the service on this machine, and --profile a service over REST. Leave one of them out";
            return Err(TenantCommandError::Usage(both.to_owned()).into());
        }
        Ok(&self.service)
    }

    /// Returns the access over REST.
    pub(super) fn remote(&self) -> Access {
        Access { connection: self.connection.clone(), json: self.service.json }
    }
}

impl Service {
    /// Returns the service of a data folder.
    pub(super) fn at(data_dir: PathBuf, json: bool) -> Self {
        Self { data_dir, json }
    }

    /// Formats a response for the terminal.
    pub(super) fn show(&self, response: &Value, shown: Shown) -> Result<String, CommandError> {
        if self.json { Ok(serde_json::to_string_pretty(response)?) } else { Ok(shown.words(response)) }
    }

    /// Returns the data folder.
    pub(super) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Returns whether a service listens, perhaps one that this user cannot reach.
    pub(super) fn is_running(&self) -> bool {
        let absent = [ErrorKind::NotFound, ErrorKind::ConnectionRefused];
        UnixStream::connect(self.data_dir.join(SOCKET))
            .map_or_else(|it| !absent.contains(&it.kind()), |_| true)
    }

    /// Sends a request to the running service, and returns its result.
    pub(super) fn ask(&self, request: &AdminRequest) -> Result<Value, CommandError> {
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
        let mut response = String::new();
        BufReader::new(stream).read_line(&mut response)?;
        if response.is_empty() {
            return Err("the service stopped before it responded. Check its log, and try again".into());
        }
        match serde_json::from_str(&response)? {
            AdminResponse::Done(response) => {
                if let Some(warning) = response[WARNING].as_str() {
                    say_aside(warning);
                }
                Ok(response)
            }
            AdminResponse::Refused(why) => Err(why.into()),
        }
    }
}
