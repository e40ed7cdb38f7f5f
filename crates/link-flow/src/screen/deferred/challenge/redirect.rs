//! The login on the provider's own page, in another tab. The widget does not see that tab, so it never infers that it was
//! closed: it offers to continue, and to start again.

use link_types::Sensitive;
use link_types::challenge::RedirectAddress;

use crate::event::Press;
use crate::generated::message::Message;
use crate::view::block::Block;
use crate::view::build::{about, action, remark};

/// Builds the link to the provider's page, with what to do after it was opened.
pub(super) fn blocks(provider: &str, has_left: bool, address: &RedirectAddress) -> [Block; 2] {
    let (label, text) = if has_left {
        (Message::ChallengeRedirectAgain.into(), about(Message::ChallengeRedirectLeft, provider))
    } else {
        (about(Message::ChallengeRedirectOpen, provider), Message::ChallengeWaiting.into())
    };
    let href = Sensitive::new(address.expose());
    [remark(text), Block::Link { href, label, again: has_left }]
}

/// Builds the button of a person who came back. Before, the link is the only way on.
pub(super) fn actions(has_left: bool) -> Option<Block> {
    let primary = action(Message::ChallengeSubmit, Press::Retry);
    has_left.then_some(Block::Actions { primary, secondary: None })
}
