//! Commands that the running service executes, because only it may use the database: `linchpin tenant …` and others.
//! `linchpin restore` is for a stopped service, and `linchpin backup` for both. `clock`, `fire` and `listen` go over REST if
//! they name no tenant (ADR 253).

mod audit;
mod backup;
mod cells;
mod console;
mod import;
mod listen;
mod mail;
mod master_key;
mod sandbox;
mod service;
mod tenant;
mod verify;
mod webhook;

use clap::Subcommand;
use serde_json::Value;

use self::service::{EitherService, Service};
use crate::admin::AdminRequest;
use crate::admin::doctor::has_fault;
use link_cli::shown::Shown;
use link_cli::terminal::{CommandError, say};

/// The commands that administer a running service.
#[derive(Subcommand)]
pub(super) enum AdminCommand {
    /// Write a backup of the database to a new file. The service may run.
    Backup(Box<backup::BackupArgs>),
    /// Restore a backup into an empty database, with the settings of `serve`. The service must be stopped.
    Restore(Box<backup::RestoreArgs>),
    /// Read all of a backup, and open values of each column and a piece of a file with the keys of `serve`.
    VerifyBackup(Box<verify::VerifyArgs>),
    /// Replace the master key, and list those that this database had. The service may run.
    MasterKey {
        #[command(subcommand)]
        command: master_key::MasterKey,
    },
    /// Let the running service try each of its dependencies, and show what production lacks.
    Doctor {
        #[command(flatten)]
        service: Service,
    },
    /// Manage tenants, the organizations that link accounts.
    Tenant {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: tenant::Tenant,
    },
    /// Import a tenant that `linchpin tenant export` wrote in another cell, with the settings of `serve`. It waits for its activation.
    ImportTenant(Box<import::ImportArgs>),
    /// Help a proxy to distribute tenants over several installations.
    Cells {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: cells::Cells,
    },
    /// Let owners into the developer portal.
    Console {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: console::Console,
    },
    /// Check the audit log of a tenant.
    Audit {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: audit::Audit,
    },
    /// Manage API keys.
    Key {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: tenant::Key,
    },
    /// Manage link templates.
    Template {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: tenant::Template,
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
        command: backup::Retention,
    },
    /// Show, advance and stop the clock of a sandbox.
    Clock {
        #[command(flatten)]
        service: EitherService,
        #[command(subcommand)]
        command: sandbox::Clock,
    },
    /// Send an event of any type to the webhooks of a sandbox now.
    Fire {
        #[command(flatten)]
        service: EitherService,
        #[command(flatten)]
        command: sandbox::FireArgs,
    },
    /// Print events as they occur, and forward them to a URL on this machine.
    Listen {
        #[command(flatten)]
        service: EitherService,
        #[command(flatten)]
        command: listen::ListenArgs,
    },
}

impl AdminCommand {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let (service, (request, shown)) = match self {
            Self::Backup(command) => return command.run(),
            Self::Restore(command) => return command.run(),
            Self::VerifyBackup(command) => return command.run(),
            Self::MasterKey { command } => return command.run(),
            Self::Doctor { service } => return examine(&service),
            Self::Cells { service, command } => return command.run(&service),
            Self::ImportTenant(command) => return command.run(),
            Self::Tenant { service, command } => (service, command.request()?),
            Self::Console { service, command } => (service, command.request()),
            Self::Audit { service, command } => (service, command.request()),
            Self::Key { service, command } => (service, command.request()),
            Self::Template { service, command } => (service, command.request()),
            Self::Webhook { service, command } => (service, command.request()),
            Self::Mail { service, command } => (service, command.request()),
            Self::Retention { service, command } => (service, command.request()),
            Self::Clock { service, command } => return command.run(&service),
            Self::Fire { service, command } => return command.run(&service),
            Self::Listen { service, command } => return command.run(&service),
        };
        let response = service.ask(&request)?;
        say(&service.show(&response, shown)?)?;
        match webhook::fault(&request, &response) {
            Some(fault) => Err(fault.into()),
            None => Ok(()),
        }
    }
}

/// The columns of checks.
const CHECKS: &[(&str, &str)] = &[
    ("CHECK", "/check"),
    ("SUBJECT", "/subject"),
    ("RESULT", "/result"),
    ("CODE", "/code"),
    ("CAUSE", "/cause"),
    ("WHAT TO DO", "/remedy"),
];

/// Formats checks for the terminal.
pub(super) fn show_checks(lines: &Value, json: bool) -> Result<String, CommandError> {
    if json {
        return Ok(serde_json::to_string_pretty(lines)?);
    }
    Ok(Shown::Table { columns: CHECKS, empty: "" }.words(lines))
}

fn examine(service: &Service) -> Result<(), CommandError> {
    let lines = service.ask(&AdminRequest::Examine {})?;
    say(&show_checks(&lines, service.json)?)?;
    if has_fault(&lines) { Err("a dependency does not work: see above".into()) } else { Ok(()) }
}
