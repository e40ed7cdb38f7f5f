//! The pages of link, consent and invite templates: the list, the editor and the saved versions.

#[cfg(test)]
mod copy_tests;
pub mod draft;
pub mod editor;
pub mod fields;
pub mod kind;
pub mod preview;
#[cfg(test)]
mod preview_tests;
pub mod request;
mod respond;
#[cfg(test)]
mod tests;
mod transition;
pub mod value;
pub mod wire;

use link_types::template::ConsentTemplate;
use serde::Deserialize;

pub(super) use self::transition::drafts_of;

use self::draft::TemplateDraft;
use self::editor::TemplateEditor;
use self::preview::PreviewInput;
use self::wire::AnyTemplate;
use super::edited::Kept;
use super::loaded::Loaded;

/// The state of the pages of templates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Templates {
    /// The templates of the page's kind and environment, newest first.
    pub list: Loaded<Vec<AnyTemplate>>,
    /// Where the next page of the list begins.
    pub next: Option<String>,
    /// The consent templates to choose from.
    pub consents: Loaded<Vec<ConsentTemplate>>,
    /// The providers to choose from.
    pub providers: Loaded<Vec<ProviderOption>>,
    /// The editor of the page's template.
    pub editor: Loaded<Box<TemplateEditor>>,
    /// The draft of the editor that a copy begins with.
    pub copied: Option<TemplateDraft>,
    /// The template that is copied, as the service has it.
    pub original: Option<TemplateDraft>,
    /// How many editors of new templates were opened. The newest has this number.
    pub opened: u32,
}

impl Templates {
    /// Forgets what was loaded, but not what was typed.
    pub(super) fn forget_lists(&mut self) {
        let (editor, copied) = (std::mem::take(&mut self.editor), self.copied.take());
        *self = Self { copied, opened: self.opened, ..Self::default() };
        if let Loaded::Ready(_) = editor {
            self.editor = editor;
        }
    }

    /// Returns whether the draft differs from what it began with.
    pub fn has_changes(&self) -> bool {
        matches!(&self.editor, Loaded::Ready(editor) if editor.edited.has_changes())
    }
}

/// A provider to choose.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ProviderOption {
    /// Identifier.
    pub id: String,
    /// Name.
    pub name: String,
}

/// Something that happened on one of the pages of templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateInput {
    /// The value of a field changed: its path, and the value.
    Typed(String, String),
    /// An item of a list was chosen or not: the path of the list, the item, and whether it is in the list.
    Ticked(String, String, bool),
    /// An item of a list moves to a place, from 0.
    Moved(String, String, usize),
    /// A language for translations was added.
    LanguageAdded(String),
    /// A language for translations was removed.
    LanguageRemoved(String),
    /// The language whose translations are shown was chosen.
    LanguageOpened(String),
    /// The member adds a text of the widget: its language and its key.
    TextAdded(String, String),
    /// The browser's file is too large for a logo: the path of the field.
    LogoTooLarge(String),
    /// The member saves the draft.
    Saved,
    /// The member wants the template as the service has it, or a copy as it began.
    Discarded,
    /// The member saves what they have, over what another member saved.
    MineKept,
    /// The member takes what another member saved.
    TheirsTaken,
    /// The member wants to see a fault: its path.
    FaultOpened(String),
    /// The member begins a new template with a copy of this one.
    Duplicated,
    /// The member opens or closes a saved version.
    VersionOpened(u32),
    /// The member wants the draft to be a saved version.
    Restored(u32),
    /// Something about the preview.
    Preview(PreviewInput),
    /// The browser has a draft, or has none.
    Recalled(Option<Box<Kept<TemplateDraft>>>),
    /// The member wants the next page of the list.
    MoreWanted,
}
