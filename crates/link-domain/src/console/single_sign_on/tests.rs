//! Tests of the rules: who joins, who is signed in, and what a provider's settings may be.

use std::time::Duration;

use link_types::Sensitive;
use link_types::console::single_sign_on::IdentityProviderDraft;
use link_types::console::{MemberDraft, Role};
use link_types::id::{ConsoleSessionId, MemberId, TenantId};
use rstest::rstest;

use super::*;
use crate::change::{Change, Deletion, Row};
use crate::console::member::{MEMBERS_LIMIT, Member};
use crate::console::session::ConsoleSession;
use crate::console::sign_in::{INVITATION_LIFE, SignInAddress};
use crate::fixture;
use crate::kernel::digest::Digest32;

const KEY: [u8; 32] = [7; 32];
const ISSUER: &str = "https://login.shop.example";

fn tenant() -> TenantId {
    fixture::owner().tenant
}

fn draft() -> IdentityProviderDraft {
    IdentityProviderDraft {
        issuer: ISSUER.into(),
        client_id: "portal".into(),
        client_secret: Some(Sensitive::new("a secret of the provider")),
        role: Role::Viewer,
        is_required: false,
    }
}

fn provider() -> IdentityProvider {
    let now = fixture::context().now().wall();
    IdentityProvider::configure(tenant(), &draft(), None, now).unwrap().0
}

fn claims(email: &str, is_email_verified: bool) -> IdentityClaims {
    IdentityClaims {
        subject: Sensitive::new("248289761001"),
        email: Some(Sensitive::new(email)),
        is_email_verified,
        name: Some(Sensitive::new("Bo Salas")),
        hosted_domain: None,
    }
}

fn member(email: &str, role: Role) -> Member {
    let draft = MemberDraft { email: email.into(), name: "Ana".into(), role };
    Member::invite(tenant(), &draft, &[], &mut fixture::context()).unwrap().0
}

/// Returns the arrival of a person, whose identity is linked to `linked`.
fn arrival<'a>(
    provider: &'a IdentityProvider,
    claims: &'a IdentityClaims,
    linked: Option<&Member>,
) -> Arrival<'a> {
    let hash = subject_hash(&KEY, &tenant(), &provider.issuer, &claims.subject);
    Arrival {
        provider,
        claims,
        subject_hash: hash,
        found: linked.map(|it| identity(it, hash)),
        user_agent: "Firefox/140.0 Linux",
    }
}

fn identity(member: &Member, subject_hash: Digest32) -> Identity {
    Identity {
        member_id: member.id.clone(),
        tenant: tenant(),
        subject_hash,
        created_by: Some(MemberId::from_bytes([9; 16])),
        created_at: fixture::context().now().wall(),
    }
}

fn proven_domains() -> Vec<String> {
    vec!["shop.example".to_owned()]
}

fn rows(change: &Change) -> Vec<&'static str> {
    let name = |row: &Row| {
        if matches!(row, Row::Member(_)) {
            "member"
        } else if matches!(row, Row::Identity(_)) {
            "identity"
        } else {
            assert!(matches!(row, Row::ConsoleSession(_)), "{row:?}");
            "session"
        }
    };
    change.rows.iter().map(name).collect()
}

#[test]
fn verified_address_of_a_proven_domain_joins_once() {
    let (provider, claims) = (provider(), claims("Bo@Shop.Example", true));
    let arrived = arrival(&provider, &claims, None);
    let (joined, change) = arrived.sign_in(&[], &proven_domains(), &mut fixture::context()).unwrap();
    assert_eq!((joined.member.email.expose(), joined.member.name.expose()), ("bo@shop.example", "Bo Salas"));
    assert_eq!((joined.member.role, joined.is_new), (Role::Viewer, true));
    assert_eq!(rows(&change), ["member", "identity", "session"]);
    let again = arrival(&provider, &claims, Some(&joined.member));
    let (found, change) =
        again.sign_in(std::slice::from_ref(&joined.member), &[], &mut fixture::context()).unwrap();
    assert_eq!((found.member, found.is_new), (joined.member, false));
    assert_eq!(rows(&change), ["session"], "even if the domain is not proven any more");
}

#[rstest]
#[case::not_verified("bo@shop.example", false)]
#[case::another_domain("bo@bank.example", true)]
#[case::below_the_domain("bo@mail.shop.example", true)]
#[case::domain_in_the_name("bo@shop.example@bank.example", true)]
#[case::no_address("shop.example", true)]
fn other_address_does_not_join(#[case] email: &str, #[case] is_verified: bool) {
    let (provider, claims) = (provider(), claims(email, is_verified));
    let refused = arrival(&provider, &claims, None).sign_in(&[], &proven_domains(), &mut fixture::context());
    assert_eq!(refused.unwrap_err(), SignOnError::NotMember);
}

