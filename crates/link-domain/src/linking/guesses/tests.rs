//! Counters and the waits that result from them.

use rstest::rstest;

use super::*;
use crate::fixture;

const NOW: Wall = Wall::from_micros(1_000_000_000_000_000);
const KEY: [u8; 32] = [1; 32];
const DAY: u64 = 86_400;

fn counter(limit: GuessLimit) -> GuessCounter {
    GuessCounter { limit, hash: Digest32::from_text(limit.as_str()) }
}

fn count(limit: GuessLimit, failures: u32, successes: u32, seconds_ago: u64) -> GuessCount {
    let at = NOW - Duration::from_secs(seconds_ago);
    let none = GuessCount::none(fixture::owner(), counter(limit));
    GuessCount { failures, successes, since: at, last_at: at, ..none }
}

fn tries(counts: Vec<GuessCount>) -> Tries {
    Tries { counts, guessing: Guessing::Limited, ..fixture::tries() }
}

fn refusal(tries: &Tries) -> Option<(GuessLimit, u64)> {
    tries.check(NOW).err().map(|it| (it.limit, it.wait.as_secs()))
}

#[rstest]
#[case::login_free(GuessLimit::Login, 9, 0, 0, None)]
#[case::login_over(GuessLimit::Login, 10, 0, 0, Some(30))]
#[case::login_doubles(GuessLimit::Login, 12, 0, 0, Some(120))]
#[case::login_longest(GuessLimit::Login, 4_000_000_000, 0, 0, Some(3_600))]
#[case::login_wait_partly_over(GuessLimit::Login, 10, 0, 20, Some(10))]
#[case::login_wait_over(GuessLimit::Login, 10, 0, 30, None)]
#[case::login_forgotten(GuessLimit::Login, 99, 0, DAY, None)]
#[case::session_free(GuessLimit::Session, 19, 0, 60, None)]
#[case::session_over(GuessLimit::Session, 20, 0, 60, Some(3_540))]
#[case::session_window_over(GuessLimit::Session, 20, 0, 3_600, None)]
#[case::network_free(GuessLimit::Network, 99, 0, 60, None)]
#[case::network_over(GuessLimit::Network, 100, 0, 60, Some(3_540))]
#[case::network_window_over(GuessLimit::Network, 5_000, 0, 3_600, None)]
#[case::provider_few_failures(GuessLimit::Provider, 299, 0, 0, None)]
#[case::provider_mostly_fails(GuessLimit::Provider, 300, 100, 0, Some(10))]
#[case::provider_mostly_succeeds(GuessLimit::Provider, 300, 101, 0, None)]
#[case::provider_paced(GuessLimit::Provider, 300, 0, 10, None)]
fn counter_accepts_or_delays_the_next_try(
    #[case] limit: GuessLimit,
    #[case] failures: u32,
    #[case] successes: u32,
    #[case] seconds_ago: u64,
    #[case] wait: Option<u64>,
) {
    let tries = tries(vec![count(limit, failures, successes, seconds_ago)]);
    assert_eq!(refusal(&tries), wait.map(|it| (limit, it)));
}

#[rstest]
#[case::few(9, Guessing::Limited, 0, None)]
#[case::too_many(10, Guessing::Limited, 0, Some(DAY - 600))]
#[case::tried_before(10, Guessing::Limited, 1, None)]
#[case::published(99, Guessing::Published, 0, None)]
#[case::shown(1, Guessing::Shown(GuessLimit::User), 0, Some(DAY - 600))]
fn eleventh_failed_login_of_a_user_in_a_day_is_rejected(
    #[case] others: u32,
    #[case] guessing: Guessing,
    #[case] own_failures: u32,
    #[case] wait: Option<u64>,
) {
    let oldest = Some(NOW - Duration::from_secs(600));
    let own = LoginTries { failures: own_failures, ..fixture::tries().own };
    let others = OtherLogins { count: others, oldest };
    let tries = Tries { own, others, guessing, ..tries(Vec::new()) };
    assert_eq!(refusal(&tries), wait.map(|it| (GuessLimit::User, it)));
}

#[test]
fn concurrent_later_try_does_not_delay_a_free_one() {
    for limit in GuessLimit::ALL {
        let later = GuessCount { last_at: NOW + Duration::from_millis(1), ..count(*limit, 1, 0, 0) };
        assert_eq!(tries(vec![later]).check(NOW), Ok(()), "{limit:?}");
    }
}

#[test]
fn longest_wait_of_all_limits_is_reported() {
    let counts = vec![count(GuessLimit::Login, 10, 0, 0), count(GuessLimit::Network, 100, 0, 600)];
    assert_eq!(refusal(&tries(counts)), Some((GuessLimit::Network, 3_000)));
}

#[rstest]
#[case(GuessLimit::Login, None)]
#[case(GuessLimit::Network, None)]
#[case(GuessLimit::Provider, None)]
#[case(GuessLimit::Session, Some((GuessLimit::Session, 3_600)))]
fn strangers_cannot_lock_out_the_owner_of_a_login(
    #[case] limit: GuessLimit,
    #[case] expected: Option<(GuessLimit, u64)>,
) {
    let tries = Tries { is_known: true, ..tries(vec![count(limit, 1_000, 0, 0)]) };
    assert_eq!(refusal(&tries), expected);
}

