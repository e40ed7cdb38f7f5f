//! The ways to sign in to a provider, where there is more than one.

use link_types::host::UiEventName;
use link_types::provider::Provider;

use super::{Footer, Input, Sheet, about, heading, row};
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::place;
use crate::screen::login::Login;
use crate::screen::providers::Providers;
use crate::state::State;
use crate::tell;
use crate::view::Text;
use crate::view::block::{Block, ChoiceKind, ChoiceList};

/// The page of ways to sign in.
#[derive(Debug)]
pub(crate) struct LoginOptions {
    provider: Provider,
}

/// Goes to a provider: straight to its login form, or to the choice of one.
pub(crate) fn open(provider: Provider, option: Option<&str>, context: &mut Context) -> State {
    let known = provider.login_options.iter().position(|it| Some(it.id.as_str()) == option);
    match known {
        Some(option) => Login::enter(provider, option, context),
        None if provider.login_options.len() > 1 => LoginOptions::enter(provider, context),
        None => Login::enter(provider, 0, context),
    }
}

impl LoginOptions {
    pub(crate) fn enter(provider: Provider, context: &mut Context) -> State {
        context.turn_page();
        place::at_provider(Some(&provider.id), None, context);
        tell::ui_event(UiEventName::LoginOptionsPageOpened, None, context);
        State::LoginOptions(Box::new(Self { provider }))
    }

    pub(crate) fn handle(self: Box<Self>, input: Input, context: &mut Context) -> State {
        match input {
            Input::Chosen { id } => {
                match self.provider.login_options.iter().position(|option| option.id == id) {
                    Some(option) => Login::enter(self.provider, option, context),
                    None => State::LoginOptions(self),
                }
            }
            Input::Pressed(Press::Back) if context.preferences.provider.is_none() => {
                Providers::enter(context)
            }
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::LoginOptions(self),
        }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
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
            back: context.preferences.provider.is_none(),
            form: false,
            footer: Footer::Password,
        }
    }
}
