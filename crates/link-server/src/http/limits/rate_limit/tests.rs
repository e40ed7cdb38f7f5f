//! Tests of the rate limits.

use link_types::Mode;

use super::*;

fn rate(per_second: u32, burst: u32) -> Rate {
    Rate { per_second: per_second.try_into().unwrap(), burst: burst.try_into().unwrap() }
}

fn owner(tenant: &str, mode: Mode) -> Owner {
    Owner { tenant: tenant.parse().unwrap(), mode }
}

#[test]
fn callers_of_tenant_share_its_rate() {
    let limits = RateLimits::new(rate(1, 3), rate(1, 10));
    let count = |owner: &Owner, traffic, caller: u32| {
        limits.count_of(owner, traffic, caller).map_err(|it| HeaderMap::from_iter(it.headers()))
    };
    let (flood, honest) = (owner("flood", Mode::Sandbox), owner("honest", Mode::Sandbox));
    let requests = (0..300).map(|number| count(&flood, Traffic::Servers, number / 3));
    let (accepted, refused): (Vec<_>, Vec<_>) = requests.partition(Result::is_ok);
    // Each second that passes during the test admits one more request.
    assert!((10..30).contains(&accepted.len()), "{}", accepted.len());
    let headers = refused[0].as_ref().unwrap_err();
    assert_eq!(headers["ratelimit-policy"], "\"tenant\";q=10;w=10");
    assert!(headers.contains_key("retry-after"));
    assert!(count(&flood, Traffic::People, 1_000).is_ok(), "end users have a separate limit");
    assert!(count(&owner("flood", Mode::Production), Traffic::Servers, 1_001).is_ok());
    assert!(count(&honest, Traffic::Servers, 1_002).is_ok());
}

#[test]
fn checking_refusals_does_not_count_them() {
    let limits = RateLimits::new(rate(1, 3), rate(1, 10));
    for _ in 0..100 {
        assert!(limits.check_refusals(&[1; 16]).is_ok());
    }
    while limits.count_refusal(&[1; 16]).is_ok() {}
    assert!(limits.check_refusals(&[1; 16]).is_err());
    assert!(limits.check_refusals(&[2; 16]).is_ok(), "another network");
}

#[test]
fn caller_over_its_limit_does_not_use_tenant_limit() {
    let limits = RateLimits::new(rate(1, 3), rate(1, 10));
    let owner = owner("one", Mode::Sandbox);
    for _ in 0..100 {
        let _ = limits.count_of(&owner, Traffic::People, "loud");
    }
    let others = (0..7).filter(|it| limits.count_of(&owner, Traffic::People, it).is_ok());
    assert!(others.count() >= 7 - 1);
}

#[test]
fn burst_limits_each_caller_separately() {
    let limits = RateLimits::new(rate(5, 10), rate(100, 100));
    let headers = |key| limits.count_stranger(&[key; 16]).map(|it| HeaderMap::from_iter(it.headers()));
    let first = headers(1).unwrap();
    assert_eq!(first["ratelimit-limit"], "2");
    assert_eq!(
        (&first["ratelimit-remaining"], &first["ratelimit-reset"]),
        (&"1".parse().unwrap(), &"1".parse().unwrap())
    );
    assert_eq!(first["ratelimit-policy"], "\"caller\";q=2;w=2");
    assert_eq!(first["ratelimit"], "\"caller\";r=1;t=1");
    assert_eq!(headers(1).unwrap()["ratelimit-remaining"], "0");
    assert!(limits.count_stranger(&[1; 16]).is_err());
    assert!(limits.count_stranger(&[2; 16]).is_ok());
}

#[test]
fn network_requests_ten_links_and_ten_codes_at_once() {
    let limits = RateLimits::new(rate(1, 3), rate(1, 10));
    let accepted = (0..100).filter(|_| limits.count_sign_in_link(&[1; 16]).is_ok()).count();
    // Each second that passes during the test admits one more request.
    assert!((10..30).contains(&accepted), "{accepted}");
    assert!(limits.count_sign_in_link(&[2; 16]).is_ok(), "another network");
    let codes = (0..100).filter(|_| limits.count_code(&[1; 16]).is_ok()).count();
    assert!((10..30).contains(&codes), "codes have a separate limit: {codes}");
}