#[rstest]
#[case(GuessLimit::Login, 30)]
#[case(GuessLimit::Session, 3_600)]
#[case(GuessLimit::Network, 3_600)]
#[case(GuessLimit::Provider, 10)]
fn shown_limit_applies_after_one_failure(#[case] limit: GuessLimit, #[case] wait: u64) {
    let shown = Tries { guessing: Guessing::Shown(limit), ..tries(vec![count(limit, 0, 0, 0)]) };
    assert_eq!(refusal(&shown), None);
    let (failed, _) = shown.begin(NOW);
    assert_eq!(refusal(&failed), Some((limit, wait)));
}

fn all_limits() -> Vec<GuessCount> {
    use GuessLimit::{Login, Network, Provider, Session};
    [Login, Session, Network, Provider].into_iter().map(|it| count(it, 0, 0, 0)).collect()
}

#[test]
fn pending_try_counts_as_failed() {
    let (begun, tried) = tries(all_limits()).begin(NOW);
    assert_eq!(begun.own.failures, 1);
    assert!(begun.counts.iter().all(|it| it.failures == 1 && it.last_at == NOW));
    assert!(tried.pending.is_some());
    assert_eq!(tried.counters.len(), 4);
    assert_eq!(begun.settle(GuessOutcome::Undecided, tried.pending, NOW), None);
}

#[rstest]
#[case::right(GuessOutcome::RightSoFar, 0, 0)]
#[case::connected(GuessOutcome::Connected, 0, 1)]
#[case::trouble(GuessOutcome::NoGuess, 0, 0)]
#[case::wrong(GuessOutcome::WrongGuess, 1, 0)]
fn only_wrong_guesses_stay_counted(
    #[case] outcome: GuessOutcome,
    #[case] failures: u32,
    #[case] successes: u32,
) {
    let (begun, tried) = tries(all_limits()).begin(NOW);
    let settled = begun.clone().settle(outcome, tried.pending, NOW).unwrap_or(begun);
    assert_eq!(settled.own.failures, failures);
    for count in &settled.counts {
        assert_eq!((count.failures, count.successes), (failures, successes), "{count:?}");
    }
}

#[test]
fn settled_right_password_restores_the_wait_before_it() {
    let own = LoginTries { failures: 5, failed_at: NOW - Duration::from_secs(31), ..fixture::tries().own };
    let before = Tries { own, ..tries(Vec::new()) };
    assert_eq!(refusal(&before), None);
    let (begun, tried) = before.clone().begin(NOW);
    assert!(refusal(&begun).is_some(), "a second try cannot run concurrently");
    assert_eq!(begun.settle(GuessOutcome::RightSoFar, tried.pending, NOW), Some(before));
}

#[test]
fn wrong_guess_without_a_submit_is_counted_by_its_outcome() {
    let settled = tries(all_limits()).settle(GuessOutcome::WrongGuess, None, NOW).unwrap();
    assert_eq!(settled.own.failures, 1);
    assert!(settled.counts.iter().all(|it| it.failures == 1));
}

#[test]
fn connecting_reverts_only_the_users_own_failures() {
    let own = LoginTries { failures: 2, failed_at: NOW, ..fixture::tries().own };
    let before = Tries { own, ..tries(vec![count(GuessLimit::Login, 7, 0, 0)]) };
    let (begun, tried) = before.begin(NOW);
    let settled = begun.settle(GuessOutcome::Connected, tried.pending, NOW).unwrap();
    assert_eq!((settled.own.failures, settled.counts[0].failures), (0, 5));
}

fn hashes(guessing: Guessing, login_name: &str, key: [u8; 32]) -> Vec<Digest32> {
    let (provider, session) = (fixture::provider_id(), fixture::session().id);
    let tried = TryOf { provider: &provider, login_name, session: &session, network: &[9; 16] };
    GuessCounter::for_try(tried, guessing, &key).into_iter().map(|it| it.hash).collect()
}

#[test]
fn counter_hashes_are_keyed_and_ignore_login_formatting() {
    let all = hashes(Guessing::Limited, "Ana.Ruiz-1 ", KEY);
    assert_eq!(all.len(), 4);
    assert_eq!(all, hashes(Guessing::Limited, "anaruiz1", KEY));
    let other = hashes(Guessing::Limited, "anaruiz2", KEY);
    assert_eq!((all[0] == other[0], all[1..] == other[1..]), (false, true));
    let rekeyed = hashes(Guessing::Limited, "anaruiz1", [2; 32]);
    assert!(all.iter().zip(&rekeyed).all(|(a, b)| a != b));
}

#[rstest]
#[case::full_width("\u{ff41}\u{ff4e}\u{ff41}ruiz\u{ff11}")]
#[case::accent("an\u{e1}ruiz1")]
#[case::separate_accent("ana\u{301}ruiz1")]
#[case::dotted_capital("ANARU\u{130}Z1")]
#[case::dotless("anaru\u{131}z1")]
#[case::mathematical("\u{1d41a}naruiz\u{1d7cf}")]
#[case::circled("\u{24d0}naruiz\u{2460}")]
#[case::invisible("ana\u{200b}ruiz\u{ad}1")]
fn spellings_of_a_login_share_its_counters(#[case] spelling: &str) {
    assert_eq!(hashes(Guessing::Limited, spelling, KEY), hashes(Guessing::Limited, "anaruiz1", KEY));
}

#[test]
fn demonstration_logins_have_separate_counters() {
    let real = hashes(Guessing::Limited, "guess", KEY);
    assert_eq!(hashes(Guessing::Published, "guess", KEY), []);
    for limit in GuessLimit::ALL {
        let shown = hashes(Guessing::Shown(*limit), "guess", KEY);
        assert!(shown.iter().all(|it| !real.contains(it)), "{limit}");
    }
}
