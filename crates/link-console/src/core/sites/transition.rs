//! Acts of the member on the pages of link sites.

use link_types::Mode;
use link_types::form_submission::{ConditionJoin, ConditionOperator, LinkSiteFieldType};
use link_types::link_site::LinkSiteStatus;

use super::draft::{ConditionDraft, RuleDraft, SiteDraft};
use super::editor::{Announcement, Editor};
use super::request::{SiteRequest, SiteUpdate};
use super::spot::{Part, Spot, element_id, field_path, uid_of};
use super::{AnswerQuery, MovedBy, SiteInput, Sites};
use crate::core::page::Page;
use crate::core::state::{Loaded, State};
use crate::core::webhook_key::SiteKey;
use crate::core::{Effect, Request};

impl State {
    /// Handles what happened on one of the pages of link sites.
    pub(in crate::core) fn handle_site(&mut self, input: SiteInput) -> Vec<Effect> {
        let Some(mode) = self.page.mode() else { return Vec::new() };
        if let SiteInput::Recalled(kept) = input {
            self.open_new_editor();
            if let (Loaded::Ready(editor), Some(kept)) = (&mut self.sites.editor, kept) {
                editor.edited.recall(*kept);
            }
            return Vec::new();
        }
        if let SiteInput::AnswersFiltered(query) = input {
            let Page::Answers(mode, key) = self.page else { return Vec::new() };
            (self.sites.query, self.sites.answers) = (query.clone(), Loaded::Loading);
            return vec![Effect::Send(Request::Site(mode, SiteRequest::Answers(key, query)))];
        }
        if input == SiteInput::MoreWanted {
            return self.more_of_sites(mode);
        }
        if let SiteInput::Saved(status) = input {
            return self.save_site(mode, status);
        }
        let Loaded::Ready(editor) = &mut self.sites.editor else { return Vec::new() };
        if input == SiteInput::MineKept {
            let Some(conflict) = editor.edited.conflict.take() else { return Vec::new() };
            editor.edited.begin_with(conflict.theirs);
            let kept = self.keep_draft();
            return kept.into_iter().chain(self.save_site(mode, None)).collect();
        }
        if input == SiteInput::TheirsTaken {
            let Some(conflict) = editor.edited.conflict.take() else { return Vec::new() };
            editor.replace(*conflict.theirs);
            return self.keep_draft().into_iter().chain([Effect::Focus("h1")]).collect();
        }
        if input == SiteInput::Discarded {
            editor.discard();
            return self.keep_draft().into_iter().chain([Effect::Focus("h1")]).collect();
        }
        let before = editor.edited.form.draft.clone();
        let focus = editor.handle(input);
        let is_changed = editor.edited.form.draft != before;
        let kept = if is_changed { self.keep_draft() } else { None };
        kept.into_iter().chain(focus.map(Effect::FocusId)).collect()
    }

    /// Opens the editor of a new site, if it is not open.
    fn open_new_editor(&mut self) {
        if let (Page::NewSite(_), Loaded::Loading) = (self.page, &self.sites.editor) {
            self.sites.editor = Loaded::Ready(Box::new(Editor::new(None)));
            self.sites.choose_template();
        }
    }

    /// Returns the name under which the browser keeps the draft of the page. Another member has other names.
    pub(in crate::core) fn draft_name(&self) -> Option<String> {
        let member = self.last_member.as_ref()?;
        let (mode, site) = if let Page::Site(mode, key) = self.page {
            (mode, key.to_string())
        } else if let Page::NewSite(mode) = self.page {
            (mode, "new".to_owned())
        } else {
            return None;
        };
        Some(format!("{}{mode}.{site}", drafts_of(member.as_str())))
    }

    /// Keeps the draft in the browser, or forgets it if nothing is changed.
    pub(super) fn keep_draft(&self) -> Option<Effect> {
        let Loaded::Ready(editor) = &self.sites.editor else { return None };
        Some(Effect::Keep(self.draft_name()?, editor.edited.to_keep()))
    }

