//! Parses a JSON body into a value of bounded size in one pass, and reports every repeated field.
//!
//! Our own: parsed only into a `serde_json::Value`, a body of 32 MB took 3.2 GB (ADR 129).

use std::fmt;

use link_types::problem::{FaultCode, FieldFault};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::http::problem::{fault, is_enough};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The maximum nesting depth of a body.
pub const MAX_DEPTH: usize = 64;

/// The memory that the value of a body may take, in bytes, not counting the contents of strings.
///
/// A limit on the body's size is not enough: as a value, `[1,1,...]` takes 16 times its size, and an array of small
/// objects 90 times.
const ROOM: usize = 8 * 1024 * 1024;

/// The cost of a value in its parent, in bytes. Vectors double, so half of the slots may be empty.
const SLOT: usize = 2 * size_of::<Value>();
/// The cost of a string in addition to its bytes: the allocator rounds up.
const TEXT: usize = 32;
/// The cost of the first node of a `BTreeMap`, which every object with a field has.
const NODE: usize = 640;
/// The cost of a field in the map of its object. Nodes of a `BTreeMap` are about half full.
const FIELD: usize = 2 * size_of::<(String, Value)>() + TEXT;

/// A parsed body.
#[derive(Debug)]
pub struct ParsedBody {
    /// The value. Whole numbers are integers, even if written as `16.0`.
    pub value: Value,
    /// A fault for each repeated field. `value` has the last occurrence.
    pub repeated: Vec<FieldFault>,
}

/// Reason why a body could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadBodyError {
    /// The body is not UTF-8, but for example Latin-1 or UTF-16.
    NotUtf8 {
        /// The number of the first byte that does not fit, from 1.
        byte: usize,
    },
    /// The body is not JSON.
    NotJson {
        /// The number of the byte where parsing stopped, from 1.
        byte: usize,
        /// The parser's reason, which does not quote the body.
        cause: String,
    },
    /// The body is nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The body's values would take more memory than one body may.
    TooManyValues,
}

/// Parses a body. A byte order mark before it is ignored, as RFC 8259 allows.
///
/// # Errors
/// Stops at the first byte that makes the body unreadable.
pub fn read(body: &[u8]) -> Result<ParsedBody, ReadBodyError> {
    let json = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    let mut reading = Reading { room: ROOM, repeated: Vec::new(), refused: None };
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let node = Node { reading: &mut reading, path: Path::Body, depth: 0 };
    let read = node.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    match read {
        Ok(value) => Ok(ParsedBody { value, repeated: reading.repeated }),
        Err(error) => Err(reading.refused.unwrap_or_else(|| unreadable(body, json, &error))),
    }
}

/// Returns the place and the cause of a syntax error.
fn unreadable(body: &[u8], json: &[u8], error: &serde_json::Error) -> ReadBodyError {
    if let Err(fault) = std::str::from_utf8(body) {
        return ReadBodyError::NotUtf8 { byte: fault.valid_up_to() + 1 };
    }
    let lines = json.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
    let before = body.len() - json.len() + lines.map(<[u8]>::len).sum::<usize>();
    // UTF-16 of ASCII is valid UTF-8 with a zero next to each character.
    let cause = if json.contains(&0) {
        "it contains zero bytes, as UTF-16 does, and must be sent in UTF-8".to_owned()
    } else if error.is_syntax() || error.is_eof() {
        let message = error.to_string();
        message.split(" at line ").next().unwrap_or_default().to_owned()
    } else {
        "a value is not allowed".to_owned()
    };
    ReadBodyError::NotJson { byte: before + error.column(), cause }
}

/// The state of parsing a body.
struct Reading {
    /// The memory that the value may still take, in bytes.
    room: usize,
    repeated: Vec<FieldFault>,
    refused: Option<ReadBodyError>,
}

impl Reading {
    /// Reserves memory, or fails if the budget is used up.
    fn take<E: serde::de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        self.room = self.room.checked_sub(bytes).ok_or_else(|| self.refuse(ReadBodyError::TooManyValues))?;
        Ok(())
    }

    fn refuse<E: serde::de::Error>(&mut self, why: ReadBodyError) -> E {
        self.refused = Some(why);
        E::custom("refused")
    }
}

