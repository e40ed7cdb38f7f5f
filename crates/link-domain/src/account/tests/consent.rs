//! Which consent covers the account's data.

use super::*;

#[test]
fn new_consent_applies_only_after_reconnecting() {
    let mut context = fixture::context();
    let account = account_after(&[is_connected, is_read], &mut context);
    let first = account.consent.clone();
    assert!(first.is_some());
    let submission = || {
        let mut submission = fixture::submission();
        submission.consent.receipt.version = "2.0".into();
        submission
    };
    let second = Some(submission().consent);
    let submits = |account: Account, context: &mut Context| {
        account.apply(AccountInput::Submit(submission()), context).unwrap().0
    };
    let account = submits(account, &mut context);
    assert_eq!(account.consent, first);
    let input = has_failed(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    assert_eq!(account.consent, first);
    let account = submits(account, &mut context);
    let input = is_challenged(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    let input = answer(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    let input = is_connected(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    assert_eq!(account.consent, second);
}
