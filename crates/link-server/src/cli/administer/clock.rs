//! `linchpin clock …`.

use clap::{Args, Subcommand};
use link_types::Timestamp;
use link_types::id::TenantId;

use super::service::Asked;
use super::shown::Shown;
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Clock {
    /// Show the clock of a tenant's sandbox and its latest advance.
    Show {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
    },
    /// Advance the clock of a tenant's sandbox. Work that is due until then runs in order.
    Advance {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
        #[command(flatten)]
        to: To,
    },
    /// Stop the advance of a tenant's sandbox clock. The clock stays where it is.
    Stop {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
    },
}

/// How far to advance the clock.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(in crate::cli) struct To {
    /// Number of days.
    #[arg(long)]
    days: Option<u32>,
    /// Number of seconds.
    #[arg(long)]
    seconds: Option<u64>,
    /// Time on the sandbox's clock, for example 2027-01-19T09:00:00Z.
    #[arg(long)]
    until: Option<Timestamp>,
}

impl Clock {
    pub(super) fn request(self) -> Asked {
        let request = match self {
            Self::Show { tenant } => AdminRequest::ShowClock { tenant },
            Self::Stop { tenant } => AdminRequest::StopClock { tenant },
            Self::Advance { tenant, to: To { days, seconds, until } } => {
                let seconds = seconds.or(days.map(|days| u64::from(days) * 86_400));
                AdminRequest::AdvanceClock { tenant, seconds, until }
            }
        };
        let parts = &[
            ("sandbox time", "/now"),
            ("real time", "/realTime"),
            ("advance", "/advance/status"),
            ("from", "/advance/from"),
            ("until", "/advance/until"),
            ("stops", "/advance/stops"),
        ];
        (request, Shown::Lines { parts, advice: "" })
    }
}
