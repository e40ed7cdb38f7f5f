//! Acts of the member on the pages of templates.

use link_types::Mode;

use super::draft::LANGUAGES;
use super::editor::TemplateEditor;
use super::fields::control_path;
use super::kind::{TemplateKey, TemplateKind};
use super::request::TemplateRequest;
use super::{TemplateInput, Templates};
use crate::core::page::Page;
use crate::core::sites::spot::element_id;
use crate::core::state::{Loaded, State};
use crate::core::{Effect, Request, Text};

impl State {
    /// Handles what happened on one of the pages of templates. The preview follows the draft.
    pub(in crate::core) fn handle_template(&mut self, input: TemplateInput) -> Vec<Effect> {
        let before = self.templates.preview_change();
        let effects = self.handle_template_input(input);
        self.templates.follow_draft(before).into_iter().chain(effects).collect()
    }

    fn handle_template_input(&mut self, input: TemplateInput) -> Vec<Effect> {
        let Some(mode) = self.page.mode() else { return Vec::new() };
        if let TemplateInput::Recalled(kept) = input {
            let is_begun = self.templates.copied.is_some();
            self.open_new_template(kept.is_some());
            let Loaded::Ready(editor) = &mut self.templates.editor else { return Vec::new() };
            let Some(kept) = kept else {
                // Its first content may not be published.
                let kept = if is_begun { self.keep_template() } else { None };
                return kept.into_iter().collect();
            };
            editor.changes += 1;
            editor.edited.recall(*kept);
            return Vec::new();
        }
        if input == TemplateInput::MoreWanted {
            return self.more_templates(mode);
        }
        if input == TemplateInput::Saved {
            return self.save_template(mode);
        }
        let Loaded::Ready(editor) = &mut self.templates.editor else { return Vec::new() };
        if let TemplateInput::Preview(input) = input {
            return editor.preview.handle(input).into_iter().collect();
        }
        if input == TemplateInput::Duplicated {
            let Some(key) = editor.edited.saved.as_ref().and_then(|it| it.key()) else { return Vec::new() };
            self.templates.copied = Some(editor.edited.form.draft.clone().without_logos());
            return vec![Effect::GoTo(Page::CopiedTemplate(mode, key))];
        }
        if input == TemplateInput::MineKept {
            let Some(conflict) = editor.edited.conflict.take() else { return Vec::new() };
            editor.keep_mine(conflict.theirs);
            let kept = self.keep_template();
            return kept.into_iter().chain(self.save_template(mode)).collect();
        }
        if input == TemplateInput::TheirsTaken {
            let Some(conflict) = editor.edited.conflict.take() else { return Vec::new() };
            editor.replace(conflict.theirs);
            return self.keep_template().into_iter().chain([Effect::Focus("h1")]).collect();
        }
        if input == TemplateInput::Discarded {
            editor.discard();
            let kept = match self.new_template() {
                Some((_, kind, copied)) => self.forget_new_template(mode, kind, copied),
                None => self.keep_template(),
            };
            return kept.into_iter().chain([Effect::Focus("h1")]).collect();
        }
        let before = editor.changes;
        let focus = editor.handle(input);
        let is_changed = editor.changes != before;
        let kept = if is_changed { self.keep_template() } else { None };
        kept.into_iter().chain(focus.map(Effect::FocusId)).collect()
    }

    /// Opens the editor of a new template, if it is not open. A copy waits for its original, if there is nothing else.
    fn open_new_template(&mut self, is_kept: bool) {
        let Some((_, kind, copied)) = self.new_template() else { return };
        if let Loaded::Ready(_) = self.templates.editor {
            return;
        }
        let original = self.templates.copied.take().or(self.templates.original.take()).map(Box::new);
        let editor = match (copied, original) {
            (Some(_), None) if !is_kept => return,
            // The kept draft is the only way to an earlier copy, so it is shown, and can return to this one.
            (Some(_), original) if is_kept => TemplateEditor { original, ..TemplateEditor::for_new(kind) },
            (_, Some(original)) => TemplateEditor::for_copy(kind, original),
            (_, None) => TemplateEditor::for_new(kind),
        };
        self.templates.opened += 1;
        self.templates.editor = Loaded::Ready(Box::new(editor));
        self.templates.choose_consent();
    }

