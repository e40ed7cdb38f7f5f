//! The responses to the requests of the pages of link sites.

use link_types::Mode;
use link_types::list;

use super::AnswerQuery;
use super::editor::Editor;
use super::request::{SiteRequest, SiteResponse, SiteUpdate};
use crate::core::failure::Failure;
use crate::core::page::Page;
use crate::core::state::{Loaded, State};
use crate::core::webhook_key::SiteKey;
use crate::core::{Effect, Request, Text};

impl State {
    /// Handles a successful response about link sites.
    pub(in crate::core) fn accept_site(
        &mut self,
        mode: Mode,
        sent: SiteRequest,
        response: SiteResponse,
    ) -> Vec<Effect> {
        match (sent, response) {
            (SiteRequest::Create(sent), SiteResponse::Site(site)) => {
                let forgotten = self.last_member.as_ref().map(|member| {
                    let name = format!("{}{mode}.new", super::drafts_of(member.as_str()));
                    Effect::Keep(name, None)
                });
                let key = SiteKey::new(&site.id);
                if self.page != Page::NewSite(mode) {
                    return forgotten.into_iter().collect();
                }
                if let Loaded::Ready(editor) = &mut self.sites.editor {
                    editor.accept(sent.draft, site);
                }
                self.next_notice = Some(Text::SiteSaved);
                forgotten.into_iter().chain([Effect::GoTo(Page::Site(mode, key))]).collect()
            }
            (SiteRequest::Update(key, sent), SiteResponse::Site(site))
                if self.page == Page::Site(mode, key) =>
            {
                let Loaded::Ready(editor) = &mut self.sites.editor else { return Vec::new() };
                let SiteUpdate { draft, .. } = *sent;
                editor.accept(draft, site);
                self.notice = Some(Text::SiteSaved);
                self.keep_draft().into_iter().collect()
            }
            (SiteRequest::Close(key, revision), SiteResponse::Site(site)) => {
                let request = Request::Site(mode, SiteRequest::Close(key, revision));
                self.question.take_if(|it| it.request() == request);
                self.notice = Some(Text::SiteClosed);
                if let (true, Loaded::Ready(editor)) =
                    (self.page == Page::Site(mode, key), &mut self.sites.editor)
                {
                    // Only the status changed, so the draft still begins with this site.
                    if editor.edited.conflict.is_none() {
                        editor.edited.base_revision = Some(site.revision.clone());
                    }
                    editor.edited.saved = Some(site);
                }
                self.keep_draft().into_iter().chain([Effect::Focus("h1")]).collect()
            }
            (SiteRequest::Delete(key), _) => {
                let request = Request::Site(mode, SiteRequest::Delete(key));
                self.question.take_if(|it| it.request() == request);
                if self.page != Page::Site(mode, key) {
                    return Vec::new();
                }
                self.next_notice = Some(Text::SiteDeleted);
                let forgotten = self.draft_name().map(|name| Effect::Keep(name, None));
                forgotten.into_iter().chain([Effect::GoTo(Page::Sites(mode))]).collect()
            }
            // Another page is shown by now.
            _ if self.page.mode() != Some(mode) => Vec::new(),
            (SiteRequest::List(from), SiteResponse::List(page)) if self.page == Page::Sites(mode) => {
                extend(&mut self.sites.list, &mut self.sites.next, from.is_some(), page);
                Vec::new()
            }
            (SiteRequest::Answers(key, query), SiteResponse::Answers(page))
                if self.page == Page::Answers(mode, key) =>
            {
                let of_filter = AnswerQuery { cursor: None, ..query.clone() };
                if of_filter == self.sites.query {
                    let is_further = query.cursor.is_some();
                    extend(&mut self.sites.answers, &mut self.sites.next, is_further, page);
                }
                Vec::new()
            }
            (SiteRequest::Templates, SiteResponse::Templates(templates)) => {
                self.sites.templates = Loaded::Ready(templates);
                self.sites.choose_template();
                Vec::new()
            }
            (SiteRequest::Get(key), SiteResponse::Site(site)) => self.show_site(mode, key, site),
            _ => Vec::new(),
        }
    }

