//! The responses to the requests of the pages of templates.

use link_types::Mode;

use super::editor::TemplateEditor;
use super::kind::TemplateKey;
use super::request::{TemplateRequest, TemplateResponse};
use super::wire::AnyTemplate;
use crate::core::failure::Failure;
use crate::core::page::Page;
use crate::core::state::{Loaded, State};
use crate::core::{Effect, Request, Text};

impl State {
    /// Handles a successful response about templates. The preview follows what it changed in the draft.
    pub(in crate::core) fn accept_template(
        &mut self,
        mode: Mode,
        sent: TemplateRequest,
        response: TemplateResponse,
    ) -> Vec<Effect> {
        let before = self.templates.preview_change();
        let effects = self.accept_template_response(mode, sent, response);
        if before.is_none() {
            return effects;
        }
        self.templates.follow_draft(before).into_iter().chain(effects).collect()
    }

    fn accept_template_response(
        &mut self,
        mode: Mode,
        sent: TemplateRequest,
        response: TemplateResponse,
    ) -> Vec<Effect> {
        match (sent, response) {
            (TemplateRequest::Create(kind, copied, number, sent), TemplateResponse::Template(saved)) => {
                let is_shown = self.new_template() == Some((mode, kind, copied));
                // Another draft with the same name began meanwhile, and its text is kept.
                if is_shown && number != self.templates.opened {
                    return Vec::new();
                }
                let forgotten = self.forget_new_template(mode, kind, copied);
                let Some(key) = saved.key().filter(|_| is_shown) else {
                    return forgotten.into_iter().collect();
                };
                if let Loaded::Ready(editor) = &mut self.templates.editor {
                    editor.accept(&sent, saved);
                }
                self.next_notice = Some(Text::TemplateSaved);
                forgotten.into_iter().chain([Effect::GoTo(Page::Template(mode, key))]).collect()
            }
            (TemplateRequest::Update(key, sent, _), TemplateResponse::Template(saved))
                if self.page == Page::Template(mode, key) =>
            {
                let Loaded::Ready(editor) = &mut self.templates.editor else { return Vec::new() };
                editor.accept(&sent, saved);
                self.note_saved_template();
                let versions = Effect::Send(Request::Template(mode, TemplateRequest::Versions(key)));
                self.keep_template().into_iter().chain([versions]).collect()
            }
            (TemplateRequest::Delete(key), _) => self.forget_template(mode, key),
            // Another page is shown by now.
            _ if self.page.mode() != Some(mode) => Vec::new(),
            (TemplateRequest::List(kind, from), TemplateResponse::List(page))
                if self.page == Page::Templates(mode, kind) =>
            {
                let list = &mut self.templates.list;
                match list {
                    Loaded::Ready(before) if from.is_some() => before.extend(page.items),
                    Loaded::Ready(_) | Loaded::Loading | Loaded::Failed(_) => {
                        *list = Loaded::Ready(page.items)
                    }
                }
                self.templates.next = page.next_cursor;
                Vec::new()
            }
            (TemplateRequest::Consents, TemplateResponse::Consents(consents)) => {
                self.templates.consents = Loaded::Ready(consents);
                self.templates.choose_consent();
                Vec::new()
            }
            (TemplateRequest::Providers, TemplateResponse::Providers(providers)) => {
                self.templates.providers = Loaded::Ready(providers);
                Vec::new()
            }
            (TemplateRequest::Versions(key), TemplateResponse::Versions(versions))
                if self.page == Page::Template(mode, key) =>
            {
                if let Loaded::Ready(editor) = &mut self.templates.editor {
                    editor.versions = Loaded::Ready(versions);
                }
                Vec::new()
            }
            (TemplateRequest::Get(key), TemplateResponse::Template(saved)) => {
                self.show_template(mode, key, saved)
            }
            _ => Vec::new(),
        }
    }

    fn forget_template(&mut self, mode: Mode, key: TemplateKey) -> Vec<Effect> {
        let request = Request::Template(mode, TemplateRequest::Delete(key));
        self.question.take_if(|it| it.request() == request);
        if self.page != Page::Template(mode, key) {
            return Vec::new();
        }
        self.next_notice = Some(Text::TemplateDeleted);
        let forgotten = self.template_draft_name().map(|name| Effect::KeepTemplate(name, None));
        forgotten.into_iter().chain([Effect::GoTo(Page::Templates(mode, key.kind))]).collect()
    }

