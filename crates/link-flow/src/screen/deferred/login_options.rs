//! The login options of a provider that has several.

use link_types::host::UiEventName;
use link_types::link::AttemptState;
use link_types::provider::Provider;

use crate::context::Context;
use crate::emit;
use crate::event::Press;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::resume_point;
use crate::route::Route;
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::sheet::{Footer, Sheet};
use crate::view::Text;
use crate::view::block::{Block, ChoiceKind, ChoiceList};
use crate::view::build::{about, heading, row};

/// The page of login options.
#[derive(Debug)]
pub(crate) struct LoginOptions {
    provider: Box<Provider>,
}

impl LoginOptions {
    pub(crate) fn enter(provider: Box<Provider>, context: &mut Context) -> Box<Self> {
        context.turn_page();
        resume_point::at_provider(Some(&provider.id), None, context);
        context.closing.set_provider(&provider.id);
        emit::ui_event(UiEventName::LoginOptionsPageOpened, None, context);
        Box::new(Self { provider })
    }
}

impl DeferredScreen for LoginOptions {
    fn handle(self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        match input {
            Input::Chosen { id } => {
                match self.provider.login_options.iter().position(|option| option.id == id) {
                    Some(option) => Go(Route::Login(self.provider, option)),
                    None => Stay(self),
                }
            }
            Input::Pressed(Press::Back) if !context.preferences.is_fixed() => {
                Go(Route::before_login(context))
            }
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => Stay(self),
        }
    }

    fn sheet(&self, context: &Context) -> Sheet {
        let title = about(Message::LoginOptionsTitle, &self.provider.name);
        let list = ChoiceList {
            label: Message::LoginOptionsList.into(),
            label_visible: false,
            kind: ChoiceKind::Rows,
            choices: self
                .provider
                .login_options
                .iter()
                .map(|option| row(&option.id, Text::Verbatim(option.label.clone())))
                .collect(),
            disabled: false,
        };
        Sheet {
            title: title.clone(),
            blocks: vec![heading(title), Block::Choices(list)],
            back: !context.preferences.is_fixed(),
            form: false,
            footer: Footer::Consent,
        }
    }

    fn resume(self: Box<Self>, _: AttemptState, _: &mut Context) -> Outcome<Deferred> {
        Stay(self)
    }
}
