//! Compares our encoder and decoder with `serde-wasm-bindgen` on random values. It is only a test's: ADR 14 has the
//! size it would add to the widget.

use js_sys::JSON;
use link_types::challenge::{Challenge, ChallengeKind, CodeChannel, RedirectAddress, ResendRule};
use link_types::error_code::ErrorCode;
use link_types::format::FieldFormat;
use link_types::host::{
    AccountErrorSubject, AccountSubject, Callback, CloseReason, Closed, UiEvent, UiEventAccount, UiEventName,
    Upload, UploadedFile, UploadsSubject, WidgetOptions,
};
use link_types::id::{AccountId, ArchiveId, ChallengeId, UserId};
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};
use link_types::problem::{FaultCode, FieldFault, Problem, ProblemCode};
use link_types::provider::{Choice, FieldSchema, FieldType, VisibleWhen};
use link_types::{LinkErrorCode, Mode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::decode::{DecodeError, decode};
use crate::encode::encode;

/// The number of values of each type.
const VALUES: u64 = 300;

/// A generator of values (splitmix64): a failure names its seed and can be repeated.
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Returns a number of any size, often the smallest or largest of its range.
    fn number(&mut self) -> u32 {
        match self.below(4) {
            0 => 0,
            1 => u32::MAX,
            2 => self.below(1000) as u32,
            _ => self.bits() as u32,
        }
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }

    fn text(&mut self) -> String {
        let letters = ['a', 'Z', '0', ' ', '"', '\\', '\n', '\0', 'é', '漢', '😀', '\u{2028}', '\u{feff}'];
        (0..self.below(9)).map(|_| self.one(&letters)).collect()
    }

    fn some<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| draw(self))
    }

    fn several<T>(&mut self, mut draw: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| draw(self)).collect()
    }

    fn hex(&mut self) -> String {
        format!("{:016x}{:016x}", self.bits(), self.bits())
    }
}

fn account_id(draw: &mut Draw) -> AccountId {
    format!("a-{}", draw.hex()).parse().unwrap()
}

fn user_id(draw: &mut Draw) -> UserId {
    format!("demo-{}", draw.hex()).parse().unwrap()
}

fn error_code(draw: &mut Draw) -> ErrorCode {
    if draw.flag() { draw.one(LinkErrorCode::ALL).into() } else { ErrorCode::Unknown("NEW_CODE".to_owned()) }
}

fn format(draw: &mut Draw) -> FieldFormat {
    let (min, max) = (draw.bits() as u16, draw.bits() as u16);
    match draw.below(5) {
        0 => FieldFormat::Text { min, max },
        1 => FieldFormat::Digits { min, max },
        2 => FieldFormat::Alphanumeric { min, max },
        3 => FieldFormat::Email {},
        _ => FieldFormat::Date {},
    }
}

fn choice(draw: &mut Draw) -> Choice {
    Choice { value: draw.text(), label: draw.text() }
}

fn field(draw: &mut Draw) -> FieldSchema {
    FieldSchema {
        name: draw.text(),
        label: draw.text(),
        field_type: draw.one(FieldType::ALL),
        required: draw.flag(),
        format: format(draw),
        pattern: draw.some(Draw::text),
        min_length: draw.some(|draw| draw.bits() as u16),
        max_length: draw.some(|draw| draw.bits() as u16),
        choices: draw.several(choice),
        help: draw.some(Draw::text),
        prefix: draw.some(Draw::text),
        autocomplete: draw.some(Draw::text),
        visible_when: draw.some(|draw| VisibleWhen { field: draw.text(), equals: draw.text() }),
    }
}

fn kind(draw: &mut Draw) -> ChallengeKind {
    match draw.below(7) {
        0 => ChallengeKind::OneTimeCode {
            channel: draw.one(CodeChannel::ALL),
            destination: draw.some(Draw::text),
            format: format(draw),
        },
        1 => ChallengeKind::Choice { question: draw.text(), choices: draw.several(choice) },
        2 => ChallengeKind::Image {
            image: draw.text(),
            recording: draw.some(Draw::text),
            format: format(draw),
        },
        3 => ChallengeKind::Question { question: draw.text(), format: format(draw) },
        4 => ChallengeKind::Approve { device: draw.some(Draw::text) },
        5 => ChallengeKind::EmailLink { destination: draw.some(Draw::text) },
        _ => ChallengeKind::Redirect { address: RedirectAddress::new(draw.text()) },
    }
}

