//! Reads JavaScript values as wire types.
//!
//! Two choices keep it small. It reads the fields of a struct in their declared order, so that serde's code to match
//! keys, fill slots and describe errors stays out of the wasm. And reading never fails half-way: a missing or mistyped
//! value is read as empty and recorded, so that no type needs code to drop its other fields; the whole value is
//! discarded at the end.
//!
//! Our own: about 20 KB (brotli) smaller than serde-wasm-bindgen; that reading never fails saves 3.8 KB more (ADR 14).
//!
//! It supports only what the wire types use: no tagged, untagged, flattened or defaulted fields.

use core::cell::Cell;

use js_sys::{Array, Object, Reflect};
use serde::de::value::U32Deserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error, IntoDeserializer, SeqAccess, VariantAccess, Visitor,
};
use wasm_bindgen::{JsCast, JsValue};

/// A value has another type than expected. The value is not reported, because it may be personal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError;

/// Reads a value.
///
/// # Errors
///
/// A field is missing or has another type.
pub fn decode<T: DeserializeOwned>(value: JsValue) -> Result<T, DecodeError> {
    SOUND.set(true);
    let Ok(read) = T::deserialize(Value(value));
    if SOUND.get() { Ok(read) } else { Err(DecodeError) }
}

thread_local! {
    /// Whether everything read so far had the expected type.
    static SOUND: Cell<bool> = const { Cell::new(true) };
}

/// Returns the value, or an empty one in its place if the whole is unsound.
fn sound<T: Default>(found: Option<T>) -> T {
    found.unwrap_or_else(|| {
        unsound();
        T::default()
    })
}

fn unsound() {
    SOUND.set(false);
}

/// An uninhabited error: the compiler knows that reading continues, and omits the code for failures.
#[derive(Debug)]
enum NeverError {}

impl core::fmt::Display for NeverError {
    fn fmt(&self, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {}
    }
}

impl core::error::Error for NeverError {}

impl Error for NeverError {
    /// Fails for types whose values are restricted: they must not check if `is_human_readable` is false.
    fn custom<T: core::fmt::Display>(_: T) -> Self {
        unreachable!()
    }
}

/// Panics, because no wire type has this kind. The first test that reads such a type fails here.
fn unknown_kind() -> ! {
    unreachable!()
}

struct Value(JsValue);

impl Value {
    fn text(&self) -> String {
        sound(self.0.as_string())
    }

    fn flag(&self) -> bool {
        sound(self.0.as_bool())
    }

    /// Returns a whole number up to a maximum.
    fn whole(&self, limit: u32) -> u32 {
        let number = sound(self.0.as_f64());
        let whole = number as u32;
        if f64::from(whole) != number || whole > limit {
            unsound();
            return 0;
        }
        whole
    }

    fn field(&self, name: &str) -> Value {
        Value(Reflect::get(&self.0, &name.into()).unwrap_or(JsValue::UNDEFINED))
    }

    fn is_nothing(&self) -> bool {
        self.0.is_null() || self.0.is_undefined()
    }

    fn items(self) -> Items {
        Items {
            items: self.0.dyn_into().unwrap_or_else(|_| {
                unsound();
                Array::new()
            }),
            at: 0,
        }
    }

    fn fields(self, fields: &'static [&'static str]) -> Fields {
        if !self.0.is_object() {
            unsound();
        }
        Fields { object: self, fields }
    }

    /// Returns a string, or an object whose only key is the variant. Variants are read by number, which needs no code
    /// to match names.
    fn variant(self, variants: &'static [&'static str]) -> Variant {
        let (word, content) = match self.0.as_string() {
            Some(word) => (word, Value(JsValue::UNDEFINED)),
            None => {
                let keys = self.0.dyn_ref::<Object>().map(Object::keys).unwrap_or_default();
                let word = keys.get(0).as_string().unwrap_or_default();
                let content = self.field(&word);
                (word, content)
            }
        };
        let number = sound(variants.iter().position(|variant| *variant == word));
        Variant { number: number as u32, content }
    }
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $number:ty;)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NeverError> {
            visitor.$visit(self.whole(<$number>::MAX.into()) as $number)
        })+
    };
}

impl<'de> serde::Deserializer<'de> for Value {
    type Error = NeverError;

    /// Returns false: the service wrote the value from these types, so no second check is needed.
    fn is_human_readable(&self) -> bool {
        false
    }

    whole_numbers! {
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NeverError> {
        visitor.visit_bool(self.flag())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NeverError> {
        visitor.visit_string(self.text())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NeverError> {
        visitor.visit_string(self.text())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NeverError> {
        if self.is_nothing() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, NeverError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NeverError> {
        visitor.visit_seq(self.items())
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NeverError> {
        visitor.visit_seq(self.fields(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NeverError> {
        visitor.visit_enum(self.variant(variants))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NeverError> {
        unknown_kind()
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map identifier
        ignored_any
    }
}

/// The fields of a struct, in the order of its declaration.
struct Fields {
    object: Value,
    fields: &'static [&'static str],
}

impl Fields {
    fn next(&mut self) -> Value {
        let Some((name, rest)) = self.fields.split_first() else { return Value(JsValue::UNDEFINED) };
        self.fields = rest;
        self.object.field(name)
    }
}

impl<'de> SeqAccess<'de> for Fields {
    type Error = NeverError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, NeverError> {
        seed.deserialize(self.next()).map(Some)
    }
}

struct Items {
    items: Array,
    at: u32,
}

impl Items {
    fn next(&mut self) -> Option<Value> {
        let at = self.at;
        self.at += 1;
        (at < self.items.length()).then(|| Value(self.items.get(at)))
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = NeverError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, NeverError> {
        self.next().map(|value| seed.deserialize(value)).transpose()
    }
}

struct Variant {
    number: u32,
    content: Value,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = NeverError;
    type Variant = Value;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Value), NeverError> {
        let number: U32Deserializer<NeverError> = self.number.into_deserializer();
        Ok((seed.deserialize(number)?, self.content))
    }
}

impl<'de> VariantAccess<'de> for Value {
    type Error = NeverError;

    fn unit_variant(self) -> Result<(), NeverError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, NeverError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, NeverError> {
        unknown_kind()
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NeverError> {
        serde::Deserializer::deserialize_struct(self, "", fields, visitor)
    }
}
