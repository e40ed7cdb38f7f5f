//! The document kinds that the link template accepts.

use link_types::archive::ArchiveType;
use link_types::host::UiEventName;

use crate::context::Context;
use crate::emit;
use crate::event::Press;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::route::{Route, UploadRoute};
use crate::sheet::{Footer, Sheet};
use crate::uploads::kind_name;
use crate::view::block::{Block, Choice, ChoiceKind, ChoiceList};
use crate::view::build::{about, heading, paragraph, row};

/// Returns the document kinds that may be uploaded.
pub(crate) fn kinds(context: &Context) -> &[ArchiveType] {
    let kinds = context.session.as_ref().map_or(&[][..], |session| &session.template.file_types);
    if kinds.is_empty() { ArchiveType::ALL } else { kinds }
}

pub(crate) fn enter(context: &mut Context) {
    context.turn_page();
    emit::ui_event(UiEventName::FileTypeListPageOpened, None, context);
}

pub(crate) fn handle(input: Input, context: &Context) -> Outcome<()> {
    match input {
        Input::Chosen { id } => {
            let kind = kinds(context).iter().find(|kind| kind.as_str() == id).copied();
            kind.map_or(Stay(()), |kind| Go(Route::Uploads(UploadRoute::Kind(kind))))
        }
        Input::Pressed(Press::Back) => Go(Route::Providers),
        Input::Replied(_)
        | Input::TimerFired { .. }
        | Input::Pressed(_)
        | Input::Searched { .. }
        | Input::Filtered { .. }
        | Input::Edited { .. }
        | Input::Left { .. }
        | Input::SecretLeft { .. }
        | Input::Submitted(_) => Stay(()),
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

/// Returns the hint about which document of a kind to upload.
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
