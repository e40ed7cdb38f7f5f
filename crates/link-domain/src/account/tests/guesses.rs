//! Wrong answers to challenges are guesses, as wrong passwords are.

use link_types::guessing::GuessLimit;

use super::*;

/// An account that a challenge was posed to by a right password, and its tries.
fn asked(account: Account, tries: &mut Tries, context: &mut Context) -> Account {
    let input = AccountInput::Stepped {
        version: owed_by(&account),
        step: asks_for(one_time_code()),
        tries: Some(tries.clone()),
    };
    let (account, change) = account.apply(input, context).unwrap();
    *tries = counted(&change).unwrap();
    account
}

/// A wrong answer, or why none is taken.
fn guess(account: &Account, tries: &mut Tries, context: &mut Context) -> Result<Account, IllegalTransition> {
    let answer = Answer::Text(fixture::sealing::unopened());
    let challenge_id = challenge_id(account);
    let input = AccountInput::Answer { challenge_id, answer, tries: Some(tries.clone()) };
    let (account, change) = account.clone().apply(input, context)?;
    *tries = counted(&change).unwrap();
    let Step::Challenge { state, challenge } = asks_for(one_time_code()) else { unreachable!() };
    let step = Step::Challenge { state, challenge: PosedChallenge { wrong_answer: true, ..challenge } };
    let input = AccountInput::Stepped { version: owed_by(&account), step, tries: Some(tries.clone()) };
    let (account, change) = account.apply(input, context).unwrap();
    assert_eq!((types(&change.events), counted(&change)), (Vec::new(), None));
    Ok(account)
}

#[test]
fn wrong_answers_add_up_over_new_sign_ins() {
    let mut context = fixture::context();
    let (account, change) = fixture::begun(&mut context);
    let mut tries = counted(&change).unwrap();
    let mut account = asked(account, &mut tries, &mut context);
    for failures in 1..=5 {
        account = guess(&account, &mut tries, &mut context).unwrap();
        assert_eq!(tries.own.failures, failures);
        let submission = Submission { tries: tries.clone(), ..fixture::submission() };
        match account.clone().apply(AccountInput::Submit(submission), &mut context) {
            Ok((again, change)) => {
                tries = counted(&change).unwrap();
                account = asked(again, &mut tries, &mut context);
                assert_eq!(tries.own.failures, failures, "a right password forgets no wrong answer");
            }
            Err(refused) => {
                let (limit, wait) = (GuessLimit::Login, Duration::from_secs(30));
                assert_eq!((refused, failures), (IllegalTransition::TooManyTries { limit, wait }, 5));
            }
        }
    }
}

#[test]
fn answers_of_one_challenge_are_limited_without_the_source() {
    let mut context = fixture::context();
    let (account, change) = fixture::begun(&mut context);
    let mut tries = counted(&change).unwrap();
    let mut account = asked(account, &mut tries, &mut context);
    for _ in 0..5 {
        account = guess(&account, &mut tries, &mut context).unwrap();
    }
    let refused = guess(&account, &mut tries, &mut context).unwrap_err();
    let (limit, wait) = (GuessLimit::Login, Duration::from_secs(30));
    assert_eq!(refused, IllegalTransition::TooManyTries { limit, wait });
}