    fn show_template(&mut self, mode: Mode, key: TemplateKey, saved: Box<AnyTemplate>) -> Vec<Effect> {
        if self.page == Page::CopiedTemplate(mode, key) {
            let original = saved.draft().without_logos();
            if let Loaded::Ready(editor) = &mut self.templates.editor {
                editor.original.get_or_insert(Box::new(original));
                return Vec::new();
            }
            self.templates.original = Some(original);
            return self.template_draft_name().map(Effect::RecallTemplate).into_iter().collect();
        }
        if self.page != Page::Template(mode, key) {
            return Vec::new();
        }
        let versions = Effect::Send(Request::Template(mode, TemplateRequest::Versions(key)));
        match &mut self.templates.editor {
            Loaded::Ready(editor) if editor.edited.revision() == Some(saved.revision()) => {
                editor.edited.saved = Some(saved)
            }
            Loaded::Ready(editor) if editor.edited.has_changes() => {
                editor.edited.find_conflict(saved);
                return vec![versions, Effect::Focus("#conflict")];
            }
            Loaded::Ready(editor) => editor.replace(saved),
            Loaded::Loading | Loaded::Failed(_) => {
                let editor = TemplateEditor::for_saved(key.kind, saved);
                self.templates.editor = Loaded::Ready(Box::new(editor));
                let recalled = self.template_draft_name().map(Effect::RecallTemplate);
                return recalled.into_iter().chain([versions]).collect();
            }
        }
        vec![versions]
    }

    /// Handles a failed request about templates.
    pub(in crate::core) fn refuse_template(
        &mut self,
        mode: Mode,
        sent: &TemplateRequest,
        failure: Failure,
    ) -> Vec<Effect> {
        match sent {
            TemplateRequest::Create(_, _, number, _) if *number != self.templates.opened => Vec::new(),
            TemplateRequest::Create(..) => self.refuse_template_draft(failure),
            TemplateRequest::Update(key, ..) => {
                // Another member may have changed the template.
                let is_conflict = matches!(failure, Failure::Refused(_));
                let reload = is_conflict.then(|| Self::reload_template(mode, *key));
                self.refuse_template_draft(failure).into_iter().chain(reload).collect()
            }
            TemplateRequest::Delete(_) => {
                let request = Request::Template(mode, sent.clone());
                match self.question.as_mut().filter(|it| it.request() == request) {
                    Some(question) => (question.is_sending, question.failure) = (false, Some(failure)),
                    None => self.failure = Some(failure),
                }
                Vec::new()
            }
            _ if self.page.mode() != Some(mode) => Vec::new(),
            TemplateRequest::List(_, Some(_)) => {
                self.failure = Some(failure);
                vec![Effect::Focus("#failure")]
            }
            TemplateRequest::List(_, None) => {
                self.templates.list = Loaded::Failed(failure);
                Vec::new()
            }
            TemplateRequest::Consents => {
                self.templates.consents = Loaded::Failed(failure);
                Vec::new()
            }
            TemplateRequest::Providers => {
                self.templates.providers = Loaded::Failed(failure);
                Vec::new()
            }
            TemplateRequest::Versions(_) => {
                if let Loaded::Ready(editor) = &mut self.templates.editor {
                    editor.versions = Loaded::Failed(failure);
                }
                Vec::new()
            }
            // The text that the member typed is worth more than what could not be loaded.
            TemplateRequest::Get(_) if matches!(self.templates.editor, Loaded::Ready(_)) => Vec::new(),
            TemplateRequest::Get(_) => {
                self.templates.editor = Loaded::Failed(failure);
                Vec::new()
            }
        }
    }

    fn refuse_template_draft(&mut self, failure: Failure) -> Vec<Effect> {
        let Loaded::Ready(editor) = &mut self.templates.editor else { return Vec::new() };
        editor.refuse(failure);
        vec![Effect::Focus("#faults, #failure")]
    }
}