    /// Returns the name under which the browser keeps the draft of the page. Another member has other names.
    pub(in crate::core) fn template_draft_name(&self) -> Option<String> {
        if let Page::Template(mode, key) = self.page {
            return self.draft_name_of(mode, &key.to_string());
        }
        let (mode, kind, copied) = self.new_template()?;
        self.new_draft_name(mode, kind, copied)
    }

    /// Keeps the draft in the browser, or forgets it if nothing is changed.
    pub(super) fn keep_template(&self) -> Option<Effect> {
        let Loaded::Ready(editor) = &self.templates.editor else { return None };
        Some(Effect::KeepTemplate(self.template_draft_name()?, editor.edited.to_keep()))
    }

    /// Returns the environment, the kind and what is copied, if the page is about a new template.
    pub(super) fn new_template(&self) -> Option<(Mode, TemplateKind, Option<TemplateKey>)> {
        if let Page::NewTemplate(mode, kind) = self.page {
            Some((mode, kind, None))
        } else if let Page::CopiedTemplate(mode, key) = self.page {
            Some((mode, key.kind, Some(key)))
        } else {
            None
        }
    }

    /// Each template that is copied has its own draft.
    fn new_draft_name(&self, mode: Mode, kind: TemplateKind, copied: Option<TemplateKey>) -> Option<String> {
        match copied {
            Some(key) => self.draft_name_of(mode, &format!("copy-{key}")),
            None => self.draft_name_of(mode, &format!("new-{kind}")),
        }
    }

    fn draft_name_of(&self, mode: Mode, template: &str) -> Option<String> {
        let member = self.last_member.as_ref()?;
        Some(format!("{}{mode}.{template}", drafts_of(member.as_str())))
    }

    /// Forgets the draft of a new template, which is not new any more.
    pub(super) fn forget_new_template(
        &self,
        mode: Mode,
        kind: TemplateKind,
        copied: Option<TemplateKey>,
    ) -> Option<Effect> {
        Some(Effect::KeepTemplate(self.new_draft_name(mode, kind, copied)?, None))
    }

    fn save_template(&mut self, mode: Mode) -> Vec<Effect> {
        self.notice = None;
        let Loaded::Ready(editor) = &mut self.templates.editor else { return Vec::new() };
        if editor.edited.conflict.is_some() {
            return vec![Effect::Focus("#conflict")];
        }
        let Some(draft) = editor.edited.form.start() else { return Vec::new() };
        let draft = Box::new(draft);
        let request = match (self.page, editor.edited.revision()) {
            (Page::Template(_, key), Some(revision)) => {
                TemplateRequest::Update(key, draft, revision.to_owned())
            }
            _ => {
                let kind = editor.kind;
                let copied = self.new_template().and_then(|(_, _, copied)| copied);
                TemplateRequest::Create(kind, copied, self.templates.opened, draft)
            }
        };
        vec![Effect::Send(Request::Template(mode, request))]
    }

    fn more_templates(&self, mode: Mode) -> Vec<Effect> {
        let (Page::Templates(_, kind), Some(cursor)) = (self.page, self.templates.next.clone()) else {
            return Vec::new();
        };
        vec![Effect::Send(Request::Template(mode, TemplateRequest::List(kind, Some(cursor))))]
    }

    /// Returns the effect that loads a template again, with its versions.
    pub(super) fn reload_template(mode: Mode, key: TemplateKey) -> Effect {
        Effect::Send(Request::Template(mode, TemplateRequest::Get(key)))
    }

    /// Shows that a template was saved.
    pub(super) const fn note_saved_template(&mut self) {
        self.notice = Some(Text::TemplateSaved);
    }
}

/// Returns the beginning of the names of a member's drafts.
pub(in crate::core) fn drafts_of(member: &str) -> String {
    format!("linchpin.template.{member}.")
}

