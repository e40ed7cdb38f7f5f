//! The forms of values, and how they are parsed from text.

mod code;
mod date;
mod money;
mod reading;
mod value;

pub(crate) use date::{Order, dates};
pub(crate) use money::{amount, apart, parse_with_confidence};
pub(crate) use reading::{Named, Reading};
pub(crate) use value::{M, Value};
