//! The login on the provider's own page, in another tab. The widget does not see that tab, so it never infers that it was
//! closed: it offers to continue, and to start again. On a page of the service, that page leads away in the same tab when
//! it gets the event of the press.

use link_types::Sensitive;
use link_types::challenge::RedirectAddress;

use crate::event::Press;
use crate::generated::message::Message;
use crate::view::block::Block;
use crate::view::build::{about, action, remark};

/// Builds the link to the provider's page, with what to do after it was opened.
pub(super) fn blocks(provider: &str, has_left: bool, address: &RedirectAddress) -> Vec<Block> {
    if address.is_same_tab() {
        return Vec::new();
    }
    let (label, text) = if has_left {
        (Message::ChallengeRedirectAgain.into(), about(Message::ChallengeRedirectLeft, provider))
    } else {
        (about(Message::ChallengeRedirectOpen, provider), Message::ChallengeWaiting.into())
    };
    let href = Sensitive::new(address.expose());
    vec![remark(text), Block::Link { href, label, again: has_left }]
}

/// Builds the button of a person who came back, or the one that leads away in the same tab. Otherwise the link is the only
/// way on.
pub(super) fn actions(provider: &str, has_left: bool, address: &RedirectAddress) -> Option<Block> {
    let primary = if address.is_same_tab() {
        action(about(Message::ChallengeRedirectOpen, provider), Press::OpenTab)
    } else {
        action(Message::ChallengeSubmit, Press::Retry)
    };
    (has_left || address.is_same_tab()).then_some(Block::Actions { primary, secondary: None })
}
