//! Values as rows keep them: MessagePack with the names of its fields, so that a later version may add some.
//!
//! Up to version 12 of the schema they were JSON, and such rows are read as they are.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

use crate::StoreError;

/// What begins a value in MessagePack. Neither JSON nor MessagePack itself ever begins with it.
const MESSAGE_PACK: u8 = 0xc1;

/// A value as the bytes that are sealed or stored; their memory is overwritten afterwards, but for that of flattened
/// structs, which the library collects for itself.
pub(crate) fn encode<T: Serialize>(table: &'static str, value: &T) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    let mut written = Written(Zeroizing::new(Vec::with_capacity(512)));
    written.0.push(MESSAGE_PACK);
    let mut serializer = rmp_serde::Serializer::new(&mut written).with_struct_map();
    value.serialize(&mut serializer).map_err(|error| undecodable(table, encoding_fault(&error)))?;
    Ok(written.0)
}

/// Bytes that leave no copy behind where they grow.
struct Written(Zeroizing<Vec<u8>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.capacity() - self.0.len() < bytes.len() {
            let mut larger = Vec::with_capacity(2 * (self.0.capacity() + bytes.len()));
            larger.extend_from_slice(&self.0);
            self.0 = Zeroizing::new(larger);
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The value of what [`encode`] wrote, or an earlier version.
pub(crate) fn decode<T: DeserializeOwned>(table: &'static str, bytes: &[u8]) -> Result<T, StoreError> {
    match bytes.split_first() {
        Some((&MESSAGE_PACK, body)) => {
            rmp_serde::from_slice(body).map_err(|error| undecodable(table, decoding_fault(&error)))
        }
        Some(_) | None => serde_json::from_slice(bytes).map_err(|error| {
            let (kind, line, column) = (error.classify(), error.line(), error.column());
            undecodable(table, format!("{kind:?} error at line {line} column {column}"))
        }),
    }
}

/// The libraries quote the offending value in some of their messages, so only the kind and the place are kept.
fn undecodable(table: &'static str, fault: impl Into<String>) -> StoreError {
    StoreError::Undecodable { table, fault: fault.into() }
}

const fn encoding_fault(error: &rmp_serde::encode::Error) -> &'static str {
    use rmp_serde::encode::Error;
    match error {
        Error::InvalidValueWrite(_) => "a value was not written",
        Error::UnknownLength => "a list of no known length",
        Error::InvalidDataModel(_) => "a value outside the data model",
        Error::DepthLimitExceeded => "nested too deeply",
        Error::Syntax(_) => "a value refused to be written",
    }
}

const fn decoding_fault(error: &rmp_serde::decode::Error) -> &'static str {
    use rmp_serde::decode::Error;
    match error {
        Error::InvalidMarkerRead(_) | Error::InvalidDataRead(_) => "it ends too early",
        Error::TypeMismatch(_) => "a value of another kind",
        Error::OutOfRange => "a number out of its range",
        Error::LengthMismatch(_) => "a list of another length",
        Error::Uncategorized(_) | Error::Syntax(_) => "it does not hold what it should",
        Error::Utf8Error(_) => "text that is no UTF-8",
        Error::DepthLimitExceeded => "nested too deeply",
    }
}

#[cfg(test)]
mod tests {
    use link_domain::clock::TenantTime;
    use link_domain::owner::Owner;
    use link_domain::source::Source;
    use link_domain::task::{Task, TaskEnding, TaskState};
    use link_types::Mode;
    use link_types::form_submission::FormAnswer;
    use link_types::id::{AccountId, ArchiveId, TaskId};
    use link_types::money::Money;
    use link_types::signal::ItemValue;
    use link_types::task::TaskType;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Today {
        name: String,
        times: Vec<Option<u64>>,
        #[serde(default)]
        added: Option<String>,
    }

    fn today() -> Today {
        Today { name: "Núñez".to_owned(), times: vec![Some(7), None], added: Some("now".to_owned()) }
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = encode("events", &today()).unwrap();
        assert_eq!(decode::<Today>("events", &bytes).unwrap(), today());
    }

    /// Flattened and untagged ones, and numbers that look like others.
    #[test]
    fn the_kinds_that_are_hard_to_tell_apart_are_read_as_they_were_written() {
        fn same<T: Serialize + DeserializeOwned + PartialEq>(values: Vec<T>) {
            let bytes = encode("events", &values).unwrap();
            assert!(decode::<Vec<T>>("events", &bytes).unwrap() == values, "{}", std::any::type_name::<T>());
        }
        same(vec![
            ItemValue::Boolean(true),
            ItemValue::Integer(1),
            ItemValue::Number(1.0),
            ItemValue::Number(-0.25),
            ItemValue::Dates(vec!["2026-02-28".parse().unwrap()]),
            ItemValue::Text("2026-02-28".to_owned()),
        ]);
        same(vec![FormAnswer::Ticked(false), FormAnswer::Text(String::new()), FormAnswer::Unanswered]);
        same([0, 100, -1, 123_456_789].map(Money::from_hundredths).to_vec());
        let task = |source, state| Task {
            id: TaskId::from_bytes([1; 16]),
            owner: Owner { tenant: "t1".parse().unwrap(), mode: Mode::Sandbox },
            task_type: TaskType::LinkAccount,
            user_id: format!("t1-{}", "0a".repeat(16)).parse().unwrap(),
            source,
            provider_id: "mx_social_security".parse().unwrap(),
            started_at: TenantTime::from_micros(-1),
            state,
        };
        let finished = TaskState::Finished {
            at: TenantTime::from_micros(i64::MAX),
            ending: TaskEnding::Succeeded,
            datapoints: vec![],
        };
        same(vec![
            task(Source::Account(AccountId::from_bytes([2; 16])), TaskState::Started {}),
            task(Source::Archive(ArchiveId::from_bytes([3; 16])), finished),
        ]);
    }

    #[test]
    fn what_grows_is_whole() {
        let long = vec!["a text that goes on for a while".repeat(40); 60];
        assert_eq!(decode::<Vec<String>>("events", &encode("events", &long).unwrap()).unwrap(), long);
    }

    #[test]
    fn rows_of_before_are_read_as_json() {
        let bytes = serde_json::to_vec(&today()).unwrap();
        assert_eq!(decode::<Today>("events", &bytes).unwrap(), today());
    }

    #[test]
    fn versions_may_differ_by_a_field() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Yesterday {
            times: Vec<Option<u64>>,
            name: String,
        }
        let earlier = Yesterday { times: vec![], name: "Ana".to_owned() };
        let bytes = encode("events", &earlier).unwrap();
        assert_eq!(
            decode::<Today>("events", &bytes).unwrap(),
            Today { name: "Ana".to_owned(), times: vec![], added: None }
        );
        assert_eq!(
            decode::<Yesterday>("events", &encode("events", &today()).unwrap()).unwrap().name,
            "Núñez"
        );
    }

    #[test]
    fn a_fault_names_no_value() {
        #[derive(Debug, Serialize, Deserialize)]
        enum Kind {
            Known,
        }
        let secret = "CURP-of-somebody";
        for bytes in [encode("events", &secret).unwrap(), serde_json::to_vec(secret).unwrap().into()] {
            for end in [bytes.len(), bytes.len() - 3, 1, 0] {
                let fault = decode::<Kind>("events", &bytes[..end]).unwrap_err();
                let StoreError::Undecodable { table: "events", fault } = &fault else { panic!("{fault:?}") };
                assert!(!fault.is_empty() && !fault.contains("CURP"), "{fault}");
            }
        }
    }
}
