//! The account is linked.

use link_types::host::UiEventName;
use link_types::link::AttemptState;

use crate::context::Context;
use crate::emit;
use crate::event::Press;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::linking::Linking;
use crate::mark::mark;
use crate::resume_point;
use crate::route::Route;
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::screen::parts::ACCOUNTS;
use crate::sheet::{Footer, Sheet};
use crate::view::Text;
use crate::view::block::{Block, Emblem};
use crate::view::build::{action, heading_with, paragraph, remark, row, rows};

/// The success page. The flow handles its DONE button, which closes the widget.
#[derive(Debug)]
pub(crate) struct Success {
    linking: Box<Linking>,
}

impl Success {
    pub(crate) fn enter(linking: Box<Linking>, context: &mut Context) -> Box<Self> {
        context.turn_page();
        resume_point::clear(context);
        context.note_linked(true);
        emit::account_connected(linking.subject(), context);
        emit::ui_event(UiEventName::ConnectSuccessPageOpened, Some(linking.subject()), context);
        Box::new(Self { linking })
    }
}

impl DeferredScreen for Success {
    fn handle(self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        match input {
            Input::Pressed(Press::ChooseAnother) if !context.preferences.is_fixed() => Go(Route::Start),
            Input::Chosen { id } if id == ACCOUNTS => Go(Route::Accounts),
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => Stay(self),
        }
    }

    fn sheet(&self, context: &Context) -> Sheet {
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
                secondary: (!context.preferences.is_fixed()).then_some(another),
            },
        ];
        Sheet::new(title, Footer::Consent, blocks)
    }

    fn resume(self: Box<Self>, _: AttemptState, _: &mut Context) -> Outcome<Deferred> {
        Stay(self)
    }

    fn may_finish(&self) -> bool {
        true
    }

    fn needs_session(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn success_text_names_provider_before_company() {
        assert_eq!(Message::SuccessText.arguments(), ["provider", "company"]);
    }
}
