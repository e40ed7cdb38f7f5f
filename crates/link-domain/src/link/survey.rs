//! What a person could not find.

use std::time::Duration;

use link_types::id::{LinkTemplateId, UserId};
use link_types::uploading::EmployerSurvey;

use crate::clock::Wall;
use crate::owner::Owner;

/// How long an answer is kept.
pub const SURVEY_MEMORY: Duration = Duration::from_secs(60 * 86_400);

/// An answer to the employer survey. A person typed it: the store seals it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Names the answer.
    pub id: String,
    /// Whose user.
    pub owner: Owner,
    /// The user.
    pub user_id: UserId,
    /// The link template.
    pub template_id: LinkTemplateId,
    /// What was typed.
    pub answer: EmployerSurvey,
    /// When.
    pub received_at: Wall,
}
