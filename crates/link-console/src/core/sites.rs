//! The pages of link sites: the list, the editor with the form, and the answers.

pub mod differences;
pub mod draft;
pub mod editor;
pub mod request;
mod respond;
pub mod spot;
#[cfg(test)]
mod tests;
mod transition;
pub mod wire;

pub(super) use self::transition::drafts_of;

use link_types::form_submission::{
    ConditionJoin, ConditionOperator, Form as FormAnswers, FormStatus, LinkSiteFieldType,
};
use link_types::link_site::{LinkSite, LinkSiteAccess, LinkSiteStatus};
use link_types::template::LinkTemplate;

use self::draft::{FormatKind, SiteDraft, Steps};
use self::editor::{Editor, Preview};
use self::spot::Spot;
use super::edited::Kept;
use super::loaded::Loaded;

/// The state of the pages of link sites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sites {
    /// The link sites of the page's environment, newest first.
    pub list: Loaded<Vec<LinkSite>>,
    /// The link templates to choose from.
    pub templates: Loaded<Vec<LinkTemplate>>,
    /// Where the next page of the list or of the answers begins.
    pub next: Option<String>,
    /// The editor of the page's site.
    pub editor: Loaded<Box<Editor>>,
    /// The filters of the answers.
    pub query: AnswerQuery,
    /// The answers.
    pub answers: Loaded<Vec<FormAnswers>>,
}

impl Sites {
    /// Forgets what was loaded, but not what was typed.
    pub(super) fn forget_lists(&mut self) {
        let query = std::mem::take(&mut self.query);
        let editor = std::mem::take(&mut self.editor);
        *self = Self { query, ..Self::default() };
        if let Loaded::Ready(_) = editor {
            self.editor = editor;
        }
    }
}

/// The filters of a list of answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerQuery {
    /// Whether to list the answers of people who did not submit the form.
    pub is_started: bool,
    /// First day in UTC, as the browser's field has it, or empty.
    pub first_day: String,
    /// Last day.
    pub last_day: String,
    /// The next page.
    pub cursor: Option<String>,
}

impl AnswerQuery {
    /// Returns the query for the answers on a site, without the size of a page.
    pub fn text(&self, site: &str) -> String {
        let status = if self.is_started { FormStatus::Started } else { FormStatus::Submitted };
        let mut query = format!("?linkSiteId={site}&status={status}");
        let fields = [("startDate", &self.first_day), ("endDate", &self.last_day)];
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
            query.push_str(&format!("&{name}={value}"));
        }
        if let Some(cursor) = &self.cursor {
            query.push_str(&format!("&cursor={cursor}"));
        }
        query
    }
}

/// Something that happened on one of the pages of link sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteInput {
    /// A text changed.
    Typed(Spot, String),
    /// The people who can open the site were chosen.
    AccessChosen(LinkSiteAccess),
    /// The steps were chosen.
    StepsChosen(Steps),
    /// Whether the address may have the reference.
    ReferencePrefilled(bool),
    /// A language for translations was added.
    LanguageAdded(String),
    /// A language for translations was removed.
    LanguageRemoved(String),
    /// The language whose translations are shown was chosen.
    LanguageOpened(String),
    /// A translation into the language that is shown changed: the text, and the translation.
    Translated(String, String),
    /// The member adds a field.
    FieldAdded(LinkSiteFieldType),
    /// The member opens or closes a field.
    FieldToggled(u32),
    /// The member copies a field.
    FieldCopied(u32),
    /// The member removes a field.
    FieldRemoved(u32),
    /// The member moves a field to a place, from 0. The way decides where the focus goes.
    FieldMoved(u32, usize, MovedBy),
    /// The member takes the last move or removal back.
    Undone,
    /// The type of a field was chosen.
    KindChosen(u32, LinkSiteFieldType),
    /// Whether an answer is required.
    RequiredChosen(u32, bool),
    /// Whether the address may have the value.
    PrefilledChosen(u32, bool),
    /// The format was chosen.
    FormatChosen(u32, FormatKind),
    /// Whether the field has a condition.
    ConditionChosen(u32, bool),
    /// How the rules are joined.
    JoinChosen(u32, ConditionJoin),
    /// The member adds a rule.
    RuleAdded(u32),
    /// The member removes a rule.
    RuleRemoved(u32, usize),
    /// The other field of a rule was chosen.
    RuleFieldChosen(u32, usize, u32),
    /// The comparison of a rule was chosen.
    OperatorChosen(u32, usize, ConditionOperator),
    /// The values of a rule changed.
    ValuesChosen(u32, usize, Vec<String>),
    /// The member saves the draft, with another status if there is one.
    Saved(Option<LinkSiteStatus>),
    /// The member wants the site as the service has it.
    Discarded,
    /// The member saves what they have, over what another member saved.
    MineKept,
    /// The member takes what another member saved.
    TheirsTaken,
    /// The member wants to see a fault: its path.
    FaultOpened(String),
    /// The page of the preview, or how it is shown, was chosen.
    PreviewChosen(Preview),
    /// The browser has a draft, or has none.
    Recalled(Option<Box<Kept<SiteDraft>>>),
    /// The filters of the answers changed.
    AnswersFiltered(AnswerQuery),
    /// The member wants the next page of the list or of the answers.
    MoreWanted,
}

/// The way in which a field is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovedBy {
    /// With the button that moves it up.
    Up,
    /// With the button that moves it down.
    Down,
    /// With the field that has its position.
    Position,
    /// By dragging it.
    Drag,
}
