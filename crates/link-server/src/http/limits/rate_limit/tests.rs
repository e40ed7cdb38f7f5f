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
fn network_requests_ten_sign_in_links_at_once() {
    let limits = RateLimits::new(rate(1, 3), rate(1, 10));
    let accepted = (0..100).filter(|_| limits.count_sign_in_link(&[1; 16]).is_ok()).count();
    // Each second that passes during the test admits one more request.
    assert!((10..30).contains(&accepted), "{accepted}");
    assert!(limits.count_sign_in_link(&[2; 16]).is_ok(), "another network");
}
