//! `linchpin fire`.

use clap::Args;
use link_types::event::EventType;
use link_types::id::{TenantId, UserId};

use super::service::{Asked, event_type};
use super::shown::Shown;
use crate::admin::AdminRequest;

#[derive(Args)]
pub(in crate::cli) struct FireArgs {
    /// The event type, for example TASK_FINISHED. The error message for an unknown type lists all types.
    #[arg(value_parser = event_type(), hide_possible_values = true)]
    event_type: EventType,
    /// The tenant's id.
    #[arg(long)]
    tenant: TenantId,
    /// The user in the event. If absent, the service makes up a user id.
    #[arg(long)]
    user: Option<UserId>,
}

impl FireArgs {
    pub(super) fn request(self) -> Asked {
        let Self { event_type, tenant, user } = self;
        let shown = Shown::Lines {
            parts: &[("event", "/id"), ("type", "/type"), ("created", "/createdAt"), ("data", "/data")],
            advice: "",
        };
        (AdminRequest::FireEvent { tenant, event_type, user_id: user }, shown)
    }
}