#[test]
fn address_alone_never_leads_to_an_existing_member() {
    let owner = member("ana@shop.example", Role::Owner);
    let (provider, claims) = (provider(), claims("Ana@shop.example", true));
    let refused =
        arrival(&provider, &claims, None).sign_in(&[owner], &proven_domains(), &mut fixture::context());
    assert_eq!(refused.unwrap_err(), SignOnError::NotLinked);
}

#[test]
fn full_tenant_admits_no_more_people() {
    let members: Vec<_> =
        (0..MEMBERS_LIMIT).map(|n| member(&format!("m{n}@b.example"), Role::Viewer)).collect();
    let (provider, claims) = (provider(), claims("bo@shop.example", true));
    let refused =
        arrival(&provider, &claims, None).sign_in(&members, &proven_domains(), &mut fixture::context());
    assert_eq!(refused.unwrap_err(), SignOnError::Full);
}

#[test]
fn name_that_does_not_fit_is_replaced_by_the_address() {
    let provider = provider();
    for name in ["", "x\u{7}", &"x".repeat(81)] {
        let claims = IdentityClaims { name: Some(Sensitive::new(name)), ..claims("bo@shop.example", true) };
        let arrived = arrival(&provider, &claims, None);
        let (joined, _) = arrived.sign_in(&[], &proven_domains(), &mut fixture::context()).unwrap();
        assert_eq!(joined.member.name.expose(), "bo", "{name:?}");
    }
}

#[test]
fn session_of_a_provider_is_proven_but_not_confirmed() {
    let (provider, claims) = (provider(), claims("bo@shop.example", true));
    let linked = member("ana@bank.example", Role::Developer);
    let arrived = arrival(&provider, &claims, Some(&linked));
    let (signed_in, _) = arrived.sign_in(&[linked], &[], &mut fixture::context()).unwrap();
    let session = signed_in.session;
    assert!(session.is_by_provider && session.is_proven());
    assert!(!session.is_confirmed(session.created_at), "a passkey confirms acts");
    assert_eq!(session.created_by, Some(MemberId::from_bytes([9; 16])), "it ends with the identity's giver");
    assert_eq!(session.secret_hash, Digest32::from_text(signed_in.secret.expose()));
}

#[test]
fn invitation_is_accepted_with_another_address_at_the_provider() {
    let invited = member("ana@bank.example", Role::Support);
    let giver = Some(MemberId::from_bytes([9; 16]));
    let (address, ..) =
        SignInAddress::create(invited.id.clone(), giver.clone(), INVITATION_LIFE, &mut fixture::context());
    let (provider, claims) = (provider(), claims("bo@shop.example", false));
    let arrived = arrival(&provider, &claims, None);
    let (signed_in, change) =
        arrived.accept(address.clone(), &invited, None, &mut fixture::context()).unwrap();
    assert_eq!((&signed_in.member, &signed_in.session.created_by), (&invited, &giver));
    assert!(signed_in.is_linked);
    assert_eq!(rows(&change), ["identity", "session"]);
    assert_eq!(change.deletions, [Deletion::SignInAddress(invited.id.clone())], "it works once");
    let session = signed_in.session;
    assert!(session.is_by_provider && session.is_confirmed(session.created_at), "the address confirms it");
    let late = arrived.accept(address, &invited, None, &mut fixture::context_after(INVITATION_LIFE));
    assert_eq!(late.unwrap_err(), SignOnError::Invitation);
}

/// A recreated account at the provider has another subject.
#[test]
fn invitation_replaces_the_earlier_identity_of_its_member() {
    let invited = member("ana@bank.example", Role::Support);
    let (address, ..) =
        SignInAddress::create(invited.id.clone(), None, INVITATION_LIFE, &mut fixture::context());
    let (provider, claims) = (provider(), claims("bo@shop.example", false));
    let earlier = identity(&invited, Digest32::from_text("another subject"));
    let arrived = arrival(&provider, &claims, None);
    let (signed_in, change) =
        arrived.accept(address.clone(), &invited, Some(&earlier), &mut fixture::context()).unwrap();
    assert_eq!(rows(&change), ["identity", "session"]);
    let ended =
        Deletion::ProviderSessions { member: invited.id.clone(), except: signed_in.session.id.clone() };
    assert_eq!(change.deletions, [Deletion::SignInAddress(invited.id.clone()), ended]);
    let other = Member { id: MemberId::from_bytes([3; 16]), ..invited.clone() };
    let of_other = arrival(&provider, &claims, Some(&other));
    let refused = of_other.accept(address, &invited, Some(&earlier), &mut fixture::context());
    assert_eq!(refused.unwrap_err(), SignOnError::Taken, "not the identity of another member");
}

