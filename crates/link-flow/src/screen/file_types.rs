//! The kinds of documents that the link template takes.

use link_types::archive::ArchiveType;
use link_types::host::UiEventName;

use super::{Footer, Input, Sheet, about, heading, paragraph, row};
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::screen::providers::Providers;
use crate::screen::upload::Upload;
use crate::state::State;
use crate::tell;
use crate::uploads::{Stage, kind_name};
use crate::view::block::{Block, Choice, ChoiceKind, ChoiceList};

/// What may be uploaded.
pub(crate) fn kinds(context: &Context) -> &[ArchiveType] {
    let kinds = context.session.as_ref().map_or(&[][..], |session| &session.template.file_types);
    if kinds.is_empty() { ArchiveType::ALL } else { kinds }
}

pub(crate) fn enter(context: &mut Context) -> State {
    context.turn_page();
    tell::ui_event(UiEventName::FileTypeListPageOpened, None, context);
    Stage::Kinds.into()
}

pub(crate) fn handle(input: Input, context: &mut Context) -> State {
    match input {
        Input::Chosen { id } => {
            let kind = kinds(context).iter().find(|kind| kind.as_str() == id).copied();
            kind.map_or_else(|| Stage::Kinds.into(), |kind| Upload::enter(kind, context))
        }
        Input::Pressed(Press::Back) => Providers::enter(context),
        Input::Replied(_)
        | Input::TimerFired { .. }
        | Input::Pressed(_)
        | Input::Searched { .. }
        | Input::Filtered { .. }
        | Input::Edited { .. }
        | Input::Left { .. }
        | Input::SecretLeft { .. }
        | Input::Submitted(_) => Stage::Kinds.into(),
    }
}

pub(crate) fn sheet(context: &Context) -> Sheet {
    let choice = |kind: &ArchiveType| Choice {
        detail: Some(hint(*kind).into()),
        ..row(kind.as_str(), kind_name(*kind).into())
    };
    let list = ChoiceList {
        label: Message::UploadsList.into(),
        label_visible: false,
        kind: ChoiceKind::Rows,
        choices: kinds(context).iter().map(choice).collect(),
        disabled: false,
    };
    let blocks = vec![
        heading(Message::UploadsTitle.into()),
        paragraph(about(Message::UploadsText, context.company())),
        Block::Choices(list),
    ];
    Sheet { back: true, ..Sheet::new(Message::UploadsTitle.into(), Footer::Consent, blocks) }
}

/// Which of its kind is wanted.
pub(crate) const fn hint(kind: ArchiveType) -> Message {
    match kind {
        ArchiveType::Payslip => Message::ArchivePayslipHint,
        ArchiveType::TaxDocument => Message::ArchiveTaxHint,
        ArchiveType::CompanyId => Message::ArchiveCompanyHint,
        ArchiveType::Identification => Message::ArchiveIdentityHint,
        ArchiveType::Clearance => Message::ArchiveClearanceHint,
        ArchiveType::Certificate => Message::ArchiveCertificateHint,
        ArchiveType::BankStatement => Message::ArchiveBankHint,
    }
}