    fn show_site(
        &mut self,
        mode: Mode,
        key: SiteKey,
        site: Box<link_types::link_site::LinkSite>,
    ) -> Vec<Effect> {
        if self.page != Page::Site(mode, key) && self.page != Page::Answers(mode, key) {
            return Vec::new();
        }
        match &mut self.sites.editor {
            Loaded::Ready(editor) if editor.edited.revision() == Some(&site.revision) => {
                editor.edited.saved = Some(site)
            }
            Loaded::Ready(editor) if editor.edited.has_changes() => {
                editor.edited.find_conflict(site);
                return vec![Effect::Focus("#conflict")];
            }
            Loaded::Ready(editor) => editor.replace(*site),
            Loaded::Loading | Loaded::Failed(_) => {
                self.sites.editor = Loaded::Ready(Box::new(Editor::new(Some(*site))));
                return self.draft_name().map(Effect::Recall).into_iter().collect();
            }
        }
        Vec::new()
    }

    /// Handles a failed request about link sites.
    pub(in crate::core) fn refuse_site(
        &mut self,
        mode: Mode,
        sent: &SiteRequest,
        failure: Failure,
    ) -> Vec<Effect> {
        match sent {
            SiteRequest::Create(update) => self.refuse_draft(update, failure),
            SiteRequest::Update(key, update) => {
                // Another member may have changed the site.
                let is_conflict = matches!(failure, Failure::Refused(_));
                let reload = is_conflict.then(|| Self::reload_site(mode, *key));
                self.refuse_draft(update, failure).into_iter().chain(reload).collect()
            }
            SiteRequest::Close(key, _) | SiteRequest::Delete(key) => {
                let is_conflict = matches!(failure, Failure::Refused(_));
                let request = Request::Site(mode, sent.clone());
                match self.question.as_mut().filter(|it| it.request() == request) {
                    Some(question) => (question.is_sending, question.failure) = (false, Some(failure)),
                    None => self.failure = Some(failure),
                }
                is_conflict.then(|| Self::reload_site(mode, *key)).into_iter().collect()
            }
            _ if self.page.mode() != Some(mode) => Vec::new(),
            SiteRequest::List(Some(_)) | SiteRequest::Answers(_, AnswerQuery { cursor: Some(_), .. }) => {
                self.failure = Some(failure);
                vec![Effect::Focus("#failure")]
            }
            SiteRequest::List(None) => {
                self.sites.list = Loaded::Failed(failure);
                Vec::new()
            }
            SiteRequest::Answers(..) => {
                self.sites.answers = Loaded::Failed(failure);
                Vec::new()
            }
            SiteRequest::Templates => {
                self.sites.templates = Loaded::Failed(failure);
                Vec::new()
            }
            // The text that the member typed is worth more than what could not be loaded.
            SiteRequest::Get(_) if matches!(self.sites.editor, Loaded::Ready(_)) => Vec::new(),
            SiteRequest::Get(_) => {
                self.sites.editor = Loaded::Failed(failure);
                Vec::new()
            }
        }
    }

    fn refuse_draft(&mut self, update: &SiteUpdate, failure: Failure) -> Vec<Effect> {
        let Loaded::Ready(editor) = &mut self.sites.editor else { return Vec::new() };
        editor.refuse(&update.draft, failure);
        vec![Effect::Focus("#faults, #failure")]
    }
}

/// Shows the first page of a list, or adds the next one.
fn extend<T>(list: &mut Loaded<Vec<T>>, next: &mut Option<String>, is_further: bool, page: list::Page<T>) {
    match list {
        Loaded::Ready(before) if is_further => before.extend(page.items),
        Loaded::Ready(_) | Loaded::Loading | Loaded::Failed(_) => *list = Loaded::Ready(page.items),
    }
    *next = page.next_cursor;
}
