//! Encoding of stored values: MessagePack with field names, so that later versions can add fields.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

use crate::StoreError;

/// Encodes a value as the bytes to seal or store.
///
/// Their memory is overwritten on drop, except for flattened structs, which the library collects in its own buffers.
pub(crate) fn encode<T: Serialize>(table: &'static str, value: &T) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    let mut written = Written(Zeroizing::new(Vec::with_capacity(512)));
    let mut serializer = rmp_serde::Serializer::new(&mut written).with_struct_map();
    value.serialize(&mut serializer).map_err(|_| StoreError::undecodable(table, UNSUITABLE))?;
    Ok(written.0)
}

/// A buffer that leaves no copy behind when it grows.
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

/// The libraries' messages are left out, because some quote the value.
const UNSUITABLE: &str = "the content does not match the type";

/// Decodes what [`encode`] wrote.
pub(crate) fn decode<T: DeserializeOwned>(table: &'static str, bytes: &[u8]) -> Result<T, StoreError> {
    rmp_serde::from_slice(bytes).map_err(|_| StoreError::undecodable(table, UNSUITABLE))
}

#[cfg(test)]
mod tests {
    use link_domain::data::task::{Task, TaskEnding, TaskState};
    use link_domain::kernel::clock::TenantTime;
    use link_domain::kernel::owner::Owner;
    use link_domain::kernel::source::Source;
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
    fn encoded_value_decodes_to_the_same() {
        let bytes = encode("events", &today()).unwrap();
        assert_eq!(decode::<Today>("events", &bytes).unwrap(), today());
    }

    /// Flattened and untagged enums, and numbers that look alike.
    #[test]
    fn ambiguous_types_round_trip() {
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
    fn long_value_round_trips() {
        let long = vec!["a text that goes on for a while".repeat(40); 60];
        assert_eq!(decode::<Vec<String>>("events", &encode("events", &long).unwrap()).unwrap(), long);
    }

    #[test]
    fn fields_may_be_added_and_removed_between_versions() {
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
    fn decoding_error_contains_no_value() {
        #[derive(Debug, Serialize, Deserialize)]
        enum Kind {
            Known,
        }
        let secret = "CURP-of-somebody";
        let bytes = encode("events", &secret).unwrap();
        for end in [bytes.len(), bytes.len() - 3, 1, 0] {
            let fault = decode::<Kind>("events", &bytes[..end]).unwrap_err();
            let StoreError::Undecodable { table: "events", fault } = &fault else { panic!("{fault:?}") };
            assert!(!fault.is_empty() && !fault.contains("CURP"), "{fault}");
        }
    }
}
