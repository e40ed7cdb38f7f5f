use link_types::console::{MemberDraft, Role};
use rstest::rstest;

use super::*;
use crate::change::{Deletion, Row};
use crate::fixture;

fn draft(email: &str, role: Role) -> MemberDraft {
    MemberDraft { email: email.to_owned(), name: " Ana ".to_owned(), role }
}

fn member(email: &str, role: Role) -> Member {
    let mut seed = fixture::context_after(std::time::Duration::from_secs(email.bytes().map(u64::from).sum()));
    Member::invite(fixture::owner().tenant, &draft(email, role), &[], &mut seed).unwrap().0
}

#[test]
fn invited_member_has_a_folded_address_and_a_trimmed_name() {
    let invited = member("Ana@Shop.Example", Role::Owner);
    assert_eq!((invited.email.expose(), invited.name.expose()), ("ana@shop.example", "Ana"));
    assert!(!format!("{invited:?}").contains("shop.example"));
}

#[rstest]
#[case::address("ana", "Ana", MemberError::Email)]
#[case::empty_name("ana@shop.example", " ", MemberError::Name)]
#[case::control_character("ana@shop.example", "A\u{7}", MemberError::Name)]
#[case::known_address("ANA@shop.example", "Ana", MemberError::Exists)]
fn draft_is_rejected(#[case] email: &str, #[case] name: &str, #[case] expected: MemberError) {
    let members = [member("ana@shop.example", Role::Viewer)];
    let draft = MemberDraft { email: email.to_owned(), name: name.to_owned(), role: Role::Viewer };
    let invited = Member::invite(fixture::owner().tenant, &draft, &members, &mut fixture::context());
    assert_eq!(invited.unwrap_err(), expected);
}

#[test]
fn number_of_members_is_limited() {
    let members = vec![member("ana@shop.example", Role::Viewer); MEMBERS_LIMIT];
    let draft = draft("bo@shop.example", Role::Viewer);
    let invited = Member::invite(fixture::owner().tenant, &draft, &members, &mut fixture::context());
    assert_eq!(invited.unwrap_err(), MemberError::Limit);
}

#[test]
fn last_owner_can_neither_leave_nor_be_demoted() {
    let owner = member("ana@shop.example", Role::Owner);
    let members = [owner.clone(), member("bo@shop.example", Role::Developer)];
    assert_eq!(owner.clone().remove(&members).unwrap_err(), MemberError::LastOwner);
    for role in [Role::Developer, Role::Support, Role::Viewer] {
        assert_eq!(owner.clone().with_role(role, &members).unwrap_err(), MemberError::LastOwner);
    }
    assert!(owner.with_role(Role::Owner, &members).is_ok());
}

#[test]
fn owner_can_leave_if_another_remains() {
    let owner = member("ana@shop.example", Role::Owner);
    let members = [owner.clone(), member("bob@shop.example", Role::Owner)];
    let (demoted, change) = owner.clone().with_role(Role::Viewer, &members).unwrap();
    assert_eq!(change.rows, [Row::Member(demoted)]);
    assert_eq!(change.deletions, [Deletion::AccessGivenBy(owner.id.clone())]);
    assert_eq!(owner.clone().remove(&members).unwrap().deletions, [Deletion::Member(owner.id)]);
}

#[test]
fn recovery_needs_an_address_if_there_are_several_owners() {
    let viewer = member("v@shop.example", Role::Viewer);
    let (one, two) = (member("ana@shop.example", Role::Owner), member("bob@shop.example", Role::Owner));
    assert_eq!(Member::owner_to_recover(None, std::slice::from_ref(&viewer)), Err(0));
    assert_eq!(Member::owner_to_recover(None, &[viewer.clone(), one.clone()]), Ok(&one));
    let members = [viewer, one, two.clone()];
    assert_eq!(Member::owner_to_recover(None, &members), Err(2));
    assert_eq!(Member::owner_to_recover(Some("BOB@shop.example"), &members), Ok(&two));
    assert_eq!(Member::owner_to_recover(Some("v@shop.example"), &members), Err(0), "not an owner");
}
