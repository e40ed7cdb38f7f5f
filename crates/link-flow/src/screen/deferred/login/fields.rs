//! Builds the blocks of the login form, one for each visible field.

use link_types::format::FieldFormat;
use link_types::provider::{FieldSchema, FieldType};

use crate::context::Context;
use crate::event::Press;
use crate::fault;
use crate::generated::message::Message;
use crate::login_draft::{LoginDraft, Notice};
use crate::mark::mark;
use crate::screen::parts::{elsewhere, limit_notice, trouble_notice};
use crate::view::block::{Action, ActionState, Block, Field, Input, Keyboard, SelectOption, Severity};
use crate::view::build::{about, heading, notice, remark};
use crate::view::{Text, Typed};

/// Returns the page's title.
pub(super) fn title(draft: &LoginDraft) -> Text {
    let message = if draft.provider.login_required { Message::LoginTitle } else { Message::LoginNoneTitle };
    about(message, &draft.provider.name)
}

/// Returns whether the form has a secret field.
pub(super) fn asks_secret(draft: &LoginDraft) -> bool {
    draft.form.visible(&draft.provider).iter().any(|field| field.is_secret())
}

/// Returns the page's blocks.
pub(super) fn blocks(draft: &LoginDraft, is_editing: bool, context: &Context) -> Vec<Block> {
    let provider = &draft.provider;
    let intro = if provider.login_required { Message::LoginIntro } else { Message::LoginNoneText };
    let mut blocks = vec![
        Block::Provider {
            mark: mark(&provider.name, provider.logo_url.as_deref()),
            name: Text::Verbatim(provider.name.clone()),
            detail: Some(Text::Verbatim(provider.long_name.clone())),
        },
        heading(title(draft)),
        remark(about(intro, &provider.name)),
    ];
    blocks.extend(draft.notice.map(|notice| notice_block(notice, draft)));
    let visible = draft.form.visible(provider);
    let first_open = visible.iter().position(|field| !field.is_secret());
    for (at, schema) in visible.into_iter().enumerate() {
        blocks.push(Block::Field(Box::new(field(draft, schema, first_open == Some(at), !is_editing))));
    }
    let (label, state) = if draft.wait.is_some() {
        (Message::LoginSubmit, ActionState::Off)
    } else if is_editing {
        (Message::LoginSubmit, ActionState::Ready)
    } else {
        (Message::LoginSubmitting, ActionState::Busy)
    };
    let primary = Action { label: label.into(), press: Press::Submit, state, destructive: false };
    let secondary = (draft.notice == Some(Notice::TooManyTries)).then(|| elsewhere(context));
    blocks.push(Block::Actions { primary, secondary });
    blocks
}

/// Returns the announcement of a notice.
pub(super) fn notice_title(notice: Notice) -> Message {
    match notice {
        Notice::Again => Message::LoginAgain,
        Notice::Restarted => Message::LoginRestartedTitle,
        Notice::NotSent => Message::LoginNotSentTitle,
        Notice::Renewed => Message::LoginRenewedTitle,
        Notice::OtherAccount => Message::LoginOtherTitle,
        Notice::TooManyTries => Message::LoginLimitTitle,
        Notice::Trouble(crate::call::Trouble::Busy(_)) => Message::BusyTitle,
        Notice::Trouble(_) => Message::UnavailableTitle,
    }
}

fn notice_block(kind: Notice, draft: &LoginDraft) -> Block {
    let wait = draft.wait.as_ref();
    match kind {
        Notice::Again => notice(Severity::Info, None, Message::LoginAgain.into()),
        Notice::Restarted => {
            let title = Message::LoginRestartedTitle.into();
            notice(Severity::Warning, Some(title), Message::LoginRestartedText.into())
        }
        Notice::NotSent => {
            let title = Message::LoginNotSentTitle.into();
            notice(Severity::Warning, Some(title), Message::LoginNotSentText.into())
        }
        Notice::Renewed => {
            let title = Message::LoginRenewedTitle.into();
            notice(Severity::Info, Some(title), Message::LoginRenewedText.into())
        }
        Notice::OtherAccount => {
            let title = Message::LoginOtherTitle.into();
            notice(Severity::Warning, Some(title), about(Message::LoginOtherText, &draft.provider.name))
        }
        Notice::TooManyTries => limit_notice(wait),
        Notice::Trouble(trouble) => trouble_notice(trouble, wait),
    }
}

fn field(draft: &LoginDraft, schema: &FieldSchema, names_login: bool, disabled: bool) -> Field {
    let strays = draft.stray_spaces.contains(&schema.name);
    let is_select = schema.field_type == FieldType::Select;
    let error = draft.fault(&schema.name).map(|fault| fault::text(fault, is_select, &draft.provider.name));
    Field {
        id: schema.name.clone(),
        label: Text::Verbatim(schema.label.clone()),
        input: input(schema, Typed::new(draft.form.value(&schema.name))),
        required: schema.required,
        optional: (!schema.required).then(|| Message::FieldOptional.into()),
        help: schema.help.clone().map(Text::Verbatim),
        prefix: schema.prefix.clone(),
        hint: (strays && error.is_none()).then(|| Message::FieldSpace.into()),
        error,
        autocomplete: autocomplete(draft.provider.id.as_str(), schema, names_login),
        disabled,
    }
}

fn input(schema: &FieldSchema, value: Typed) -> Input {
    let text = |value, keyboard| Input::Text { value, keyboard };
    match schema.field_type {
        FieldType::Text => match schema.format {
            FieldFormat::Digits { .. } => text(value, Keyboard::Digits),
            FieldFormat::Email {} => text(value, Keyboard::Email),
            FieldFormat::Phone {} => text(value, Keyboard::Telephone),
            FieldFormat::Text { .. }
            | FieldFormat::Alphanumeric { .. }
            | FieldFormat::Curp {}
            | FieldFormat::Date {}
            | FieldFormat::OneOf { .. } => text(value, Keyboard::Text),
        },
        FieldType::Password => Input::Password {
            reveal: Message::PasswordShow.into(),
            conceal: Message::PasswordHide.into(),
            caps_lock: Message::PasswordCapsLock.into(),
        },
        FieldType::Email => text(value, Keyboard::Email),
        FieldType::Tel => text(value, Keyboard::Telephone),
        FieldType::Select => {
            let option = |choice: &link_types::provider::Choice| SelectOption {
                value: choice.value.clone(),
                label: Text::Verbatim(choice.label.clone()),
            };
            let options = schema.choices.iter().map(option).collect();
            Input::Select { value, placeholder: Message::FieldChoose.into(), options }
        }
        FieldType::Date => Input::Date { value },
    }
}

/// Returns the `autocomplete` value. Each provider has its own section, so that a password manager never offers one
/// provider's login at another.
fn autocomplete(provider: &str, schema: &FieldSchema, names_login: bool) -> String {
    let token = schema.autocomplete.as_deref().unwrap_or(match schema.field_type {
        FieldType::Password => "current-password",
        FieldType::Text | FieldType::Email | FieldType::Tel if names_login => "username",
        FieldType::Email => "email",
        FieldType::Tel => "tel",
        FieldType::Text | FieldType::Select | FieldType::Date => "off",
    });
    if token == "off" { token.to_owned() } else { format!("section-{provider} {token}") }
}
