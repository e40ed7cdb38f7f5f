//! Types that all neighbourhoods share: time, owners, digests, encrypted values, erasure scopes and sources of data.

pub mod clock;
pub mod context;
pub mod digest;
pub mod future;
pub mod languages;
pub mod owner;
pub mod retention;
pub mod scope;
pub(crate) mod sealed;
pub mod sealing;
pub mod source;
pub mod stored_at;
pub mod system;
