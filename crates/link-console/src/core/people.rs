//! Support's pages: the search for people, and a person with their timeline.

pub mod request;
mod respond;
#[cfg(test)]
mod tests;
mod transition;

use link_types::Mode;
use link_types::console::people::{FoundPerson, Person};
use link_types::id::{DeliveryId, InviteId, WebhookId};

pub use self::request::Removal;
use super::Request;
use super::loaded::{Form, Loaded};

/// The state of support's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    /// Environment of the search. `None` before the first one.
    pub mode: Option<Mode>,
    /// The text to find.
    pub search: Form<String>,
    /// The people that the last search found. `None` before the first one.
    pub found: Option<Vec<FoundPerson>>,
    /// The person of the page.
    pub person: Loaded<Box<Person>>,
    /// The act without a question that is under way.
    pub acting: Option<Request>,
}

impl Default for People {
    fn default() -> Self {
        Self {
            mode: None,
            search: Form::new(String::new()),
            found: None,
            person: Loaded::Loading,
            acting: None,
        }
    }
}

/// Something that happened on one of support's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeopleInput {
    /// The text to find changed.
    FindTyped(String),
    /// The member wants the mail of an invitation to be sent again.
    MailWanted(InviteId),
    /// The member wants a delivery to be sent again.
    ResendWanted(WebhookId, DeliveryId),
}
