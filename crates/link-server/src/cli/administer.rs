//! `linchpin tenant|key|template|webhook …`: asks the running service, which alone owns the database.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use link_types::Mode;
use link_types::id::{LinkTemplateId, TenantId};

use super::{CommandError, say};
use crate::admin::{AdminAnswer, AdminRequest, SOCKET};

/// The commands that administer a running service.
#[derive(Subcommand)]
pub(super) enum AdminCommand {
    /// Tenants: the organizations that link accounts.
    Tenant {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: Tenant,
    },
    /// API keys.
    Key {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: Key,
    },
    /// Link templates.
    Template {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: Template,
    },
    /// Webhooks.
    Webhook {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: Webhook,
    },
}

/// Where the running service is found.
#[derive(Args)]
pub(super) struct Service {
    /// Data folder of the running service.
    #[arg(long, env = "LINCHPIN_DATA_DIR", default_value = "./linchpin-data", global = true)]
    data_dir: PathBuf,
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

/// The two environments, in the command line's words.
#[derive(Clone, Copy, ValueEnum)]
enum Environment {
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

#[derive(Subcommand)]
pub(super) enum Tenant {
    /// Make a tenant with templates and keys of both environments; the keys are printed once.
    Create {
        /// Its id: 1 to 32 lower-case letters and digits.
        id: TenantId,
        /// Its name, as people who link accounts see it.
        #[arg(long)]
        name: String,
    },
    /// List the tenants.
    List,
}

#[derive(Subcommand)]
pub(super) enum Key {
    /// Make a key; its secret is printed once.
    Create(OwnerArgs),
    /// Refuse a key from now on.
    Revoke {
        /// The key, `lpk_…`.
        key: String,
    },
}

#[derive(Subcommand)]
pub(super) enum Template {
    /// List the link templates of one environment.
    List(OwnerArgs),
    /// Show one, with the origins that tried to embed it and were refused.
    Show {
        /// The template, `lt-…`.
        id: LinkTemplateId,
    },
    /// Set the origins whose pages may embed the widget.
    Allow {
        /// The template, `lt-…`.
        id: LinkTemplateId,
        /// Origins such as https://app.example.com.
        #[arg(required = true)]
        origins: Vec<String>,
    },
}

#[derive(Subcommand)]
pub(super) enum Webhook {
    /// List the webhooks of one environment.
    List(OwnerArgs),
}

impl AdminCommand {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let (service, request) = match self {
            Self::Tenant { service, command: Tenant::Create { id, name } } => {
                (service, AdminRequest::CreateTenant { id, name })
            }
            Self::Tenant { service, command: Tenant::List } => (service, AdminRequest::ListTenants {}),
            Self::Key { service, command: Key::Create(owner) } => {
                (service, AdminRequest::IssueKey { tenant: owner.tenant, mode: owner.environment.into() })
            }
            Self::Key { service, command: Key::Revoke { key } } => (service, AdminRequest::RevokeKey { key }),
            Self::Template { service, command: Template::List(owner) } => (
                service,
                AdminRequest::ListTemplates { tenant: owner.tenant, mode: owner.environment.into() },
            ),
            Self::Template { service, command: Template::Show { id } } => {
                (service, AdminRequest::ShowTemplate { id })
            }
            Self::Template { service, command: Template::Allow { id, origins } } => {
                (service, AdminRequest::AllowOrigins { id, origins })
            }
            Self::Webhook { service, command: Webhook::List(owner) } => {
                (service, AdminRequest::ListWebhooks { tenant: owner.tenant, mode: owner.environment.into() })
            }
        };
        match ask(&service, &request)? {
            AdminAnswer::Done(answer) => {
                say(&serde_json::to_string_pretty(&answer)?);
                Ok(())
            }
            AdminAnswer::Refused(why) => Err(why.into()),
        }
    }
}

fn ask(service: &Service, request: &AdminRequest) -> Result<AdminAnswer, CommandError> {
    let path = service.data_dir.join(SOCKET);
    let mut stream = UnixStream::connect(&path).map_err(|error| {
        format!(
            "no service answers at {} ({error}). Start `linchpin serve` with this data folder, or name another \
             with --data-dir",
            path.display()
        )
    })?;
    let mut line = serde_json::to_string(request)?;
    line.push('\n');
    stream.write_all(line.as_bytes())?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer)?;
    Ok(serde_json::from_str(&answer)?)
}
