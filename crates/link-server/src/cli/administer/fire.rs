//! `linchpin fire`.

use clap::Args;
use link_types::event::EventType;
use link_types::id::{TenantId, UserId};

use super::{Asked, Shown, event_type};
use crate::admin::AdminRequest;

#[derive(Args)]
pub(in crate::cli) struct FireArgs {
    /// The type, like TASK_FINISHED; a word that is none is answered with those there are.
    #[arg(value_parser = event_type(), hide_possible_values = true)]
    event_type: EventType,
    /// The tenant's id.
    #[arg(long)]
    tenant: TenantId,
    /// The user that the event names; an invented one when left out.
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
