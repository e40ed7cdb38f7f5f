//! An opening of the widget, as its UI events tell it: what was seen, and where the person left.

use std::time::Duration;

use link_types::id::{AttemptId, LinkTemplateId, UserId};
use link_types::uploading::{TrapReport, UiEventRecord};

use crate::clock::Wall;
use crate::owner::Owner;

/// How long UI events are kept.
pub const OPENING_MEMORY: Duration = Duration::from_secs(60 * 86_400);

/// Events of one opening, as one batch brought them. No personal data is in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UiEvents {
    /// Whose user.
    pub owner: Owner,
    /// The user.
    pub user_id: UserId,
    /// The link template.
    pub template_id: LinkTemplateId,
    /// The attempt.
    pub attempt_id: AttemptId,
    /// The opening's name, made by the widget; it is unique within its user.
    pub opening: String,
    /// The events, numbered within the opening: the one with the highest number says where the person was last.
    pub events: Vec<UiEventRecord>,
    /// Where the widget's program trapped, if it did.
    pub trap: Option<TrapReport>,
    /// When the batch came.
    pub received_at: Wall,
}

impl UiEvents {
    /// The event with the highest number.
    pub fn last(&self) -> Option<&UiEventRecord> {
        self.events.iter().max_by_key(|event| event.seq)
    }
}