fn challenge(draw: &mut Draw) -> Challenge {
    Challenge {
        id: format!("{}{}", ChallengeId::PREFIX, draw.hex()).parse().unwrap(),
        kind: kind(draw),
        expires_in_ms: draw.some(Draw::number),
        extendable: draw.flag(),
        resend: draw.some(|draw| ResendRule {
            available_in_ms: draw.number(),
            channels: draw.several(|draw| draw.one(CodeChannel::ALL)),
        }),
        tries_left: draw.some(|draw| draw.bits() as u8),
        wrong_answer: draw.flag(),
    }
}

fn progress(draw: &mut Draw) -> AccountProgress {
    AccountProgress {
        account_id: account_id(draw),
        provider_id: "rideo".parse().unwrap(),
        version: draw.number(),
        phase: match draw.below(5) {
            0 => LinkPhase::Connecting { step: draw.one(ConnectStep::ALL) },
            1 => LinkPhase::Challenge { challenge: challenge(draw) },
            2 => LinkPhase::Connected {},
            3 => LinkPhase::Failed {
                error_code: error_code(draw),
                declined: draw.flag(),
                retry_in_ms: draw.number(),
            },
            _ => LinkPhase::Disconnected {},
        },
    }
}

fn options(draw: &mut Draw) -> WidgetOptions {
    WidgetOptions {
        template_id: draw.text(),
        providers: draw.some(|draw| draw.several(Draw::text)),
        enable_search_bar: draw.some(Draw::flag),
        company_name: draw.some(Draw::text),
        locale: draw.some(Draw::text),
        ..WidgetOptions::default()
    }
}

fn problem(draw: &mut Draw) -> Problem {
    Problem {
        problem_type: draw.text(),
        title: draw.text(),
        status: draw.bits() as u16,
        code: draw.one(ProblemCode::ALL),
        detail: draw.text(),
        request_id: draw.text(),
        errors: draw.several(|draw| FieldFault {
            field: draw.text(),
            code: draw.one(FaultCode::ALL),
            message: draw.text(),
            file_fault: None,
        }),
        truncated: draw.some(Draw::flag),
    }
}

fn callback(draw: &mut Draw) -> Callback {
    let (account_id, user_id) = (account_id(draw), user_id(draw));
    let provider_id: link_types::id::ProviderId = "rideo".parse().unwrap();
    let archive_id: ArchiveId = format!("{}{}", ArchiveId::PREFIX, draw.hex()).parse().unwrap();
    match draw.below(5) {
        0 => Callback::AccountCreated(AccountSubject { account_id, user_id, provider_id }),
        1 => Callback::AccountError(AccountErrorSubject {
            account_id,
            user_id,
            provider_id,
            error_code: error_code(draw),
        }),
        2 => Callback::TokenExpired {},
        3 => Callback::UploadsCreated(UploadsSubject {
            uploads: draw.several(|draw| Upload {
                archive_id: archive_id.clone(),
                upload_type: draw.text(),
                files: draw.several(|draw| UploadedFile { id: draw.text(), name: draw.text() }),
            }),
            user_id,
        }),
        _ if draw.flag() => Callback::Close(Closed {
            reason: draw.one(CloseReason::ALL),
            last_page: draw.some(|draw| draw.one(UiEventName::ALL)),
            provider_id: draw.some(|_| provider_id),
            error_code: draw.some(error_code),
        }),
        _ => Callback::UiEvent(UiEvent {
            event_name: draw.one(UiEventName::ALL),
            event_time: draw.text(),
            mode: Mode::Sandbox,
            user_id: draw.some(|_| user_id),
            account: draw.some(|_| UiEventAccount { account_id, provider_id }),
            archive: None,
            seq: draw.number(),
        }),
    }
}

fn json(value: &JsValue) -> String {
    JSON::stringify(value).unwrap().into()
}

/// Checks that both libraries write the same value, and that each reads it back.
fn compare<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: impl Fn(&mut Draw) -> T) {
    for seed in 0..VALUES {
        let value = value(&mut Draw(seed));
        let ours = encode(&value);
        let theirs = value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap();
        assert_eq!(json(&ours), json(&theirs), "seed {seed}");
        assert_eq!(serde_wasm_bindgen::from_value::<T>(ours).unwrap(), value, "seed {seed}");
        assert_eq!(decode::<T>(theirs), Ok::<T, DecodeError>(value), "seed {seed}");
    }
}

#[wasm_bindgen_test]
fn values_are_written_and_read_like_serde_wasm_bindgen() {
    compare(field);
    compare(challenge);
    compare(progress);
    compare(options);
    compare(problem);
    compare(callback);
}
