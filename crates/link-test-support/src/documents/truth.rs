//! The content of a document.

mod builder;
mod content;
mod kinds;
mod numbers;
mod person;
mod show;
mod words;

pub use content::{Country, Fact, Movement, Truth};
pub use kinds::invent;
pub use show::group_digits;
