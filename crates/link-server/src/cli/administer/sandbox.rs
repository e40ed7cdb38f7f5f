//! `linchpin clock` and `linchpin fire`: on the service of this machine for a tenant that is named, or over REST.

use clap::{Args, Subcommand};
use link_cli::clock::{self, CLOCK, ClockAction};
use link_cli::fire::{self, EVENT};
use link_types::Timestamp;
use link_types::event::EventType;
use link_types::id::{TenantId, UserId};

use super::service::{EitherService, event_type};
use crate::admin::AdminRequest;
use link_cli::terminal::{CommandError, say};

/// The tenant whose sandbox it is.
#[derive(Args)]
pub(in crate::cli) struct WhoseArgs {
    /// The tenant's id, to use the service on this machine. If absent, the command uses an API key over REST.
    #[arg(long)]
    tenant: Option<TenantId>,
}

#[derive(Subcommand)]
pub(in crate::cli) enum Clock {
    /// Show the clock of a sandbox and its latest advance.
    Show(WhoseArgs),
    /// Advance the clock of a sandbox. Work that is due until then runs in order.
    Advance {
        #[command(flatten)]
        whose: WhoseArgs,
        #[command(flatten)]
        to: To,
    },
    /// Stop the advance of a sandbox's clock. The clock stays where it is.
    Stop(WhoseArgs),
}

/// How far to advance the clock.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(in crate::cli) struct To {
    /// Number of days.
    #[arg(long, value_parser = clap::value_parser!(u32).range(..=MAX_DAYS))]
    days: Option<u32>,
    /// Number of seconds.
    #[arg(long)]
    seconds: Option<u32>,
    /// Time on the sandbox's clock, for example 2027-01-19T09:00:00Z.
    #[arg(long)]
    until: Option<Timestamp>,
}

/// How many days the clock can be ahead of real time.
const MAX_DAYS: i64 = 3_650;
const SECONDS_OF_A_DAY: u32 = 86_400;

impl To {
    fn action(self) -> ClockAction {
        let Self { days, seconds, until } = self;
        match until {
            Some(until) => ClockAction::AdvanceTo(until),
            None => ClockAction::AdvanceBy(
                seconds.unwrap_or_default().saturating_add(days.unwrap_or_default() * SECONDS_OF_A_DAY),
            ),
        }
    }
}

impl Clock {
    pub(super) fn run(self, service: &EitherService) -> Result<(), CommandError> {
        let (whose, action) = match self {
            Self::Show(whose) => (whose, ClockAction::Show),
            Self::Advance { whose, to } => (whose, to.action()),
            Self::Stop(whose) => (whose, ClockAction::Stop),
        };
        let Some(tenant) = whose.tenant else { return clock::run(&service.remote(), action) };
        let service = service.here()?;
        let clock = service.ask(&match action {
            ClockAction::Show => AdminRequest::ShowClock { tenant },
            ClockAction::Stop => AdminRequest::StopClock { tenant },
            ClockAction::AdvanceBy(seconds) => {
                AdminRequest::AdvanceClock { tenant, seconds: Some(seconds.into()), until: None }
            }
            ClockAction::AdvanceTo(until) => {
                AdminRequest::AdvanceClock { tenant, seconds: None, until: Some(until) }
            }
        })?;
        say(&service.show(&clock, CLOCK)?)
    }
}

#[derive(Args)]
pub(in crate::cli) struct FireArgs {
    /// The event type, for example TASK_FINISHED. The error message for an unknown type lists all types.
    #[arg(value_parser = event_type(), hide_possible_values = true)]
    event_type: EventType,
    #[command(flatten)]
    whose: WhoseArgs,
    /// The user in the event. If absent, the service makes up a user id.
    #[arg(long)]
    user: Option<UserId>,
}

impl FireArgs {
    pub(super) fn run(self, service: &EitherService) -> Result<(), CommandError> {
        let Self { event_type, whose, user } = self;
        let Some(tenant) = whose.tenant else {
            return fire::run(&service.remote(), event_type, user.as_ref());
        };
        let service = service.here()?;
        let event = service.ask(&AdminRequest::FireEvent { tenant, event_type, user_id: user })?;
        say(&service.show(&event, EVENT)?)
    }
}
