//! The account is linked.

use link_types::host::UiEventName;

use super::{ACCOUNTS, Footer, Input, Sheet, action, heading_with, paragraph, remark, row, rows};
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::linking::Linking;
use crate::mark::mark;
use crate::place;
use crate::rest::{self, Door};
use crate::screen::consent;
use crate::state::State;
use crate::tell;
use crate::view::Text;
use crate::view::block::{Block, Emblem};

/// The page of success. Its DONE button is the flow's own business: it ends everything.
#[derive(Debug)]
pub(crate) struct Success {
    linking: Linking,
}

impl Success {
    pub(crate) fn enter(linking: Linking, context: &mut Context) -> State {
        context.turn_page();
        place::done(context);
        context.note_linked(true);
        tell::account_connected(linking.subject(), context);
        tell::ui_event(UiEventName::ConnectSuccessPageOpened, Some(linking.subject()), context);
        State::Success(Box::new(Self { linking }))
    }

    pub(crate) fn handle(self: Box<Self>, input: Input, context: &mut Context) -> State {
        match input {
            Input::Pressed(Press::ChooseAnother) if context.preferences.provider.is_none() => {
                consent::begin(context)
            }
            Input::Chosen { id } if id == ACCOUNTS => rest::open(Door::Accounts, context),
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Success(self),
        }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let provider = &self.linking.provider;
        let title = Text::from(Message::SuccessTitle);
        let names = vec![provider.name.as_str().into(), context.company().into()];
        let another = action(Message::SuccessAnother, Press::ChooseAnother);
        let blocks = vec![
            heading_with(Emblem::Success, title.clone()),
            Block::Provider {
                mark: mark(&provider.name, provider.logo_url.as_deref()),
                name: Text::Verbatim(provider.name.clone()),
                detail: None,
            },
            paragraph(Text::with(Message::SuccessText, names)),
            remark(Message::SuccessNext.into()),
            rows(vec![row(ACCOUNTS, Message::AccountsTitle.into())], false),
            Block::Actions {
                primary: action(Message::ActionDone, Press::Done),
                secondary: context.preferences.provider.is_none().then_some(another),
            },
        ];
        Sheet::new(title, Footer::Consent, blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_the_provider_before_the_company() {
        assert_eq!(Message::SuccessText.arguments(), ["provider", "company"]);
    }
}