impl Templates {
    /// Chooses the first consent template for a new link template.
    pub(super) fn choose_consent(&mut self) {
        if let (Loaded::Ready(editor), Loaded::Ready(consents)) = (&mut self.editor, &self.consents)
            && let (TemplateKind::Link, None, Some(first)) =
                (editor.kind, &editor.edited.saved, consents.first())
            && !editor.edited.base.is_on("consentTemplateId")
        {
            editor.edited.base.set("consentTemplateId", first.id.as_str());
            editor.changes += 1;
            if !editor.edited.form.draft.is_on("consentTemplateId") {
                editor.edited.form.draft.set("consentTemplateId", first.id.as_str());
            }
        }
    }
}

impl TemplateInput {
    const fn changes_draft(&self) -> bool {
        match self {
            Self::Typed(..)
            | Self::Ticked(..)
            | Self::Moved(..)
            | Self::LanguageAdded(_)
            | Self::LanguageRemoved(_)
            | Self::TextAdded(..) => true,
            // These count their changes where they make them.
            Self::Restored(_)
            | Self::Discarded
            | Self::MineKept
            | Self::TheirsTaken
            | Self::Recalled(_)
            | Self::LanguageOpened(_)
            | Self::LogoTooLarge(_)
            | Self::Saved
            | Self::FaultOpened(_)
            | Self::Duplicated
            | Self::VersionOpened(_)
            | Self::Preview(_)
            | Self::MoreWanted => false,
        }
    }
}

impl TemplateEditor {
    /// Handles an act that only changes the draft or what is shown of it. Returns the element to focus.
    fn handle(&mut self, input: TemplateInput) -> Option<String> {
        self.moved = None;
        self.changes += u32::from(input.changes_draft());
        let draft = &mut self.edited.form.draft;
        match input {
            TemplateInput::Typed(path, value) => {
                if self.large_logo.as_ref() == Some(&path) {
                    self.large_logo = None;
                }
                draft.set(&path, &value);
                if value.is_empty() && path.starts_with("texts.") {
                    draft.set_open(&path);
                }
            }
            TemplateInput::Ticked(path, item, is_in) => {
                draft.tick(&path, &item, is_in);
                if path.starts_with("texts.") {
                    draft.set(&path, "");
                    return Some("new-text".to_owned());
                }
            }
            TemplateInput::Moved(path, item, to) => {
                draft.move_item(&path, &item, to)?;
                let id = element_id(&format!("{path}.{item}"));
                self.moved = Some(item);
                // A browser takes the focus from an element that moves in the page.
                return Some(id);
            }
            TemplateInput::LanguageAdded(language) => {
                let language = language.trim().to_owned();
                if !language.is_empty() && draft.items(LANGUAGES).all(|it| it != language) {
                    draft.tick(LANGUAGES, &language, true);
                }
                self.language = language;
            }
            TemplateInput::LanguageRemoved(language) => {
                draft.remove_language(&language);
                self.language.clear();
            }
            TemplateInput::LanguageOpened(language) => self.language = language,
            TemplateInput::TextAdded(language, key) => {
                let path = format!("texts.{language}.{}", key.trim());
                if key.trim().is_empty() {
                    return Some("new-text".to_owned());
                }
                draft.set_open(&path);
                return Some(element_id(&path));
            }
            TemplateInput::LogoTooLarge(path) => self.large_logo = Some(path),
            TemplateInput::FaultOpened(path) => {
                let of_language = path.strip_prefix("translations.").and_then(|it| it.split_once('.'));
                if let Some((language, _)) = of_language {
                    language.clone_into(&mut self.language);
                }
                let control = control_path(self.kind, &self.edited.form.draft, &path).unwrap_or(path);
                return Some(element_id(&control));
            }
            TemplateInput::VersionOpened(version) => {
                self.opened_version = if self.opened_version == Some(version) { None } else { Some(version) };
            }
            TemplateInput::Restored(version) => {
                self.restore(version)?;
                return Some("restored".to_owned());
            }
            TemplateInput::Saved
            | TemplateInput::Discarded
            | TemplateInput::MineKept
            | TemplateInput::TheirsTaken
            | TemplateInput::Duplicated
            | TemplateInput::Preview(_)
            | TemplateInput::Recalled(_)
            | TemplateInput::MoreWanted => {}
        }
        None
    }
}
