//! Wrong answers to challenges count as guesses, like wrong passwords.

use link_types::link::GuessLimit;

use super::*;

/// Returns an account whose right password led to a challenge, and counts its tries.
fn pose_challenge(account: Account, tries: &mut Tries, context: &mut Context) -> Account {
    let input = AccountInput::Stepped {
        version: requested_at_version(&account),
        step: asks_for(one_time_code()),
        tries: Some(tries.clone()),
    };
    let (account, change) = account.apply(input, context).unwrap();
    *tries = find_tries(&change).unwrap();
    account
}

/// Sends a wrong answer, or returns why the answer is rejected.
fn guess(
    account: &Account,
    tries: &mut Tries,
    context: &mut Context,
) -> Result<Account, IllegalTransitionError> {
    let answer = Answer::Text(fixture::sealing::unopened_box());
    let challenge_id = challenge_id(account);
    let input = AccountInput::Answer { challenge_id, answer, tries: Some(tries.clone()) };
    let (account, change) = account.clone().apply(input, context)?;
    *tries = find_tries(&change).unwrap();
    let Step::Challenge { state, challenge } = asks_for(one_time_code()) else { unreachable!() };
    let step = Step::Challenge { state, challenge: PosedChallenge { wrong_answer: true, ..challenge } };
    let input =
        AccountInput::Stepped { version: requested_at_version(&account), step, tries: Some(tries.clone()) };
    let (account, change) = account.apply(input, context).unwrap();
    assert_eq!((types(&change.events), find_tries(&change)), (Vec::new(), None));
    Ok(account)
}

#[test]
fn wrong_answers_accumulate_across_new_logins() {
    let mut context = fixture::context();
    let (account, change) = fixture::begin_account(&mut context);
    let mut tries = find_tries(&change).unwrap();
    let mut account = pose_challenge(account, &mut tries, &mut context);
    for failures in 1..=5 {
        account = guess(&account, &mut tries, &mut context).unwrap();
        assert_eq!(tries.own.failures, failures);
        let submission = Submission { tries: tries.clone(), ..fixture::submission() };
        match account.clone().apply(AccountInput::Submit(submission), &mut context) {
            Ok((again, change)) => {
                tries = find_tries(&change).unwrap();
                account = pose_challenge(again, &mut tries, &mut context);
                assert_eq!(tries.own.failures, failures, "a right password does not reset wrong answers");
            }
            Err(error) => {
                let (limit, wait) = (GuessLimit::Login, Duration::from_secs(30));
                assert_eq!((error, failures), (IllegalTransitionError::TooManyTries { limit, wait }, 5));
            }
        }
    }
}

#[test]
fn wrong_answers_to_one_challenge_are_limited() {
    let mut context = fixture::context();
    let (account, change) = fixture::begin_account(&mut context);
    let mut tries = find_tries(&change).unwrap();
    let mut account = pose_challenge(account, &mut tries, &mut context);
    for _ in 0..5 {
        account = guess(&account, &mut tries, &mut context).unwrap();
    }
    let error = guess(&account, &mut tries, &mut context).unwrap_err();
    let (limit, wait) = (GuessLimit::Login, Duration::from_secs(30));
    assert_eq!(error, IllegalTransitionError::TooManyTries { limit, wait });
}