#[test]
fn network_gets_one_more_code_a_minute_after_ten() {
    let limits = RateLimits::new(rate(100, 200), rate(100, 200));
    for _ in 0..10 {
        assert!(limits.count_code(&[1; 16]).is_ok());
    }
    let refused = limits.count_code(&[1; 16]).map(drop).unwrap_err();
    let headers = HeaderMap::from_iter(limits.limiters().codes.remaining_allowance(0).headers());
    assert_eq!(headers["ratelimit-policy"], "\"codes\";q=10;w=600");
    assert!(format!("{refused:?}").contains("retry-after"), "{refused:?}");
    assert!(limits.count_code(&[2; 16]).is_ok(), "another network");
}

/// Returns how many requests of one caller the limits accept in a row.
fn count_accepted(limits: &RateLimits, caller: &str) -> usize {
    let owner = owner("one", Mode::Sandbox);
    (0..1_000).take_while(|_| limits.count_of(&owner, Traffic::Servers, caller).is_ok()).count()
}

#[test]
fn changed_rate_applies_and_keeps_what_callers_used() {
    let most = rate(1, 1_000);
    let limits = RateLimits::new(rate(1, 10), most);
    assert!((10..20).contains(&count_accepted(&limits, "a")), "the old burst");
    limits.change(rate(1, 50), most);
    // Ten of the fifty are used. Each second that passes during the test admits one more request.
    let more = count_accepted(&limits, "a");
    assert!((40..50).contains(&more), "{more}");
    let other = count_accepted(&limits, "b");
    assert!((50..60).contains(&other), "a caller that used nothing: {other}");
    limits.change(rate(1, 20), most);
    assert_eq!(count_accepted(&limits, "a"), 0, "fifty of twenty are used");
    let headers = limits.count_of(&owner("one", Mode::Sandbox), Traffic::Servers, "c").unwrap().headers();
    assert_eq!(HeaderMap::from_iter(headers)["ratelimit-policy"], "\"caller\";q=20;w=20");
}

#[test]
fn changed_rate_refills_at_the_new_speed() {
    let most = rate(1_000, 1_000);
    let limits = RateLimits::new(rate(1, 10), most);
    while limits.count_of(&owner("one", Mode::Sandbox), Traffic::Servers, "a").is_ok() {}
    limits.change(rate(1_000, 10), most);
    link_test_support::wait::blocking::until("the caller gets a request", || {
        count_accepted(&limits, "a") > 0
    });
    limits.change(rate(1, 10), most);
    let used = count_accepted(&limits, "a");
    assert!(used < 10, "the change back fills no allowance: {used}");
}

#[test]
fn waits_end_only_with_a_change_and_entries_stay() {
    let limits = RateLimits::new(rate(1, 10), rate(1, 10));
    while limits.count_refusal(&[1; 16]).is_ok() {}
    assert!(limits.check_refusals(&[1; 16]).is_err());
    limits.change(rate(1, 10), rate(1, 10));
    assert!(limits.check_refusals(&[1; 16]).is_err(), "the rates are the same");
    limits.change(rate(1, 10), rate(1, 20));
    assert!(limits.check_refusals(&[1; 16]).is_ok(), "the wait is computed again");
    assert!(limits.count_refusal(&[1; 16]).is_err(), "and what the network used still counts");
}

#[test]
fn burst_lowered_and_raised_again_returns_nothing() {
    let most = rate(1, 1_000);
    let limits = RateLimits::new(rate(1, 200), most);
    assert!(count_accepted(&limits, "a") >= 200);
    for burst in [1, 100, 1, 200] {
        limits.change(rate(1, burst), most);
    }
    // Each second that passes during the test admits one more request.
    let more = count_accepted(&limits, "a");
    assert!(more < 20, "{more}");
}

#[test]
fn lowered_rate_keeps_no_use_beyond_its_burst_for_longer() {
    let most = rate(1, 1_000);
    let limits = RateLimits::new(rate(1_000, 500), most);
    while limits.count_of(&owner("one", Mode::Sandbox), Traffic::Servers, "a").is_ok() {}
    limits.change(rate(1, 1), most);
    let caller = limits.keys.key((Traffic::Servers, "a"));
    let wait = limits.limiters().callers.count_or_wait(&caller).unwrap_err();
    assert!(wait <= Duration::from_secs(1), "{wait:?}");
}
