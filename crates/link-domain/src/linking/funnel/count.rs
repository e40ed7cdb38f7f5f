//! Counts of a batch of UI events.

use std::collections::{BTreeMap, BTreeSet};

use link_types::console::funnel::FunnelStep;
use link_types::host::UiEventName;
use link_types::id::{AccountId, ProviderId};
use link_types::provider::Provider;
use link_types::uploading::UiEventRecord;
use link_types::{Date, LinkErrorCode};

use super::{CountedOpening, FunnelKey, MAX_COUNTED};
use crate::linking::account::{Account, AccountState, LinkStep};

/// Facts about an opening and its events from which the funnel is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningView {
    opening: CountedOpening,
    provider: Option<ProviderId>,
    accounts: BTreeMap<AccountId, (ProviderId, Option<LinkErrorCode>)>,
    is_phone: bool,
}

/// Returns the code of the last login, if it failed.
fn error_of(account: &Account) -> Option<LinkErrorCode> {
    let link = match &account.state {
        AccountState::Linking(link) => Some(link),
        AccountState::Connected(connection) => connection.relink.as_ref(),
        AccountState::Disconnected(_) => None,
    };
    match link.map(|it| &it.step) {
        Some(LinkStep::Failed(failure)) => Some(failure.code),
        Some(LinkStep::Working { .. } | LinkStep::Challenged { .. }) | None => None,
    }
}

impl OpeningView {
    /// Creates the view of an opening on a computer. `named` is the provider of the attempt, which the widget names: it does
    /// not count if it is not one of the environment's `providers`. The accounts are those of the events.
    pub fn new(
        opening: CountedOpening,
        named: Option<ProviderId>,
        accounts: &[Account],
        providers: &[Provider],
    ) -> Self {
        let provider = named.filter(|id| providers.iter().any(|it| it.id == *id));
        let accounts = accounts.iter().map(|it| (it.id.clone(), (it.provider_id.clone(), error_of(it))));
        Self { opening, provider, accounts: accounts.collect(), is_phone: false }
    }

    /// Returns the view of an opening on the phone of a hand-off. Only documents that it submits are counted: the opening on the
    /// computer shows the other steps.
    pub fn of_phone(opening: CountedOpening) -> Self {
        Self { opening, is_phone: true, ..Self::default() }
    }

    /// Returns the day on which the steps of the opening count: that of its first one. `today` if it has none yet.
    pub(crate) fn day(&self, today: Date) -> Date {
        self.opening.day.unwrap_or(today)
    }

    /// Returns the keys under which the events count, and everything that the opening is counted under then. An opening
    /// counts once for a step, and once for a step at each provider. Each error counts: a person can see several.
    pub(crate) fn count(self, events: &[UiEventRecord]) -> (Vec<FunnelKey>, Vec<FunnelKey>) {
        let Self { opening: CountedOpening { mut counted, last_seq, .. }, provider, accounts, is_phone } =
            self;
        let (before, mut new) = (counted.len(), Vec::new());
        // The code of an account is that of its last error.
        let errors = events.iter().filter(|it| it.seq > last_seq && shows_error(it.event_name));
        let last_errors: BTreeMap<&AccountId, u32> =
            errors.filter_map(|it| Some((it.account_id.as_ref()?, it.seq))).collect();
        let mut seen = BTreeSet::new();
        for event in events.iter().filter(|it| seen.insert(it.seq)) {
            if is_phone {
                let submitted = FunnelKey::of_step(FunnelStep::FilesSubmitted);
                if event.event_name == UiEventName::FilesSubmitted && !counted.contains(&submitted) {
                    counted.push(submitted);
                }
                continue;
            }
            let of_account = event.account_id.as_ref().and_then(|id| accounts.get(id));
            let (provider, error) = match of_account {
                Some((provider, error)) => (Some(provider), *error),
                None => (provider.as_ref(), None),
            };
            for key in keys_of(event.event_name, provider) {
                let has_room = key.provider.is_none() || counted.len() < MAX_COUNTED;
                if has_room && !counted.contains(&key) {
                    counted.push(key);
                }
            }
            // The code is not stored with the opening: of an account, it is only in its encrypted state.
            let is_last = || event.account_id.as_ref().and_then(|id| last_errors.get(id)) == Some(&event.seq);
            if let Some(error) = error.filter(|_| is_last()) {
                let failed = FunnelKey::of_step(FunnelStep::Failed);
                new.push(FunnelKey { provider: provider.cloned(), error: Some(error), ..failed });
            }
        }
        // The same order in every unit, so that two units never wait for each other's counts.
        new.extend_from_slice(counted.get(before..).unwrap_or_default());
        new.sort();
        (new, counted)
    }
}

