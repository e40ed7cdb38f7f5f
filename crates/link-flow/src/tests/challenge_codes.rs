//! Codes as people paste them.

use link_types::Sensitive;
use link_types::challenge::{Challenge, ChallengeKind, CodeChannel};
use link_types::format::FieldFormat;

use super::{fixtures, harness};
use crate::Effect;
use crate::generated::message::Message;
use crate::submission::Answer;
use crate::view::Text;

fn at_code() -> harness::Harness {
    harness::at_challenge(fixtures::code())
}

#[test]
fn code_in_other_digits_or_a_message_is_sent() {
    for typed in
        ["١٢٣٤", "１２３４", "\u{200f}1234", "1234.", "G-1234", "1234 is your code. Do not share it."]
    {
        let effects = at_code().submit_code(typed);
        let [Effect::Answer { body, .. }] = &effects[..] else { panic!("{typed}: {effects:?}") };
        assert_eq!(body.answer, Answer::Text { text: Sensitive::new("1234") }, "{typed}");
    }
    let mut harness = at_code();
    assert_eq!(harness.submit_code("12345"), vec![], "a digit too many is not cut");
    let too_long = Text::with(Message::FieldTooLong, vec![4.into()]);
    assert_eq!(harness.field("answer").unwrap().error, Some(too_long));
}

#[test]
fn complete_code_has_known_length() {
    let field = at_code().field("answer").unwrap();
    assert_eq!(field.help, Some(Text::with(Message::ChallengeCodeHelp, vec![4.into()])));
    for (text, is_complete) in [
        ("123", false),
        ("1234", true),
        (" 12-34\u{a0}", true),
        ("١٢٣٤", true),
        ("Code: 1234", true),
        ("12345", false),
        ("", false),
    ] {
        assert_eq!(field.input.is_complete(text), is_complete, "{text}");
    }
    let format = FieldFormat::Digits { min: 4, max: 6 };
    let kind = ChallengeKind::OneTimeCode { channel: CodeChannel::Sms, destination: None, format };
    let field = harness::at_challenge(Challenge { kind, ..fixtures::code() }).field("answer").unwrap();
    assert!(field.help.is_none() && !field.input.is_complete("1234"));
}
