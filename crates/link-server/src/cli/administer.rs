//! Commands that the running service executes, because only it may use the database: `linchpin tenant …` and others.
//! `linchpin restore` is for a stopped service, and `linchpin backup` for both.

mod audit;
mod backup;
mod console;
mod listen;
mod mail;
mod service;
mod tenant;
mod webhook;

use clap::Subcommand;

use self::service::Service;
use super::terminal::{CommandError, say};

/// The commands that administer a running service.
#[derive(Subcommand)]
pub(super) enum AdminCommand {
    /// Write a backup of the SQLite database to a new file. The service may run.
    Backup {
        #[command(flatten)]
        service: Service,
        #[command(flatten)]
        command: backup::BackupArgs,
    },
    /// Replace the SQLite database with a backup. The service must be stopped.
    Restore {
        #[command(flatten)]
        service: Service,
        #[command(flatten)]
        command: backup::RestoreArgs,
    },
    /// Show what production lacks: sources of providers, records and signals, and a mail server.
    Check {
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
    /// Show, advance and stop the clock of a tenant's sandbox.
    Clock {
        #[command(flatten)]
        service: Service,
        #[command(subcommand)]
        command: tenant::Clock,
    },
    /// Send an event of any type to a tenant's sandbox webhooks now.
    Fire {
        #[command(flatten)]
        service: Service,
        #[command(flatten)]
        command: webhook::FireArgs,
    },
    /// Forward a tenant's events to a URL on this machine as they occur.
    Listen {
        #[command(flatten)]
        service: Service,
        #[command(flatten)]
        command: listen::ListenArgs,
    },
}

impl AdminCommand {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let (service, (request, shown)) = match self {
            Self::Backup { service, command } => return command.run(&service),
            Self::Restore { service, command } => return command.run(&service),
            Self::Check { service } => (service, backup::request()),
            Self::Tenant { service, command } => (service, command.request()),
            Self::Console { service, command } => (service, command.request()),
            Self::Audit { service, command } => (service, command.request()),
            Self::Key { service, command } => (service, command.request()),
            Self::Template { service, command } => (service, command.request()),
            Self::Webhook { service, command } => (service, command.request()),
            Self::Mail { service, command } => (service, command.request()),
            Self::Retention { service, command } => (service, command.request()),
            Self::Clock { service, command } => (service, command.request()),
            Self::Fire { service, command } => (service, command.request()),
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