/// Returns the last step of the path that an event shows, and a step next to the path.
const fn steps_of(event: UiEventName) -> (FunnelStep, Option<FunnelStep>) {
    use UiEventName as Name;
    match event {
        Name::ConsentGiven | Name::ProviderListPageOpened => (FunnelStep::ConsentGiven, None),
        Name::ProviderSelected | Name::LoginOptionsPageOpened | Name::LoginPageOpened => {
            (FunnelStep::ProviderChosen, None)
        }
        Name::LoginSubmitted | Name::ConnectProgressPageOpened | Name::MfaSubmitted => {
            (FunnelStep::LoginSubmitted, None)
        }
        Name::MfaPageOpened => (FunnelStep::LoginSubmitted, Some(FunnelStep::Challenged)),
        Name::ConnectErrorPageOpened => (FunnelStep::LoginSubmitted, Some(FunnelStep::Failed)),
        Name::ConnectSuccessPageOpened => (FunnelStep::Connected, None),
        Name::FilesSubmitted => (FunnelStep::ConsentGiven, Some(FunnelStep::FilesSubmitted)),
        Name::ConsentPageOpened
        | Name::AccountListPageOpened
        | Name::AccountRevokePageOpened
        | Name::EmployerSurveyPageOpened
        | Name::FileTypeListPageOpened
        | Name::FileTypePageOpened
        | Name::ArchiveSuccessPageOpened
        | Name::RevokeArchivePageOpened
        | Name::TokenExpiredPageOpened
        | Name::MfaExtended
        | Name::MfaResent
        | Name::AccountRevoked
        | Name::ArchiveRevoked
        | Name::ArchiveProgressPageOpened
        | Name::ArchiveErrorPageOpened
        | Name::SurveySubmitted
        | Name::HandoffPageOpened
        | Name::LeavePageOpened
        | Name::DataChoicePageOpened
        | Name::HelpOpened => (FunnelStep::Opened, None),
    }
}

fn shows_error(event: UiEventName) -> bool {
    steps_of(event).1 == Some(FunnelStep::Failed)
}

/// Returns what an event counts under. Steps of the path before the last one count too: an opening that continues an attempt
/// begins at a later page.
fn keys_of(event: UiEventName, provider: Option<&ProviderId>) -> Vec<FunnelKey> {
    let (last, aside) = steps_of(event);
    // The choice is stored only after its event, so the provider that is stored with it may be the one before.
    let provider = provider.filter(|_| event != UiEventName::ProviderSelected);
    let mut keys = Vec::new();
    for step in FunnelStep::PATH.iter().copied().filter(|it| *it <= last).chain(aside) {
        keys.push(FunnelKey::of_step(step));
        let has_provider = step >= FunnelStep::ProviderChosen && step != FunnelStep::FilesSubmitted;
        let at_provider =
            |id: &ProviderId| FunnelKey { provider: Some(id.clone()), ..FunnelKey::of_step(step) };
        keys.extend(provider.filter(|_| has_provider).map(at_provider));
    }
    keys
}

#[cfg(test)]
mod tests {
    use link_types::host::UiEventName as Name;

    use super::*;
    use crate::fixture;

    fn events(names: &[Name]) -> Vec<UiEventRecord> {
        let numbered = names.iter().zip(1..);
        numbered
            .map(|(name, seq)| UiEventRecord {
                seq,
                event_name: *name,
                after_ms: 0,
                account_id: None,
                archive_id: None,
            })
            .collect()
    }

    fn view(counted: Vec<FunnelKey>, provider: &str) -> OpeningView {
        let opening = CountedOpening { counted, ..CountedOpening::default() };
        OpeningView { opening, provider: provider.parse().ok(), ..OpeningView::default() }
    }

    fn show_keys(keys: &[FunnelKey]) -> Vec<String> {
        let part = |it: Option<&str>| it.map(|it| format!("/{it}")).unwrap_or_default();
        keys.iter()
            .map(|it| {
                let provider = part(it.provider.as_ref().map(ProviderId::as_str));
                format!("{}{provider}{}", it.step, part(it.error.map(LinkErrorCode::as_str)))
            })
            .collect()
    }

    #[test]
    fn opening_that_goes_back_and_forth_counts_once() {
        let there_and_back =
            events(&[Name::ConsentPageOpened, Name::ConsentGiven, Name::ProviderListPageOpened]);
        let (first, counted) = OpeningView::default().count(&there_and_back);
        assert_eq!(show_keys(&first), ["OPENED", "CONSENT_GIVEN"]);
        let (again, counted) = view(counted, "").count(&there_and_back);
        assert!(again.is_empty(), "{again:?}");
        assert_eq!(show_keys(&counted), ["OPENED", "CONSENT_GIVEN"]);
    }

    #[test]
    fn steps_before_the_first_event_of_an_opening_are_counted() {
        let (new, _) = view(Vec::new(), "a").count(&events(&[Name::LoginPageOpened]));
        assert_eq!(show_keys(&new), ["OPENED", "CONSENT_GIVEN", "PROVIDER_CHOSEN", "PROVIDER_CHOSEN/a"]);
    }