/// The path of a value. It is formatted only if there is a fault to report.
#[derive(Clone, Copy)]
enum Path<'a> {
    Body,
    Field(&'a Self, &'a str),
    Item(&'a Self, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body => Ok(()),
            Self::Field(Self::Body, name) => f.write_str(short(name)),
            Self::Field(parent, name) => write!(f, "{parent}.{}", short(name)),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// Cuts a field name that the caller chose to 64 characters.
pub fn short(name: &str) -> &str {
    name.char_indices().nth(64).map_or(name, |(end, _)| &name[..end])
}

/// A value that is about to be parsed.
struct Node<'a> {
    reading: &'a mut Reading,
    path: Path<'a>,
    /// The number of arrays and objects around it.
    depth: usize,
}

impl Node<'_> {
    /// Returns the depth of the values inside this array or object.
    fn inside<E: serde::de::Error>(&mut self) -> Result<usize, E> {
        let depth = self.depth + 1;
        if depth > MAX_DEPTH { Err(self.reading.refuse(ReadBodyError::TooDeep)) } else { Ok(depth) }
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        /// 2^53: above it, `f64` and JavaScript cannot represent every integer.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        // JSON Schema treats 16.0 as an integer.
        let is_whole = value.fract() == 0.0 && value.abs() < EXACT;
        Ok(if is_whole { Value::from(value as i64) } else { value.into() })
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        self.reading.take::<E>(TEXT)?;
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let (depth, mut read) = (self.inside::<A::Error>()?, Vec::new());
        loop {
            let path = Path::Item(&self.path, read.len());
            let node = Node { reading: &mut *self.reading, path, depth };
            let Some(item) = items.next_element_seed(node)? else { return Ok(Value::Array(read)) };
            self.reading.take::<A::Error>(SLOT)?;
            read.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<Value, A::Error> {
        let (depth, mut read) = (self.inside::<A::Error>()?, Map::new());
        while let Some(name) = fields.next_key::<String>()? {
            self.reading.take::<A::Error>(if read.is_empty() { NODE + FIELD } else { FIELD })?;
            let path = Path::Field(&self.path, &name);
            let value = fields.next_value_seed(Node { reading: &mut *self.reading, path, depth })?;
            if read.contains_key(&name) && !is_enough(&self.reading.repeated) {
                let repeated = fault(path.to_string(), FaultCode::Invalid, "given more than once");
                self.reading.repeated.push(repeated);
            }
            read.insert(name, value);
        }
        Ok(Value::Object(read))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::deepest("[".repeat(64) + &"]".repeat(64), None)]
    #[case::one_deeper("[".repeat(65) + &"]".repeat(65), Some(ReadBodyError::TooDeep))]
    #[case::objects(r#"{"a":"#.repeat(65) + "1" + &"}".repeat(65), Some(ReadBodyError::TooDeep))]
    #[case::side_by_side("[".to_owned() + &"[],".repeat(100) + "1]", None)]
    #[case::brackets_in_a_string(format!(r#"{{"a": "{}"}}"#, "[".repeat(100)), None)]
    #[case::after_an_escaped_quote(format!(r#"["\"{}"]"#, "[".repeat(100)), None)]
    #[case::deep_in_a_private_name_of_serde_json(
        format!(r#"{{"$serde_json::private::RawValue":"{}{}"}}"#, "[".repeat(100), "]".repeat(100)), None)]
    #[case::a_number_of_many_digits("1".repeat(300), None)]
    fn deeply_nested_body_is_rejected(#[case] json: String, #[case] refused: Option<ReadBodyError>) {
        assert_eq!(read(json.as_bytes()).err(), refused);
    }

    #[rstest]
    #[case::number_too_large(b"1e999", 5, "number out of range")]
    #[case::trailing_value(b"{} {}", 4, "trailing characters")]
    #[case::empty(b"", 0, "EOF while parsing a value")]
    #[case::trailing_comma(b"{\"reference\":\"x\",}", 18, "trailing comma")]
    #[case::trailing_comma_after_a_mark(b"\xEF\xBB\xBF{\"reference\":\"x\",}", 21, "trailing comma")]
    #[case::third_line(b"{\n  \"a\": 1,\n  b: 2\n}", 15, "key must be a string")]
    #[case::single_quotes(b"{'a': 'x'}", 2, "key must be a string")]
    #[case::utf_16(
        b"{\0\"\0a\0\"\0:\x001\0}\0",
        2,
        "it contains zero bytes, as UTF-16 does, and must be sent in UTF-8"
    )]
    fn body_that_is_not_json_is_rejected_with_its_byte(
        #[case] json: &[u8],
        #[case] byte: usize,
        #[case] cause: &str,
    ) {
        assert_eq!(read(json).unwrap_err(), ReadBodyError::NotJson { byte, cause: cause.to_owned() });
    }

    #[rstest]
    #[case::latin_1(b"{\"reference\":\"Mu\xF1oz\"}", 17)]
    #[case::utf_16_with_a_mark(b"\xFF\xFE{\0}\0", 1)]
    fn body_in_another_encoding_is_rejected_with_its_byte(#[case] json: &[u8], #[case] byte: usize) {
        assert_eq!(read(json).unwrap_err(), ReadBodyError::NotUtf8 { byte });
    }

    #[test]
    fn byte_order_mark_is_ignored() {
        assert_eq!(read("\u{FEFF}{\"a\":\"\u{F1}\"}".as_bytes()).unwrap().value, json!({"a": "\u{F1}"}));
    }

    #[rstest]
    #[case::numbers("[", "1,", "1]")]
    #[case::empty_arrays("[", "[],", "1]")]
    #[case::texts("[", r#""","#, "1]")]
    #[case::objects("[", r#"{"a":1},"#, "1]")]
    #[case::nested("[", r#"{"a":{"a":{"a":{}}}},"#, "1]")]
    #[case::repeated_fields("{", r#""a":1,"#, r#""a":1}"#)]
    fn body_with_too_many_values_is_rejected(#[case] begin: &str, #[case] piece: &str, #[case] end: &str) {
        let body = |count| [begin, &piece.repeat(count), end].concat();
        assert_eq!(read(body(1_000_000).as_bytes()).unwrap_err(), ReadBodyError::TooManyValues);
        assert!(read(body(3_000).as_bytes()).is_ok());
    }

    #[test]
    fn long_strings_do_not_count_as_values() {
        let long = json!({"content": "x".repeat(4 * ROOM)});
        assert_eq!(read(long.to_string().as_bytes()).unwrap().value, long);
    }

    #[test]
    fn value_equals_what_serde_json_reads() {
        let text =
            r#"{"a": [null, true, -1, 18446744073709551615, 0.5, "\u00e9\n"], "b": {"c": {}}, "d": []}"#;
        let ParsedBody { value, repeated } = read(text.as_bytes()).unwrap();
        assert_eq!((value, repeated), (serde_json::from_str(text).unwrap(), vec![]));
    }

    #[test]
    fn whole_number_written_as_float_is_an_integer() {
        let read = |text: &str| read(text.as_bytes()).unwrap().value;
        assert_eq!(read(r#"{"a": [16.0, 1e3, -2.0]}"#), json!({"a": [16, 1000, -2]}));
        assert_eq!(read("[0.5, 1e300]"), json!([0.5, 1e300]));
    }

    #[test]
    fn repeated_field_is_reported_with_its_path() {
        let text = r#"{"a": 1, "b": [0, {"c": 1, "\u0063": 2, "d": {"e": 1, "e": 1}}], "a": 2}"#;
        let ParsedBody { value, repeated } = read(text.as_bytes()).unwrap();
        let named: Vec<_> = repeated.iter().map(|it| it.field.as_str()).collect();
        assert_eq!(named, ["b[1].c", "b[1].d.e", "a"]);
        assert_eq!(value["a"], 2);
    }

    #[test]
    fn faults_of_repeated_fields_are_bounded() {
        let name = "é".repeat(1_000);
        let pairs = vec![format!(r#""{name}": 1"#); 1_000].join(",");
        let ParsedBody { repeated, .. } = read(format!("{{{pairs}}}").as_bytes()).unwrap();
        assert!(repeated.len() < 60, "{}", repeated.len());
        assert_eq!(repeated[0].field.chars().count(), 64);
    }
}
