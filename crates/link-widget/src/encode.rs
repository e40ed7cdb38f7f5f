//! Writes wire types as JavaScript values: the counterpart of [`decode`](crate::decode).
//!
//! Our own: both together are about 20 KB (brotli) smaller than serde-wasm-bindgen (ADR 14).

use js_sys::{Array, Object, Reflect};
use serde::ser::{
    Error, Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeStructVariant, Serializer,
};
use wasm_bindgen::JsValue;

/// Writes a value. Returns null for a kind of type that no wire type has.
pub fn encode<T: Serialize + ?Sized>(value: &T) -> JsValue {
    value.serialize(Writer).unwrap_or(JsValue::NULL)
}

/// A kind of type that this writer does not support.
#[derive(Clone, Copy, Debug)]
pub struct EncodeError;

impl std::fmt::Display for EncodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("type")
    }
}

impl std::error::Error for EncodeError {}

impl Error for EncodeError {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

#[derive(Clone, Copy)]
struct Writer;

macro_rules! numbers {
    ($($method:ident: $number:ty)+) => {
        $(fn $method(self, number: $number) -> Result<JsValue, EncodeError> {
            Ok(JsValue::from_f64(f64::from(number)))
        })+
    };
}

macro_rules! unwritable {
    ($($method:ident($($kind:ty),*) -> $output:ty;)+) => {
        $(fn $method(self, $(_: $kind),*) -> Result<$output, EncodeError> {
            Err(EncodeError)
        })+
    };
}

type Never = Impossible<JsValue, EncodeError>;

impl Serializer for Writer {
    type Ok = JsValue;
    type Error = EncodeError;
    type SerializeSeq = Items;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Fields;

    numbers! {
        serialize_i8: i8 serialize_i16: i16 serialize_i32: i32
        serialize_u8: u8 serialize_u16: u16 serialize_u32: u32
    }

    unwritable! {
        serialize_i64(i64) -> JsValue;
        serialize_u64(u64) -> JsValue;
        serialize_f32(f32) -> JsValue;
        serialize_f64(f64) -> JsValue;
        serialize_char(char) -> JsValue;
        serialize_bytes(&[u8]) -> JsValue;
        serialize_unit_struct(&'static str) -> JsValue;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(&'static str, usize) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_map(Option<usize>) -> Never;
    }

    fn serialize_bool(self, on: bool) -> Result<JsValue, EncodeError> {
        Ok(JsValue::from_bool(on))
    }

    fn serialize_str(self, text: &str) -> Result<JsValue, EncodeError> {
        Ok(JsValue::from_str(text))
    }

    fn serialize_none(self) -> Result<JsValue, EncodeError> {
        Ok(JsValue::NULL)
    }

    fn serialize_unit(self) -> Result<JsValue, EncodeError> {
        Ok(JsValue::NULL)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<JsValue, EncodeError> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<JsValue, EncodeError> {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<JsValue, EncodeError> {
        Ok(JsValue::from_str(variant))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<JsValue, EncodeError> {
        Ok(tag(variant, &value.serialize(self)?))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, EncodeError> {
        Ok(Items(Array::new()))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields, EncodeError> {
        Ok(Fields { object: Object::new(), variant: None })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields, EncodeError> {
        Ok(Fields { object: Object::new(), variant: Some(variant) })
    }
}

/// Sets a property.
pub fn put(object: &Object, name: &str, value: &JsValue) {
    // Fails only for frozen objects and proxies; these are new and plain.
    let _ = Reflect::set(object, &JsValue::from_str(name), value);
}

fn tag(variant: &str, content: &JsValue) -> JsValue {
    let object = Object::new();
    put(&object, variant, content);
    object.into()
}

struct Items(Array);

impl SerializeSeq for Items {
    type Ok = JsValue;
    type Error = EncodeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.0.push(&value.serialize(Writer)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, EncodeError> {
        Ok(self.0.into())
    }
}

struct Fields {
    object: Object,
    variant: Option<&'static str>,
}

impl SerializeStruct for Fields {
    type Ok = JsValue;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        put(&self.object, name, &value.serialize(Writer)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, EncodeError> {
        let object = self.object.into();
        Ok(match self.variant {
            Some(variant) => tag(variant, &object),
            None => object,
        })
    }
}

impl SerializeStructVariant for Fields {
    type Ok = JsValue;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        SerializeStruct::serialize_field(self, name, value)
    }

    fn end(self) -> Result<JsValue, EncodeError> {
        SerializeStruct::end(self)
    }
}
