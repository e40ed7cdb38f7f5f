//! Wrong answers to challenges are guesses, as wrong passwords are.

use super::*;
use crate::link::LoginTries;

#[test]
fn a_wrong_answer_is_counted_though_the_challenge_goes_on_and_a_new_sign_in_does_not_forget_it() {
    let mut context = fixture::context();
    let (mut account, _) = fixture::begun(&mut context);
    let mut tries: LoginTries = fixture::tries();
    for failures in 1..=5 {
        let Step::Challenge { state, challenge } = asks_for(one_time_code()) else { unreachable!() };
        let wrong = PosedChallenge { wrong_answer: true, ..challenge };
        for step in [asks_for(one_time_code()), Step::Challenge { state, challenge: wrong }] {
            let input =
                AccountInput::Stepped { version: owed_by(&account), step, tries: Some(tries.clone()) };
            let (asked, change) = account.apply(input, &mut context).unwrap();
            assert_eq!(types(&change.events), Vec::<&str>::new());
            for row in change.rows {
                if let Row::LoginTries(counted) = row {
                    tries = counted;
                }
            }
            let input = answer(&asked);
            account = asked.apply(input, &mut context).unwrap().0;
        }
        assert_eq!(tries.failures, failures);
        let submission = Submission { tries: tries.clone(), ..fixture::submission() };
        let again = account.clone().apply(AccountInput::Submit(submission), &mut context);
        match again {
            Ok((again, _)) => account = again,
            Err(refused) => {
                let wait = Duration::from_secs(30);
                assert_eq!((refused, failures), (IllegalTransition::TooManyTries { wait }, 5));
            }
        }
    }
    assert!(tries.check(context.now().wall()).is_err());
}
