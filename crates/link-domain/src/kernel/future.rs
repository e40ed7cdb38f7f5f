//! The future that ports return.

use std::future::Future;
use std::pin::Pin;

/// Future returned by a port that works outside the process.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
