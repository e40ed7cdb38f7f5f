//! Reads JavaScript values as wire types.
//!
//! Small on purpose: a struct is read field by field in its own order, so that the parts of serde's generated code which
//! match keys, fill slots and describe mistakes never reach the wasm. Against serde-wasm-bindgen's decoder this saves
//! about a fifth of the module. What it asks in return holds for every type of ours: no tagged, untagged, flattened or
//! defaulted fields.

use js_sys::{Array, Object, Reflect};
use serde::de::value::U32Deserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error, Expected, IntoDeserializer, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use wasm_bindgen::{JsCast, JsValue};

/// A value that is not of the type asked for. What it is instead is not said: it may be personal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// Reads a value.
///
/// # Errors
///
/// When a field is missing or of another type.
pub fn decode<T: DeserializeOwned>(value: JsValue) -> Result<T, Unreadable> {
    T::deserialize(Value(value))
}

impl core::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("value of another type")
    }
}

impl core::error::Error for Unreadable {}

// Every default of this trait formats a sentence; none of them may be linked in.
impl Error for Unreadable {
    fn custom<T: core::fmt::Display>(_: T) -> Self {
        Self
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self
    }

    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn missing_field(_: &'static str) -> Self {
        Self
    }

    fn duplicate_field(_: &'static str) -> Self {
        Self
    }
}

struct Value(JsValue);

impl Value {
    #[inline(never)]
    fn text(&self) -> Result<String, Unreadable> {
        self.0.as_string().or_unreadable()
    }

    /// A whole number that JavaScript's own numbers hold exactly.
    #[inline(never)]
    fn whole(&self) -> Result<i64, Unreadable> {
        let number = self.0.as_f64().or_unreadable()?;
        let whole = number as i64;
        if whole as f64 == number { Ok(whole) } else { Err(Unreadable) }
    }

    #[inline(never)]
    fn field(&self, name: &str) -> Value {
        Value(Reflect::get(&self.0, &name.into()).unwrap_or(JsValue::UNDEFINED))
    }
}

impl Value {
    #[inline(never)]
    fn variant(self, variants: &'static [&'static str]) -> Result<Variant, Unreadable> {
        let (word, content) = match self.0.as_string() {
            Some(word) => (word, Value(JsValue::UNDEFINED)),
            None => {
                let object = self.0.dyn_into::<Object>().ok().or_unreadable()?;
                let word = Object::keys(&object).get(0).as_string().or_unreadable()?;
                let content = Value(object.into()).field(&word);
                (word, content)
            }
        };
        let number = variants.iter().position(|variant| *variant == word).or_unreadable()?;
        Ok(Variant { number: number as u32, content })
    }
}

trait OrUnreadable<T> {
    fn or_unreadable(self) -> Result<T, Unreadable>;
}

impl<T> OrUnreadable<T> for Option<T> {
    fn or_unreadable(self) -> Result<T, Unreadable> {
        self.ok_or(Unreadable)
    }
}

macro_rules! whole_numbers {
    ($($method:ident)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
            visitor.visit_i64(self.whole()?)
        })+
    };
}

impl<'de> serde::Deserializer<'de> for Value {
    type Error = Unreadable;

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_bool(self.0.as_bool().or_unreadable()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        if self.0.is_null() || self.0.is_undefined() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let items = self.0.dyn_into::<Array>().ok().or_unreadable()?;
        visitor.visit_seq(Items { items, at: 0 })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        if self.0.is_object() { visitor.visit_seq(Fields { object: self, fields }) } else { Err(Unreadable) }
    }

    /// A word, or an object whose one key is the variant. Variants go by number: no code is made to match their names.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        let variant = self.variant(variants)?;
        visitor.visit_enum(variant)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable)
    }

    serde::forward_to_deserialize_any! {
        i128 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map identifier
    }
}

/// The fields of a struct, in the order of its declaration.
struct Fields {
    object: Value,
    fields: &'static [&'static str],
}

impl Fields {
    #[inline(never)]
    fn next(&mut self) -> Option<Value> {
        let (name, rest) = self.fields.split_first()?;
        self.fields = rest;
        Some(self.object.field(name))
    }
}

impl<'de> SeqAccess<'de> for Fields {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unreadable> {
        match self.next() {
            Some(value) => seed.deserialize(value).map(Some),
            None => Ok(None),
        }
    }
}

struct Items {
    items: Array,
    at: u32,
}

impl Items {
    #[inline(never)]
    fn next(&mut self) -> Option<Value> {
        let at = self.at;
        self.at += 1;
        (at < self.items.length()).then(|| Value(self.items.get(at)))
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unreadable> {
        match self.next() {
            Some(value) => seed.deserialize(value).map(Some),
            None => Ok(None),
        }
    }
}

struct Variant {
    number: u32,
    content: Value,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Unreadable;
    type Variant = Value;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Value), Unreadable> {
        let number: U32Deserializer<Unreadable> = self.number.into_deserializer();
        Ok((seed.deserialize(number)?, self.content))
    }
}

impl<'de> VariantAccess<'de> for Value {
    type Error = Unreadable;

    fn unit_variant(self) -> Result<(), Unreadable> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Unreadable> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        serde::Deserializer::deserialize_struct(self, "", fields, visitor)
    }
}