    fn save_site(&mut self, mode: Mode, status: Option<LinkSiteStatus>) -> Vec<Effect> {
        self.notice = None;
        let Loaded::Ready(editor) = &mut self.sites.editor else { return Vec::new() };
        if editor.edited.conflict.is_some() {
            return vec![Effect::Focus("#conflict")];
        }
        let Some(draft) = editor.edited.form.start() else { return Vec::new() };
        let revision = editor.edited.revision().map(str::to_owned);
        let update = Box::new(SiteUpdate { draft, status, revision });
        let request = if let Page::Site(_, key) = self.page {
            SiteRequest::Update(key, update)
        } else {
            SiteRequest::Create(update)
        };
        vec![Effect::Send(Request::Site(mode, request))]
    }

    fn more_of_sites(&self, mode: Mode) -> Vec<Effect> {
        let Some(cursor) = self.sites.next.clone() else { return Vec::new() };
        let request = if let Page::Answers(_, key) = self.page {
            SiteRequest::Answers(key, AnswerQuery { cursor: Some(cursor), ..self.sites.query.clone() })
        } else {
            SiteRequest::List(Some(cursor))
        };
        vec![Effect::Send(Request::Site(mode, request))]
    }

    /// Returns the request that loads a site.
    pub(super) fn reload_site(mode: Mode, key: SiteKey) -> Effect {
        Effect::Send(Request::Site(mode, SiteRequest::Get(key)))
    }
}

/// Returns the beginning of the names of a member's drafts.
pub(in crate::core) fn drafts_of(member: &str) -> String {
    format!("linchpin.site.{member}.")
}

impl Sites {
    /// Chooses the first link template for a new site.
    pub(super) fn choose_template(&mut self) {
        if let (Loaded::Ready(editor), Loaded::Ready(templates)) = (&mut self.editor, &self.templates)
            && let (None, Some(first)) = (&editor.edited.saved, templates.first())
            && editor.edited.base.template.is_empty()
        {
            let id = first.id.to_string();
            if editor.edited.form.draft.template.is_empty() {
                editor.edited.form.draft.template.clone_from(&id);
            }
            editor.edited.base.template = id;
        }
    }

    /// Returns whether the draft differs from the site.
    pub fn has_changes(&self) -> bool {
        matches!(&self.editor, Loaded::Ready(editor) if editor.edited.has_changes())
    }
}

