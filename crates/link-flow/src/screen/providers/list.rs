//! Selects, sorts and draws the providers.

use link_types::id::ProviderId;
use link_types::provider::{ProviderSummary, ProviderType};

use crate::call::Trouble;
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::mark::mark;
use crate::screen::parts::{ACCOUNTS, UPLOAD, retry, trouble_notice};
use crate::view::Text;
use crate::view::block::{Block, Choice, ChoiceKind, ChoiceList, Severity, Tab};
use crate::view::build::{about, action, heading, notice, remark, row, rows};

/// Whether the tenant's page offers the provider.
pub(super) fn is_offered(provider: &ProviderSummary, context: &Context) -> bool {
    context.preferences.providers.as_ref().is_none_or(|only| only.contains(&provider.id))
}

/// Announces how many providers match.
pub(super) fn announce_matches(context: &Context) -> Text {
    let count = u32::try_from(context.provider_list.count()).unwrap_or(u32::MAX);
    Text::with(Message::ProvidersFound, vec![count.into()])
}

/// Returns the blocks while the list, or the chosen provider, takes longer than usual.
pub(super) fn slow(context: &Context) -> Vec<Block> {
    let mut blocks = blocks(None, None, context);
    blocks.retain(|block| !matches!(block, Block::Skeleton { .. } | Block::Actions { .. }));
    blocks.push(notice(Severity::Info, Some(Message::SlowTitle.into()), Message::SlowText.into()));
    blocks.push(Block::Actions {
        primary: action(Message::ActionRetry, Press::Retry),
        secondary: Some(action(Message::ActionClose, Press::Leave)),
    });
    blocks
}

/// Returns the page's blocks.
pub(super) fn blocks(
    trouble: Option<Trouble>,
    opening: Option<&ProviderId>,
    context: &Context,
) -> Vec<Block> {
    let mut blocks = vec![heading(Message::ProvidersTitle.into())];
    let retry = trouble.map(|trouble| Block::Actions { primary: retry(trouble), secondary: None });
    let Some(providers) = &context.provider_list.providers else {
        match trouble {
            Some(trouble) => {
                blocks.push(trouble_notice(trouble, None));
                blocks.extend(retry);
            }
            None => blocks.push(Block::Skeleton { rows: 5 }),
        }
        return blocks;
    };
    if providers.is_empty() {
        let text = about(Message::ProvidersNoneText, context.company());
        blocks.push(notice(Severity::Info, Some(Message::ProvidersNoneTitle.into()), text));
        blocks.push(elsewhere(context, false, false));
        let close = action(Message::ActionClose, Press::Leave);
        blocks.push(Block::Actions { primary: close, secondary: None });
        return blocks;
    }
    blocks.push(remark(Message::ProvidersIntro.into()));
    if context.preferences.search_bar {
        blocks.push(search_box(context));
    }
    blocks.extend(tabs(providers, context));
    blocks.extend(trouble.map(|trouble| trouble_notice(trouble, None)));
    if context.provider_list.count() == 0 {
        let text = Message::ProvidersEmptyText.into();
        blocks.push(notice(Severity::Info, Some(Message::ProvidersEmptyTitle.into()), text));
        blocks.push(elsewhere(context, opening.is_some(), false));
        let show_all = action(Message::ProvidersShowAll, Press::ClearSearch);
        blocks.push(Block::Actions { primary: show_all, secondary: None });
        return blocks;
    }
    blocks.extend(lists(opening, context));
    blocks.push(elsewhere(context, opening.is_some(), context.provider_list.has_more()));
    blocks.extend(retry);
    blocks
}

fn search_box(context: &Context) -> Block {
    let value = context.provider_list.query.clone();
    Block::Search {
        label: Message::ProvidersSearch.into(),
        placeholder: Message::ProvidersSearchPlaceholder.into(),
        clear: (!value.is_blank()).then(|| Message::ProvidersSearchClear.into()),
        value,
    }
}