#[rstest]
#[case::private_account(None, Err(SignOnError::NotMember))]
#[case::another_organization(Some("bank.example"), Err(SignOnError::NotMember))]
#[case::managed_by_the_domain(Some("Shop.example"), Ok(()))]
fn google_account_joins_only_if_its_organization_manages_it(
    #[case] hosted_domain: Option<&str>,
    #[case] expected: Result<(), SignOnError>,
) {
    let google = IdentityProvider { issuer: "https://accounts.google.com".into(), ..provider() };
    let hosted_domain = hosted_domain.map(str::to_owned);
    let claims = IdentityClaims { hosted_domain, ..claims("bo@shop.example", true) };
    let joined = arrival(&google, &claims, None).sign_in(&[], &proven_domains(), &mut fixture::context());
    assert_eq!(joined.map(drop), expected);
}

#[test]
fn identity_belongs_to_one_member_and_member_has_one() {
    let [ana, other] = ["ana@bank.example", "bo@bank.example"].map(|it| member(it, Role::Support));
    let other = Member { id: MemberId::from_bytes([3; 16]), ..other };
    let (provider, claims) = (provider(), claims("x@shop.example", true));
    let context = fixture::context();
    let of_other = arrival(&provider, &claims, Some(&other));
    assert_eq!(of_other.link(&ana, None, None, &context), Err(SignOnError::Taken));
    let has_another = identity(&ana, Digest32::from_text("another subject"));
    let free = arrival(&provider, &claims, None);
    assert_eq!(free.link(&ana, None, Some(&has_another), &context), Err(SignOnError::Taken));
    assert_eq!(rows(&free.link(&ana, None, None, &context).unwrap()), ["identity"]);
    let own = arrival(&provider, &claims, Some(&ana));
    let linked = own.found.clone();
    assert_eq!(own.link(&ana, None, linked.as_ref(), &context), Ok(Change::default()), "it is linked");
}

#[test]
fn same_subject_of_another_issuer_or_tenant_is_another_identity() {
    let subject = Sensitive::new("248289761001");
    let hash = |tenant: &str, issuer| subject_hash(&KEY, &tenant.parse().unwrap(), issuer, &subject);
    let hashes = [hash("demo", ISSUER), hash("other", ISSUER), hash("demo", "https://login.shop.example/")];
    assert!(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[1] != hashes[2]);
}

#[rstest]
#[case(IdentityProviderDraft { issuer: "login.shop.example".into(), ..draft() }, IdentityProviderError::Issuer)]
#[case(IdentityProviderDraft { issuer: "javascript:alert(1)".into(), ..draft() }, IdentityProviderError::Issuer)]
#[case(IdentityProviderDraft { issuer: format!("{ISSUER}?a=b"), ..draft() }, IdentityProviderError::Issuer)]
#[case(IdentityProviderDraft { issuer: format!("{ISSUER}#a"), ..draft() }, IdentityProviderError::Issuer)]
#[case(IdentityProviderDraft { issuer: "https://a:b@shop.example".into(), ..draft() }, IdentityProviderError::Issuer)]
#[case(IdentityProviderDraft { issuer: format!("{ISSUER}/{}", "x".repeat(255)), ..draft() }, IdentityProviderError::Issuer)]
#[case(IdentityProviderDraft { client_id: String::new(), ..draft() }, IdentityProviderError::ClientId)]
#[case(IdentityProviderDraft { client_id: "a\nb".into(), ..draft() }, IdentityProviderError::ClientId)]
#[case(IdentityProviderDraft { client_secret: Some(Sensitive::new("é")), ..draft() }, IdentityProviderError::ClientSecret)]
#[case(IdentityProviderDraft { client_secret: None, ..draft() }, IdentityProviderError::MissingSecret)]
#[case(IdentityProviderDraft { role: Role::Owner, ..draft() }, IdentityProviderError::Role)]
fn provider_with_a_wrong_field_is_refused(
    #[case] draft: IdentityProviderDraft,
    #[case] expected: IdentityProviderError,
) {
    let now = fixture::context().now().wall();
    assert_eq!(IdentityProvider::configure(tenant(), &draft, None, now), Err(expected));
}