    #[test]
    fn second_provider_of_an_opening_is_counted_but_not_the_step() {
        let login = events(&[Name::ProviderSelected, Name::LoginPageOpened]);
        let (_, counted) = view(Vec::new(), "a").count(&login);
        let (new, _) = view(counted, "b").count(&login);
        assert_eq!(show_keys(&new), ["PROVIDER_CHOSEN/b"]);
    }

    #[test]
    fn choice_counts_for_the_provider_only_once_it_is_stored() {
        let (new, _) = view(Vec::new(), "before").count(&events(&[Name::ProviderSelected]));
        assert_eq!(show_keys(&new), ["OPENED", "CONSENT_GIVEN", "PROVIDER_CHOSEN"]);
    }

    #[test]
    fn error_counts_by_provider_and_code_of_its_account() {
        let id = AccountId::from_bytes([7; 16]);
        let known = ("b".parse().unwrap(), Some(LinkErrorCode::InvalidCredentials));
        let seen = OpeningView { accounts: BTreeMap::from([(id.clone(), known)]), ..view(Vec::new(), "a") };
        let mut failed = events(&[Name::ConnectErrorPageOpened]);
        failed[0].account_id = Some(id);
        let (new, counted) = seen.clone().count(&failed);
        let errors: Vec<_> = show_keys(&new).into_iter().filter(|it| it.starts_with("FAILED")).collect();
        assert_eq!(errors, ["FAILED", "FAILED/b", "FAILED/b/INVALID_CREDENTIALS"]);
        assert!(show_keys(&new).contains(&"LOGIN_SUBMITTED/b".to_owned()));
        assert!(counted.iter().all(|it| it.error.is_none()), "codes are not stored with the opening");
        let of_batch = |last_seq| {
            let opening = CountedOpening { counted: counted.clone(), last_seq, ..CountedOpening::default() };
            show_keys(&OpeningView { opening, ..seen.clone() }.count(&failed).0)
        };
        assert!(of_batch(1).is_empty(), "a batch that arrives again");
        assert_eq!(of_batch(0), ["FAILED/b/INVALID_CREDENTIALS"]);
        let twice = [failed.clone(), failed.clone()].concat();
        let opening = CountedOpening { counted: counted.clone(), ..CountedOpening::default() };
        let (new, _) = OpeningView { opening, ..seen.clone() }.count(&twice);
        assert_eq!(show_keys(&new), ["FAILED/b/INVALID_CREDENTIALS"], "an event is one");
        let again = UiEventRecord { seq: 2, ..failed[0].clone() };
        let opening = CountedOpening { counted: counted.clone(), ..CountedOpening::default() };
        let (new, _) = OpeningView { opening, ..seen.clone() }.count(&[failed[0].clone(), again]);
        assert_eq!(show_keys(&new), ["FAILED/b/INVALID_CREDENTIALS"], "the code is that of the last error");
    }

    #[test]
    fn upload_counts_next_to_the_path() {
        let (new, _) = view(Vec::new(), "a").count(&events(&[Name::FilesSubmitted]));
        assert_eq!(show_keys(&new), ["OPENED", "CONSENT_GIVEN", "FILES_SUBMITTED"]);
    }

    #[test]
    fn phone_of_a_hand_off_counts_only_documents() {
        let phone = || OpeningView::of_phone(CountedOpening::default());
        assert!(phone().count(&events(&[Name::LoginSubmitted])).0.is_empty());
        let (new, counted) = phone().count(&events(&[Name::FilesSubmitted]));
        assert_eq!(show_keys(&new), ["FILES_SUBMITTED"]);
        let again = OpeningView::of_phone(CountedOpening { counted, ..CountedOpening::default() });
        assert!(again.count(&events(&[Name::FilesSubmitted])).0.is_empty());
    }

    #[test]
    fn provider_that_the_environment_does_not_have_is_not_counted() {
        let (account, _) = fixture::begin_account(&mut fixture::context());
        let of = |providers: &[Provider]| {
            OpeningView::new(CountedOpening::default(), None, std::slice::from_ref(&account), providers)
        };
        assert_eq!(of(&[]).accounts.len(), 1, "an account is at a provider that the service had");
        let named = |providers: &[Provider]| {
            OpeningView::new(CountedOpening::default(), Some(fixture::provider_id()), &[], providers).provider
        };
        assert_eq!(named(&[fixture::provider()]), Some(fixture::provider_id()));
        assert_eq!(named(&[]), None);
    }

    #[test]
    fn keys_of_an_opening_are_bounded() {
        let mut counted = Vec::new();
        for number in 0..200 {
            let view = view(counted, &format!("p{number}"));
            counted = view.count(&events(&[Name::LoginPageOpened])).1;
        }
        assert_eq!(counted.len(), MAX_COUNTED);
        let (new, _) = view(counted, "p200").count(&events(&[Name::ConnectSuccessPageOpened]));
        assert_eq!(show_keys(&new), ["LOGIN_SUBMITTED", "CONNECTED"], "the path is counted all the same");
    }
}