/// Builds a tab for each provider type; `None` if there is only one type.
fn tabs(providers: &[ProviderSummary], context: &Context) -> Option<Block> {
    let has = |kind: ProviderType| providers.iter().any(|provider| provider.provider_type == kind);
    let kinds: Vec<ProviderType> = ProviderType::ALL.iter().copied().filter(|kind| has(*kind)).collect();
    if !context.preferences.type_bar || kinds.len() < 2 {
        return None;
    }
    let chosen = context.provider_list.tab;
    let all = Tab { id: String::new(), label: Message::ProvidersTabAll.into(), selected: chosen.is_none() };
    let of_kind = |kind: ProviderType| Tab {
        id: kind.as_str().to_owned(),
        label: tab_label(kind).into(),
        selected: chosen == Some(kind),
    };
    let tabs = core::iter::once(all).chain(kinds.into_iter().map(of_kind)).collect();
    Some(Block::Tabs { label: Message::ProvidersTabs.into(), tabs })
}

/// Builds two lists, the most used and the others; or a single list of search results.
fn lists(opening: Option<&ProviderId>, context: &Context) -> Vec<Block> {
    let rows = |providers: Vec<&ProviderSummary>| -> Vec<Choice> {
        providers.into_iter().map(|provider| provider_row(provider, opening)).collect()
    };
    let list = |label: Message, label_visible, choices| {
        let kind = ChoiceKind::Rows;
        Block::Choices(ChoiceList {
            label: label.into(),
            label_visible,
            kind,
            choices,
            disabled: opening.is_some(),
        })
    };
    if !context.provider_list.query.is_blank() || context.provider_list.tab.is_some() {
        return vec![list(
            Message::ProvidersListFound,
            false,
            rows(context.provider_list.shown_providers().collect()),
        )];
    }
    // The most used ones may come after the first rows.
    let all = context.provider_list.providers.as_deref().unwrap_or_default();
    let find = |id: &ProviderId| all.iter().find(|provider| provider.id == *id);
    let top: Vec<&ProviderSummary> = context.top_providers().iter().filter_map(find).collect();
    let others: Vec<&ProviderSummary> = context
        .provider_list
        .shown_providers()
        .filter(|provider| top.iter().all(|it| it.id != provider.id))
        .collect();
    let mut lists = Vec::new();
    let both = !top.is_empty() && !others.is_empty();
    if !top.is_empty() {
        lists.push(list(Message::ProvidersListTop, both, rows(top)));
    }
    if !others.is_empty() {
        lists.push(list(Message::ProvidersListAll, both, rows(others)));
    }
    lists
}

fn provider_row(provider: &ProviderSummary, opening: Option<&ProviderId>) -> Choice {
    let detail = if provider.enabled { kind_label(provider.provider_type) } else { Message::ProviderAway };
    Choice {
        detail: Some(detail.into()),
        mark: Some(mark(&provider.name, provider.logo_url.as_deref())),
        disabled: !provider.enabled,
        busy: opening == Some(&provider.id),
        ..crate::view::build::row(provider.id.as_str(), Text::Verbatim(provider.name.clone()))
    }
}

fn tab_label(kind: ProviderType) -> Message {
    match kind {
        ProviderType::Government => Message::ProvidersTabGovernment,
        ProviderType::Employer => Message::ProvidersTabEmployer,
        ProviderType::Gig => Message::ProvidersTabGig,
        ProviderType::Payroll => Message::ProvidersTabPayroll,
    }
}

/// Returns a provider type in words.
pub(super) fn kind_label(kind: ProviderType) -> Message {
    match kind {
        ProviderType::Government => Message::ProvidersKindGovernment,
        ProviderType::Employer => Message::ProvidersKindEmployer,
        ProviderType::Gig => Message::ProvidersKindGig,
        ProviderType::Payroll => Message::ProvidersKindPayroll,
    }
}

/// Id of the row that shows more providers.
pub(super) const MORE: &str = "/more";

/// Id of the row that leads to the survey.
pub(super) const SURVEY: &str = "/survey";

/// Builds the rows at the end of the list.
fn elsewhere(context: &Context, is_off: bool, has_more: bool) -> Block {
    let mut choices = Vec::new();
    if has_more {
        choices.push(row(MORE, Message::ProvidersMore.into()));
    }
    choices.push(row(SURVEY, Message::ProvidersMissing.into()));
    if context.may_upload() {
        choices.push(row(UPLOAD, Message::ActionUpload.into()));
    }
    if context.has_linked() {
        choices.push(row(ACCOUNTS, Message::AccountsTitle.into()));
    }
    rows(choices, is_off)
}
