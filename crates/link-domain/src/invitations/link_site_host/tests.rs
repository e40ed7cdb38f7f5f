use link_types::Mode;
use rstest::rstest;

use super::*;
use crate::change::Deletion;
use crate::fixture;
use crate::kernel::context::Context;

fn reserve() -> ReservedHosts {
    let own = ["link.service.example", "hosted.service.example"].map(str::to_owned).to_vec();
    ReservedHosts { target: "sites.service.example".into(), own }
}

fn add(host: &str, existing: &[LinkSiteHost]) -> Result<LinkSiteHost, HostError> {
    let mut context = fixture::context();
    LinkSiteHost::create(fixture::owner(), host, &reserve(), existing, &mut context).map(|(added, _)| added)
}

fn prove(host: LinkSiteHost) -> LinkSiteHost {
    LinkSiteHost { proven_at: Some(fixture::context().now().wall()), ..host }
}

fn other_environment(host: LinkSiteHost) -> LinkSiteHost {
    let mode = match host.owner.mode {
        Mode::Sandbox => Mode::Production,
        Mode::Production => Mode::Sandbox,
    };
    LinkSiteHost { owner: Owner { mode, ..host.owner }, ..host }
}

#[rstest]
#[case::upper_case("Apply.Shop.Example", Ok("apply.shop.example"))]
#[case::international("münchen.example", Ok("xn--mnchen-3ya.example"))]
#[case::one_label("shop", Err(HostError::Host))]
#[case::url("https://apply.shop.example", Err(HostError::Host))]
#[case::port("apply.shop.example:8443", Err(HostError::Host))]
#[case::wildcard("*.shop.example", Err(HostError::Host))]
#[case::ipv4("192.0.2.7", Err(HostError::Host))]
#[case::ipv4_as_a_number("3221225991", Err(HostError::Host))]
#[case::ipv6("[2001:db8::1]", Err(HostError::Host))]
#[case::of_the_service("HOSTED.service.example", Err(HostError::OfService))]
#[case::target("sites.service.example", Err(HostError::OfService))]
#[case::below_the_target("shop.sites.service.example", Err(HostError::OfService))]
#[case::end_of_the_target("mysites.service.example", Ok("mysites.service.example"))]
fn own_host_is_an_exact_name_of_the_tenant(#[case] text: &str, #[case] expected: Result<&str, HostError>) {
    assert_eq!(add(text, &[]).map(|it| it.host), expected.map(str::to_owned));
}

#[test]
fn hosts_are_limited_and_belong_to_one_environment() {
    let mut hosts = Vec::new();
    for number in 0..HOSTS_LIMIT {
        hosts.push(add(&format!("h{number}.example"), &hosts).unwrap());
    }
    assert_eq!(add("H1.example", &hosts), Err(HostError::Exists));
    assert_eq!(add("more.example", &hosts), Err(HostError::Limit));
    let elsewhere: Vec<LinkSiteHost> = hosts.into_iter().map(other_environment).collect();
    assert!(
        add("h1.example", &elsewhere).is_ok(),
        "hosts of the other environment that are not proven do not count"
    );
    let proven = [prove(other_environment(add("apply.example", &[]).unwrap()))];
    assert_eq!(add("apply.example", &proven), Err(HostError::InOtherEnvironment));
    let earlier = add("apply.example", &[]).unwrap();
    let texts = [earlier.record_text()];
    let refused = earlier.prove(&texts, &proven, &mut fixture::context());
    assert_eq!(refused.unwrap_err(), HostError::InOtherEnvironment, "it was added before");
}

#[test]
fn host_is_proven_by_its_own_token_and_lost_by_others() {
    let added = add("apply.shop.example", &[]).unwrap();
    assert_eq!(added.record_name(), "_linchpin-site.apply.shop.example");
    let clock = ClockOffset::from_micros(3_600_000_000);
    let target = Some("sites.service.example");
    assert_eq!(added.clone().view(target, clock).status, LinkSiteHostStatus::Pending);
    let mut context: Context = fixture::context();
    let now = context.now().wall();
    let sign_in = added.record_text().replace("site", "sign-in");
    assert_eq!(added.clone().prove(&[sign_in], &[], &mut context), Err(HostError::NotFound));
    let (proven, change) = added.clone().prove(&[added.record_text()], &[], &mut context).unwrap();
    assert_eq!(proven.proven_at, Some(now));
    let [Deletion::SameHostOfOthers { id, host, token }] = change.deletions.as_slice() else {
        panic!("{change:?}");
    };
    assert_eq!((id, host.as_str(), token.len()), (&added.id, "apply.shop.example", 32));
    assert_ne!(*token, added.token);
    let view = proven.clone().view(target, clock);
    assert_eq!((view.status, view.cname_target.as_deref()), (LinkSiteHostStatus::Proven, target));
    assert_eq!(view.proven_at, Some(TenantTime::from_micros(now.micros() + clock.micros()).into()));
    assert_eq!(proven.view(None, clock).cname_target, None, "the service does not offer own hosts now");
}

#[test]
fn host_of_link_sites_is_not_deleted() {
    let added = add("apply.shop.example", &[]).unwrap();
    let site = LinkSiteId::from_bytes([7; 16]);
    let refused = added.clone().delete(vec![site.clone()]).unwrap_err();
    assert!(refused.to_string().contains(site.as_str()), "{refused}");
    assert_eq!(added.clone().delete(Vec::new()).unwrap().deletions, [Deletion::LinkSiteHost(added.id)]);
}

#[rstest]
#[case::default_port("https://hosted.example", "https://apply.shop.example")]
#[case::other_port("http://127.0.0.1:8787", "http://apply.shop.example:8787")]
#[case::ipv6("http://[::1]:8787", "http://apply.shop.example:8787")]
#[case::ipv6_without_port("http://[::1]", "http://apply.shop.example")]
fn own_host_has_scheme_and_port_of_hosted_pages(#[case] hosted: &str, #[case] expected: &str) {
    let urls = SiteUrls::new(hosted, true);
    assert_eq!(urls.origin("apply.shop.example"), expected);
    assert_eq!(urls.host_in(expected), Some("apply.shop.example"));
    assert_eq!(urls.address("loans", Some("apply.shop.example")), format!("{expected}/s/loans"));
    assert_eq!(urls.address("loans", None), format!("{hosted}/s/loans"));
    let without = SiteUrls::new(hosted, false);
    assert_eq!(without.address("loans", Some("apply.shop.example")), format!("{hosted}/s/loans"));
}

#[rstest]
#[case::scheme("http://apply.shop.example")]
#[case::port("https://apply.shop.example:8443")]
#[case::user("https://x@apply.shop.example")]
#[case::path("https://apply.shop.example/s")]
#[case::empty("https://")]
fn other_origin_is_not_of_an_own_host(#[case] origin: &str) {
    assert_eq!(SiteUrls::new("https://hosted.example", true).host_in(origin), None);
}
