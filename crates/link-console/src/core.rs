//! The rules of the portal: (state, event) -> (state, effects). No browser, no Yew, no clock.

pub mod audit;
pub mod ceremony;
pub mod developer;
pub mod edited;
pub mod failure;
pub mod insights;
pub mod inviting;
mod key_form;
mod language;
pub mod loaded;
pub mod mailed_link;
pub mod page;
mod passkey;
pub mod people;
pub mod question;
mod refuse;
pub mod request;
pub mod rest;
#[cfg(test)]
mod session_tests;
pub mod single_sign_on;
pub mod sites;
pub mod state;
mod submit;
pub mod templates;
#[cfg(test)]
mod tests;
pub mod texts;
mod transition;
mod visit;
pub mod webhook_key;
pub mod whole_list;

use ceremony::Ceremony;
pub use developer::Input;
use edited::Kept;
pub use failure::Failure;
pub use insights::InsightInput;
pub use inviting::InvitingInput;
use link_types::console::PasskeyChallenge;
pub use page::Page;
pub use people::PeopleInput;
pub use question::Question;
pub use request::{Body, Request, Response};
pub use sites::SiteInput;
use sites::draft::SiteDraft;
pub use state::{Event, Loaded, Once, State, Visitor};
pub use templates::TemplateInput;
use templates::draft::TemplateDraft;
pub use texts::{Language, Text};

/// An action of the shell after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a request, and report its response.
    Send(Request),
    /// Send a request in a moment, and report its response.
    SendLater(Request),
    /// Compute the digests of a body with a secret, and report them.
    Digest {
        /// The secret.
        secret: String,
        /// The body.
        body: String,
    },
    /// Show another page, in place of the present one in the browser's history.
    GoTo(Page),
    /// Leave for this address.
    Leave(String),
    /// Ask the browser for a passkey, and report its response.
    AskBrowser(Ceremony, PasskeyChallenge),
    /// Move the focus to this element, which is drawn now.
    Focus(&'static str),
    /// Move the focus to the element with this identifier.
    FocusId(String),
    /// Keep a draft in the browser under a name, or forget it.
    Keep(String, Option<Box<Kept<SiteDraft>>>),
    /// Read the draft that the browser keeps under a name, and report it.
    Recall(String),
    /// Keep the draft of a template in the browser under a name, or forget it.
    KeepTemplate(String, Option<Box<Kept<TemplateDraft>>>),
    /// Read the draft of a template that the browser keeps under a name, and report it.
    RecallTemplate(String),
    /// Report in a moment that the member has paused after the change of a template with this number.
    PreviewLater(u32),
    /// Submit the form with this identifier, which is drawn now.
    Submit(&'static str),
    /// Forget every draft whose name begins like this.
    ForgetDrafts(String),
}
