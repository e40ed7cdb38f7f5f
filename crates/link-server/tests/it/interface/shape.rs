//! The JSON shape of the document's types, and a record of the fields seen with a value.

use std::collections::BTreeSet;

use serde_json::Value;

/// The shape of a JSON value.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Text,
    /// `<prefix>-<hex>`.
    Id(&'static str),
    /// `<tenant_id>-<hex>`.
    User,
    /// One of these.
    Words(&'static [&'static str]),
    /// date-time: ISO 8601 UTC.
    Moment,
    /// date: YYYY-MM-DD.
    Day,
    /// YYYY-MM.
    Month,
    /// A three-letter ISO 4217 code.
    Currency,
    Url,
    /// A URL of a picture: an address, or a `data:` URL that holds it.
    Photo,
    /// SHA-256 in lowercase hex.
    Digest,
    Number,
    Integer,
    Flag,
    Object,
    Texts,
    Objects,
}

/// A field of the document.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub shape: Shape,
    pub nullable: bool,
}

/// Returns a field that is never null.
pub const fn field(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, nullable: false }
}

impl Field {
    /// Allows null.
    pub const fn or_null(mut self) -> Self {
        self.nullable = true;
        self
    }
}

impl Shape {
    pub fn fits(self, value: &Value) -> bool {
        let text = value.as_str();
        let digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
        // Each 9 in the mask matches a digit.
        let like = |mask: &str| {
            text.is_some_and(|text| {
                text.len() == mask.len()
                    && text
                        .bytes()
                        .zip(mask.bytes())
                        .all(|(a, b)| if b == b'9' { a.is_ascii_digit() } else { a == b })
            })
        };
        let hex = |text: &str| text.len() == 32 && text.bytes().all(|it| it.is_ascii_hexdigit());
        match self {
            Self::Text => text.is_some(),
            Self::Id(prefix) => {
                text.and_then(|it| it.strip_prefix(prefix)?.strip_prefix('-')).is_some_and(hex)
            }
            Self::User => text
                .and_then(|it| it.rsplit_once('-'))
                .is_some_and(|(tenant, rest)| tenant == "demo" && hex(rest)),
            Self::Words(words) => text.is_some_and(|it| words.contains(&it)),
            Self::Moment => like("9999-99-99T99:99:99.999Z"),
            Self::Day => like("9999-99-99"),
            Self::Month => like("9999-99"),
            Self::Currency => {
                text.is_some_and(|it| it.len() == 3 && it.bytes().all(|it| it.is_ascii_uppercase()))
            }
            Self::Url => text.is_some_and(|it| {
                let rest = it.strip_prefix("https://").or_else(|| it.strip_prefix("http://"));
                rest.is_some_and(|rest| !rest.is_empty() && !digits(rest))
            }),
            Self::Photo => {
                Self::Url.fits(value) || text.is_some_and(|it| it.starts_with("data:image/png;base64,"))
            }
            Self::Digest => text.is_some_and(|it| {
                it.len() == 64 && it.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'a'..=b'f'))
            }),
            Self::Number => value.is_number(),
            Self::Integer => value.is_u64() || value.is_i64(),
            Self::Flag => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Texts => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
            Self::Objects => value.as_array().is_some_and(|all| all.iter().all(Value::is_object)),
        }
    }
}

/// The fields that were seen with a value.
#[derive(Default)]
pub struct Seen(BTreeSet<(&'static str, &'static str)>);

impl Seen {
    /// Checks that every field is present with its shape.
    pub fn object(&mut self, table: &'static str, fields: &[Field], object: &Value) {
        for field in fields {
            let place = format!("{table}.{}", field.name);
            let Some(value) = object.get(field.name) else { panic!("{place} is missing: {object}") };
            if value.is_null() {
                assert!(field.nullable, "{place} is null: {object}");
                continue;
            }
            assert!(field.shape.fits(value), "{place} is not {:?}: {object}", field.shape);
            self.0.insert((table, field.name));
        }
    }

    /// Checks every object of a list.
    pub fn objects(&mut self, table: &'static str, fields: &[Field], objects: &Value) {
        let objects = objects.as_array().unwrap_or_else(|| panic!("{table} is not a list: {objects}"));
        objects.iter().for_each(|it| self.object(table, fields, it));
    }

    /// Returns the fields that were never seen with a value.
    pub fn never(&self, table: &'static str, fields: &[Field]) -> Vec<String> {
        let unseen = fields.iter().filter(|it| !self.0.contains(&(table, it.name)));
        unseen.map(|it| format!("{table}.{}", it.name)).collect()
    }
}

#[test]
fn shape_rejects_values_of_another_format() {
    use serde_json::json;
    assert!(Shape::Moment.fits(&json!("2026-11-20T11:07:11.000Z")));
    assert!(!Shape::Moment.fits(&json!("2026-11-20T11:07:11.000+01:00")));
    assert!(!Shape::Day.fits(&json!("2026-11-2")));
    assert!(!Shape::Id("a").fits(&json!("archive-0192f0c1a2b37c4d8e5f60718293a4b5")));
    assert!(Shape::User.fits(&json!("demo-0192f0c1a2b37c4d8e5f60718293a4b5")));
    assert!(!Shape::Integer.fits(&json!(1.5)) && Shape::Number.fits(&json!(1.5)));
    let missing = std::panic::catch_unwind(|| {
        Seen::default().object("Thing", &[field("id", Shape::Text)], &json!({"other": 1}));
    });
    assert!(missing.is_err());
}
