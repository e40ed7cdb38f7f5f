//! Codes as people paste them.

use link_types::Sensitive;

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