#[test]
fn secret_stays_only_for_the_same_issuer() {
    let (first, now) = (provider(), fixture::context().now().wall());
    let without = IdentityProviderDraft { client_secret: None, role: Role::Developer, ..draft() };
    let (kept, change) = IdentityProvider::configure(tenant(), &without, Some(&first), now).unwrap();
    assert_eq!((kept.client_secret.expose(), kept.role), ("a secret of the provider", Role::Developer));
    assert_eq!(change.deletions, [], "no session ends");
    let elsewhere = IdentityProviderDraft { issuer: "https://thief.example".into(), ..without };
    let refused = IdentityProvider::configure(tenant(), &elsewhere, Some(&first), now);
    assert_eq!(refused, Err(IdentityProviderError::MissingSecret), "another issuer must not get it");
}

#[test]
fn new_issuer_ends_the_access_of_the_earlier_one() {
    let moved = IdentityProviderDraft { issuer: "https://new.example".into(), ..draft() };
    let now = fixture::context().now().wall();
    let (_, change) = IdentityProvider::configure(tenant(), &moved, Some(&provider()), now).unwrap();
    assert_eq!(change.deletions, [Deletion::ProviderAccess(tenant())]);
}

#[test]
fn required_provider_ends_other_sessions_but_admits_owners() {
    let (first, now) = (provider(), fixture::context().now().wall());
    assert!(first.admits_others(Role::Viewer));
    let draft = IdentityProviderDraft { is_required: true, ..draft() };
    let (required, change) = IdentityProvider::configure(tenant(), &draft, Some(&first), now).unwrap();
    assert_eq!(change.deletions, [Deletion::SessionsWithoutProvider(tenant())]);
    let admitted = Role::ALL.iter().filter(|it| required.admits_others(**it));
    assert_eq!(admitted.collect::<Vec<_>>(), [&Role::Owner]);
}

#[test]
fn view_has_the_last_characters_of_a_long_secret_only() {
    assert_eq!(provider().view().secret_last_four, "ider");
    let short = IdentityProvider { client_secret: Sensitive::new("short"), ..provider() };
    assert_eq!(short.view().secret_last_four, "");
}

#[test]
fn way_is_bound_to_browser_tenant_and_time() {
    let (departure, secrets, _) = Departure::begin(tenant(), Aim::SignIn, &mut fixture::context());
    let begun = fixture::context().now().wall();
    let last = begun + DEPARTURE_LIFE - Duration::from_secs(1);
    assert!(departure.admits(&secrets.browser, &tenant(), last));
    assert!(!departure.admits(&secrets.browser, &tenant(), begun + DEPARTURE_LIFE));
    assert!(!departure.admits(&secrets.state, &tenant(), begun), "another browser");
    assert!(!departure.admits(&secrets.browser, &"other".parse().unwrap(), begun));
    assert_eq!(departure.state_hash, Digest32::from_text(secrets.state.expose()));
    let (nonce, verifier) = (nonce_of(&secrets.browser), verifier_of(&secrets.browser));
    assert!(nonce != verifier && verifier.len() == 43, "RFC 7636 requires 43 characters");
}

#[test]
fn domain_is_proven_by_its_own_token_only() {
    let (added, _) = SignOnDomain::add(tenant(), "Shop.example", &[], &mut fixture::context()).unwrap();
    assert_eq!(added.record_name(), "_linchpin-sign-in.shop.example");
    let now = fixture::context().now().wall();
    let wrong = ["v=spf1 -all".to_owned(), format!("x{}", added.record_text())];
    assert_eq!(added.clone().prove(&wrong, now), Err(DomainError::NotFound));
    assert_eq!(added.clone().prove(&[], now), Err(DomainError::NotFound));
    let (done, change) = added.clone().prove(&[added.record_text()], now).unwrap();
    assert_eq!(done.proven_at, Some(now));
    let others = Deletion::DomainOfOthers { tenant: tenant(), domain: "shop.example".into() };
    assert_eq!(change.deletions, [others], "one organization has a domain");
}

#[test]
fn domains_are_limited_and_different() {
    let add = |domain: &str, existing: &[SignOnDomain]| {
        SignOnDomain::add(tenant(), domain, existing, &mut fixture::context()).map(|(added, _)| added)
    };
    let mut domains = Vec::new();
    for number in 0..MAX_DOMAINS {
        domains.push(add(&format!("d{number}.example"), &domains).unwrap());
    }
    assert_eq!(add("D1.example", &domains), Err(DomainError::Exists));
    assert_eq!(add("more.example", &domains), Err(DomainError::Limit));
    assert_eq!(add("more", &[]), Err(DomainError::Domain));
}

#[test]
fn session_that_began_otherwise_is_not_by_the_provider() {
    let (session, _) = ConsoleSession::begin(
        &member("ana@shop.example", Role::Owner),
        None,
        String::new(),
        &mut fixture::context(),
    );
    assert!(!session.is_by_provider && session.id != ConsoleSessionId::from_bytes([0; 16]));
}
