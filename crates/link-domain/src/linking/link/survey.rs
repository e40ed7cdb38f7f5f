//! Employers and providers that a person could not find.

use std::time::Duration;

use link_types::id::{LinkTemplateId, UserId};
use link_types::uploading::EmployerSurvey;

use crate::kernel::clock::Wall;
use crate::kernel::owner::Owner;

/// How long an answer is kept: 60 days.
pub const SURVEY_MEMORY: Duration = Duration::from_secs(60 * 86_400);

/// An answer to the employer survey. The store encrypts it, because a person typed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Identifier of the answer.
    pub id: String,
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// User who answered.
    pub user_id: UserId,
    /// Link template that was used.
    pub template_id: LinkTemplateId,
    /// Text that the person typed.
    pub answer: EmployerSurvey,
    /// When the answer was received.
    pub received_at: Wall,
}
