//! The preview of a link or consent template: the widget's real frame, which follows the draft.

use super::Templates;
use super::kind::TemplateKind;
use super::value::Value;
use crate::core::Effect;
use crate::core::loaded::Loaded;

/// The element that sends the draft into the frame.
pub const FORM: &str = "template-preview";

/// The field of the form with the draft. It is filled only when the form is submitted.
pub const DRAFT: &str = "draft";

/// The page of the widget with which the preview begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreviewStart {
    /// The consent.
    #[default]
    Consent,
    /// The list of providers.
    Providers,
    /// The login of the first provider.
    Login,
}

impl PreviewStart {
    /// Every page.
    pub const ALL: [Self; 3] = [Self::Consent, Self::Providers, Self::Login];

    /// Returns the word that the service knows.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Consent => "CONSENT",
            Self::Providers => "PROVIDERS",
            Self::Login => "LOGIN",
        }
    }
}

/// The choices of the member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewChoice {
    /// The page.
    pub start: PreviewStart,
    /// The language.
    pub language: String,
    /// Whether the theme is dark.
    pub is_dark: bool,
    /// Whether it is shown as in a computer's window.
    pub is_broad: bool,
}

/// Something that happened to the preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreviewInput {
    /// The member chose what it shows.
    Chosen(PreviewChoice),
    /// The member has paused after the change with this number.
    Due(u32),
    /// The member wants to see it from the beginning.
    Restarted,
}

/// The preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The choices of the member.
    pub choice: PreviewChoice,
    /// The number of the newest change, which the frame shows when the member pauses.
    asked: u32,
    /// The number of the frame that is shown. 0 before the first. Each has its own element, because a browser adds another page
    /// in the same frame to its history.
    pub shown: u32,
}

impl Default for Preview {
    fn default() -> Self {
        let start = PreviewStart::default();
        let choice = PreviewChoice { start, language: "en".to_owned(), is_dark: false, is_broad: false };
        Self { choice, asked: 0, shown: 0 }
    }
}

impl Preview {
    /// Notes a change. The frame follows in a moment, unless there is another change.
    fn ask(&mut self) -> Effect {
        self.asked += 1;
        Effect::PreviewLater(self.asked)
    }

    /// Handles an act, or the end of a pause. Returns what to do now.
    pub(super) fn handle(&mut self, input: PreviewInput) -> Option<Effect> {
        match input {
            PreviewInput::Chosen(choice) => {
                let is_other_page =
                    PreviewChoice { is_broad: choice.is_broad, ..self.choice.clone() } != choice;
                self.choice = choice;
                is_other_page.then(|| self.show())
            }
            PreviewInput::Due(asked) => (asked == self.asked).then(|| self.show()),
            PreviewInput::Restarted => Some(self.show()),
        }
    }

    fn show(&mut self) -> Effect {
        self.shown += 1;
        Effect::Submit(FORM)
    }
}

impl Templates {
    /// Returns the draft that the form sends.
    pub fn preview_body(&self) -> Option<Value> {
        let Loaded::Ready(editor) = &self.editor else { return None };
        Some(editor.edited.form.draft.body(editor.kind, None))
    }

    /// Returns the number of the newest change that the preview shows. `None` for a template that the widget does not show.
    pub(super) fn preview_change(&self) -> Option<u32> {
        match &self.editor {
            Loaded::Ready(editor) => match editor.kind {
                TemplateKind::Link | TemplateKind::Consent => Some(editor.changes),
                TemplateKind::Invite => None,
            },
            Loaded::Loading | Loaded::Failed(_) => None,
        }
    }

    /// Lets the preview follow, if the draft is another one than before.
    pub(super) fn follow_draft(&mut self, before: Option<u32>) -> Option<Effect> {
        let now = self.preview_change()?;
        let Loaded::Ready(editor) = &mut self.editor else { return None };
        (editor.preview.asked == 0 || before != Some(now)).then(|| editor.preview.ask())
    }
}
