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
        submission.consent.iter_mut().for_each(|it| it.receipt.version = "2.0".into());
        submission
    };
    let second = submission().consent;
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

#[test]
fn connected_account_keeps_its_consent_if_no_new_one_is_given() {
    let mut context = fixture::context();
    let account = account_after(&[is_connected, is_read], &mut context);
    let first = account.consent.clone();
    let submission = Submission { consent: None, ..fixture::submission() };
    let (account, _) = account.apply(AccountInput::Submit(submission), &mut context).unwrap();
    let input = is_connected(&account);
    let (account, _) = account.apply(input, &mut context).unwrap();
    assert!(first.is_some());
    assert_eq!(account.consent, first);
}

#[test]
fn account_that_is_not_connected_requires_a_consent() {
    let submission = || Submission { consent: None, ..fixture::submission() };
    let mut context = fixture::context();
    let begun = Account::begin(fixture::new_account(), submission(), &mut context);
    assert_eq!(begun.map(|_| ()), Err(IllegalTransitionError::NoConsent));
    let (account, _) = fixture::begin_account(&mut context);
    let retried = account.apply(AccountInput::Submit(submission()), &mut context);
    assert_eq!(retried.map(|_| ()), Err(IllegalTransitionError::NoConsent));
}
