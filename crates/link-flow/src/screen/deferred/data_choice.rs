//! The choice of what to share, between the consent page and the consent. The link template says what can be declined.

use link_types::data::DataPointKind;
use link_types::host::UiEventName;
use link_types::link;
use link_types::link::AttemptState;

use crate::context::Context;
use crate::emit;
use crate::event::Press;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::route::{AfterConsent, Route};
use crate::screen::consent;
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::sheet::{Footer, Sheet};
use crate::view::Text;
use crate::view::block::{Block, Choice, ChoiceKind, ChoiceList};
use crate::view::build::{about, action, heading, paragraph, remark, row};

/// The page with the choice. What is chosen is in the context, so that it outlives the page.
#[derive(Debug)]
pub(crate) struct DataChoice {
    then: AfterConsent,
}

impl DataChoice {
    pub(crate) fn enter(then: AfterConsent, context: &mut Context) -> Box<Self> {
        context.turn_page();
        emit::ui_event(UiEventName::DataChoicePageOpened, None, context);
        Box::new(Self { then })
    }
}

impl DeferredScreen for DataChoice {
    fn handle(self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        match input {
            Input::Pressed(Press::Agree) => {
                let optional = context.optional_data().to_vec();
                let declined = optional.iter().copied().filter(|kind| !is_chosen(*kind, context)).collect();
                return Go(consent::agree(self.then, Some(link::DataChoice { optional, declined }), context));
            }
            Input::Pressed(Press::Back) => return Go(Route::Consent(self.then)),
            Input::Chosen { id } => {
                let kind = context.optional_data().iter().copied().find(|kind| kind.as_str() == id);
                if let Some(kind) = kind {
                    let chosen = &mut context.chosen_data;
                    let before = chosen.len();
                    chosen.retain(|other| *other != kind);
                    if chosen.len() == before {
                        chosen.push(kind);
                    }
                }
            }
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => {}
        }
        Stay(self)
    }

    fn sheet(&self, context: &Context) -> Sheet {
        let optional = context.optional_data();
        let company = context.session.as_ref().map_or("", |session| &session.template.company_name);
        let required = DataPointKind::ALL.iter().filter(|kind| !optional.contains(kind));
        let choices = optional.iter().map(|kind| choice(*kind, is_chosen(*kind, context))).collect();
        let chosen = optional.iter().filter(|kind| is_chosen(**kind, context)).count();
        let mut blocks = vec![
            heading(about(Message::DataChoiceTitle, company)),
            paragraph(about(Message::DataChoiceIntro, company)),
            Block::Choices(ChoiceList {
                label: Message::DataChoiceRequired.into(),
                label_visible: true,
                kind: ChoiceKind::Fixed,
                choices: required.map(|kind| choice(*kind, true)).collect(),
                disabled: false,
            }),
            Block::Choices(ChoiceList {
                label: Message::DataChoiceOptional.into(),
                label_visible: true,
                kind: ChoiceKind::Checks,
                choices,
                disabled: false,
            }),
            paragraph(summary(chosen, optional.len())),
        ];
        if context.may_upload() {
            blocks.push(remark(Message::DataChoiceUploads.into()));
        }
        blocks.push(Block::Actions {
            primary: action(Message::ConsentAgree, Press::Agree),
            secondary: Some(action(Message::ConsentDecline, Press::Leave)),
        });
        Sheet { back: true, ..Sheet::new(Message::DialogTitle.into(), Footer::Consent, blocks) }
    }

    fn resume(self: Box<Self>, _: AttemptState, _: &mut Context) -> Outcome<Deferred> {
        Stay(self)
    }

    fn loss(&self) -> Option<Message> {
        self.then.loss()
    }

    fn is_consent(&self) -> bool {
        true
    }
}

fn is_chosen(kind: DataPointKind, context: &Context) -> bool {
    context.chosen_data.contains(&kind)
}

fn choice(kind: DataPointKind, selected: bool) -> Choice {
    Choice { selected, ..row(kind.as_str(), name(kind).into()) }
}

/// Returns the sentence about what the person agrees to share.
fn summary(chosen: usize, total: usize) -> Text {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).into();
    match chosen {
        0 => Message::DataChoiceNone.into(),
        _ => Text::with(Message::DataChoiceSome, vec![number(chosen), number(total)]),
    }
}

macro_rules! names {
    ($($kind:ident $Body:ident $key:ident $doc:literal {
        $stored:tt $Id:ident $prefix:literal, $events:tt, $filter:ident, $text:path, $($rest:tt)*
    })*) => {
        /// Returns the name of a kind.
        fn name(kind: DataPointKind) -> Message {
            match kind {
                $(DataPointKind::$kind => $text,)*
            }
        }
    };
}

link_types::data_points!(all names);
