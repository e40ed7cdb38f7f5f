//! Values as rows keep them: MessagePack with the names of its fields, so that a later version may add some.
//!
//! Up to version 12 of the schema they were JSON, and such rows are read as they are.

use serde::Serialize;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

use crate::StoreError;

/// What begins a value in MessagePack. Neither JSON nor MessagePack itself ever begins with it.
const MESSAGE_PACK: u8 = 0xc1;

/// A value as the bytes that are sealed or stored; their memory is overwritten afterwards.
pub(crate) fn encode<T: Serialize>(table: &'static str, value: &T) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(256));
    bytes.push(MESSAGE_PACK);
    let mut serializer = rmp_serde::Serializer::new(&mut *bytes).with_struct_map();
    value.serialize(&mut serializer).map_err(|error| undecodable(table, encoding_fault(&error)))?;
    Ok(bytes)
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
