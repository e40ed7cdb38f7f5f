//! The commands of a tenant, over REST: usable on any machine that reaches the service. The operator's commands, which
//! use the socket of a service on the same machine, are in `link-server`; `link-server` parses the command line of both.
//!
//! # Where to start
//!
//! 1. [`connection::Connection`]: which service, and with which API key.
//! 2. [`rest::Rest`]: one request, and what to do if it fails ([`failure`]).
//! 3. [`listen`]: follows the events of an environment from a stored position.
//! 4. [`shown`] and [`terminal`]: output, also of the operator's commands.

pub mod address;
pub mod clock;
pub mod connection;
pub mod deliveries;
pub mod device;
pub mod failure;
pub mod fire;
pub mod forward;
pub mod host;
pub mod listen;
pub mod login;
pub mod profiles;
pub mod rest;
pub mod shown;
pub mod terminal;
pub mod token;

use clap::Subcommand;
use link_domain::kernel::system::{Clock, Entropy};

use self::terminal::CommandError;

/// The environment variables that the commands read, apart from those of the system.
pub const VARIABLES: [&str; 2] = [connection::URL_VARIABLE, connection::KEY_VARIABLE];

/// The clock and randomness of the machine.
#[derive(Clone, Copy)]
pub struct Machine<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// The source of randomness.
    pub entropy: &'a dyn Entropy,
}

/// The commands that only a tenant has.
#[derive(Subcommand)]
pub enum TenantCommand {
    /// Check an API key with its service, and store both on this machine, for the commands of a tenant.
    Login(login::LoginArgs),
    /// Remove a stored API key from this machine.
    Logout(login::LogoutArgs),
    /// Create a link token, for a new user or an existing one.
    Token(token::TokenArgs),
    /// List the newest deliveries of your webhooks.
    Deliveries(deliveries::DeliveriesArgs),
    /// Send a delivery again, or an event to every webhook that had it.
    Resend(deliveries::ResendArgs),
    /// List, add, prove and delete the own hosts of your link sites.
    Host(host::HostArgs),
}

impl TenantCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// [`failure::TenantCommandError`] if the service refuses it or does not respond, or the error of the terminal.
    pub fn run(self) -> Result<(), CommandError> {
        match self {
            Self::Login(command) => command.run(),
            Self::Logout(command) => command.run(),
            Self::Token(command) => command.run(),
            Self::Deliveries(command) => command.run(),
            Self::Resend(command) => command.run(),
            Self::Host(command) => command.run(),
        }
    }
}
