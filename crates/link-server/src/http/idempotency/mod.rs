//! `Idempotency-Key`: a repeated POST runs once and gets the same response.
//!
//! Our own: a middleware with a response cache runs an effect twice if it fails before the cache is written (ADR 85).
//!
//! Every POST of the tenant's API runs its unit of work through [`TenantCaller::once`], whether or not the caller
//! sent a key. The unit returns its change and its response as an [`IdempotentResponse`]:
//!
//! ```text
//! pub(super) async fn handler(caller: TenantCaller, Body(body): Body<CreateThing>) -> ApiResult<Response> {
//!     let owner = caller.owner().clone();
//!     caller
//!         .once(move |tx, context| {
//!             let user = tx.users().get(&owner, &body.user_id)?.ok_or_else(Problem::missing)?;
//!             let (thing, change) = Thing::create(&user, body.clone(), context);
//!             Ok(IdempotentResponse::created(&thing.view(), change)?.about(Subject::Thing(thing.id)))
//!         })
//!         .await
//! }
//! ```
//!
//! - [`IdempotentResponse::about`] names the resource that the stored response describes. The response is sealed with
//!   the resource's key and erased with it.
//! - [`IdempotentResponse::secret_until`] sets when to delete a stored response that contains a secret, such as a link
//!   token.
//! - An error rolls the unit back and frees the key, so the caller can correct the request and send it again.
//! - Call [`TenantCaller::answered`] before checks outside the unit whose result may change, such as a DNS lookup.
//! - A POST that calls another system starts with [`TenantCaller::begin`], makes the call, and ends with
//!   [`TenantCaller::settle`].
//! - The fingerprint of a request includes its body, so the handler must take it through [`Body`].
//!
//! [`Body`]: crate::http::extract::body::Body
//! [`TenantCaller::answered`]: crate::http::extract::caller::TenantCaller::answered
//! [`TenantCaller::begin`]: crate::http::extract::caller::TenantCaller::begin
//! [`TenantCaller::once`]: crate::http::extract::caller::TenantCaller::once
//! [`TenantCaller::settle`]: crate::http::extract::caller::TenantCaller::settle

mod kept;
pub(in crate::http) mod key;
mod response;
mod run;

pub use self::kept::{IDEMPOTENCY_REPLAYED, replayed};
pub use self::key::IDEMPOTENCY_KEY;
pub use self::response::IdempotentResponse;
pub use self::run::{Begun, IsOver};