impl Editor {
    /// Handles an act that only changes the draft or what is shown of it. Returns the element to focus.
    fn handle(&mut self, input: SiteInput) -> Option<String> {
        self.announcement = None;
        let draft = &mut self.edited.form.draft;
        match input {
            SiteInput::Typed(spot, text) => draft.set(spot, text),
            SiteInput::AccessChosen(access) => draft.access = access,
            SiteInput::StepsChosen(steps) => draft.steps = steps,
            SiteInput::ReferencePrefilled(is_prefilled) => draft.prefills_reference = is_prefilled,
            SiteInput::LanguageAdded(language) => {
                let language = language.trim().to_owned();
                if !language.is_empty() && !draft.languages.contains(&language) {
                    draft.languages.push(language.clone());
                }
                self.language = language;
            }
            SiteInput::LanguageRemoved(language) => {
                draft.languages.retain(|it| *it != language);
                self.language.clear();
            }
            SiteInput::LanguageOpened(language) => self.language = language,
            SiteInput::Translated(text, translation) => {
                let language = self.shown_language()?.to_owned();
                self.edited.form.draft.translate(&language, &text, &translation);
            }
            SiteInput::FieldAdded(kind) => {
                let uid = draft.add_field(kind);
                let count = draft.fields.len();
                self.announcement = Some(Announcement::Added(count, count));
                self.opened = Some(uid);
                return Some(element_id(&Spot::Field(uid, Part::Label).path()));
            }
            SiteInput::FieldToggled(uid) => {
                self.opened = if self.opened == Some(uid) { None } else { Some(uid) };
            }
            SiteInput::FieldCopied(uid) => {
                let copy = draft.copy_field(uid)?;
                let position = draft.position(copy).unwrap_or_default() + 1;
                self.announcement = Some(Announcement::Added(position, draft.fields.len()));
                self.opened = Some(copy);
                return Some(element_id(&Spot::Field(copy, Part::Label).path()));
            }
            SiteInput::FieldRemoved(uid) => {
                self.remove_field(uid)?;
                return Some("undo".to_owned());
            }
            SiteInput::FieldMoved(uid, to, by) => {
                let is_moved = self.move_field(uid, to);
                // A browser takes the focus from an element that moves in the page.
                return is_moved.then(|| element_id(&field_path(uid, by.part())));
            }
            SiteInput::Undone => {
                let uid = self.undo()?;
                return Some(element_id(&field_path(uid, "title")));
            }
            SiteInput::FaultOpened(path) => {
                self.opened = uid_of(&path).or(self.opened);
                return Some(element_id(&path));
            }
            SiteInput::PreviewChosen(preview) => self.preview = preview,
            SiteInput::KindChosen(uid, kind) => draft.field_mut(uid)?.kind = kind,
            SiteInput::RequiredChosen(uid, is_required) => draft.field_mut(uid)?.required = is_required,
            SiteInput::PrefilledChosen(uid, is_prefilled) => {
                draft.field_mut(uid)?.is_prefilled = is_prefilled;
            }
            SiteInput::FormatChosen(uid, kind) => {
                let format = &mut draft.field_mut(uid)?.format;
                format.kind = kind;
                if kind.has_bounds() && format.max.is_empty() {
                    (format.min, format.max) = ("1".to_owned(), "50".to_owned());
                }
            }
            SiteInput::ConditionChosen(uid, is_conditional) => {
                let rule = draft.new_rule(uid);
                let condition = || ConditionDraft { join: ConditionJoin::All, rules: vec![rule] };
                draft.field_mut(uid)?.condition = is_conditional.then(condition);
            }
            SiteInput::JoinChosen(uid, join) => draft.field_mut(uid)?.condition.as_mut()?.join = join,
            SiteInput::RuleAdded(uid) => {
                let rule = draft.new_rule(uid);
                let rules = &mut draft.field_mut(uid)?.condition.as_mut()?.rules;
                rules.push(rule);
                let part = format!("condition.rules[{}].field", rules.len() - 1);
                return Some(element_id(&field_path(uid, &part)));
            }
            SiteInput::RuleRemoved(uid, number) => {
                let prefix = field_path(uid, "condition.");
                self.faults.retain(|(path, _)| !path.starts_with(&prefix));
                let rules = &mut draft.field_mut(uid)?.condition.as_mut()?.rules;
                if number < rules.len() {
                    rules.remove(number);
                }
                return Some(element_id(&field_path(uid, "condition.add")));
            }
            SiteInput::RuleFieldChosen(uid, number, other) => {
                let rule = draft.rule_mut(uid, number)?;
                // Values of another field seldom fit.
                (rule.field, rule.values) = (other, Vec::new());
            }
            SiteInput::OperatorChosen(uid, number, operator) => {
                let rule = draft.rule_mut(uid, number)?;
                rule.operator = operator;
                if operator != ConditionOperator::OneOf {
                    rule.values.truncate(1);
                }
            }
            SiteInput::ValuesChosen(uid, number, values) => draft.rule_mut(uid, number)?.values = values,
            SiteInput::Saved(_)
            | SiteInput::Discarded
            | SiteInput::MineKept
            | SiteInput::TheirsTaken
            | SiteInput::Recalled(_)
            | SiteInput::AnswersFiltered(_)
            | SiteInput::MoreWanted => {}
        }
        None
    }

    /// Returns the language whose translations are shown.
    pub fn shown_language(&self) -> Option<&str> {
        let languages = &self.edited.form.draft.languages;
        languages.iter().find(|it| **it == self.language).or(languages.first()).map(String::as_str)
    }
}

impl MovedBy {
    /// Returns the part of the field's row that gets the focus.
    const fn part(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Position => "position",
            Self::Drag => "title",
        }
    }
}

impl SiteDraft {
    /// Returns a rule about the field before this one that has an answer.
    fn new_rule(&self, uid: u32) -> RuleDraft {
        let before = self.position(uid).unwrap_or_default();
        let earlier = self.fields.iter().take(before).rev();
        let field = earlier.into_iter().find(|it| it.kind != LinkSiteFieldType::Statement);
        RuleDraft {
            field: field.map(|it| it.uid).unwrap_or_default(),
            operator: ConditionOperator::Equals,
            values: Vec::new(),
        }
    }

    fn rule_mut(&mut self, uid: u32, number: usize) -> Option<&mut RuleDraft> {
        self.field_mut(uid)?.condition.as_mut()?.rules.get_mut(number)
    }
}
