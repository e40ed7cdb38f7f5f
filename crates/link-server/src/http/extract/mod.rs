//! Extractors: what a handler takes from a request. Each rejects a request that lacks it.

pub mod body;
pub mod caller;
pub mod query;
pub mod session_caller;
pub mod standing;

use std::fmt::Display;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use link_types::problem::ProblemCode;

use crate::http::problem::Problem;

/// Extracts the id in the path. A malformed id gets 404, with its form.
pub struct PathId<T>(pub T);

impl<T: FromStr<Err: Display>, S: Send + Sync> FromRequestParts<S> for PathId<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(text) =
            Path::<String>::from_request_parts(parts, state).await.map_err(|_| Problem::missing())?;
        text.parse().map(Self).map_err(|error: T::Err| malformed_id(&error))
    }
}

fn malformed_id(error: &impl Display) -> Problem {
    Problem::new(
        ProblemCode::MissingResource,
        format!("Nothing has this id, because it is malformed: {error}."),
    )
}

/// Extracts the two ids in a path, each like [`PathId`].
pub struct PathIds<A, B>(pub A, pub B);

impl<A: FromStr<Err: Display>, B: FromStr<Err: Display>, S: Send + Sync> FromRequestParts<S>
    for PathIds<A, B>
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let texts = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((first, second)) = texts.map_err(|_| Problem::missing())?;
        let first = first.parse().map_err(|error: A::Err| malformed_id(&error))?;
        let second = second.parse().map_err(|error: B::Err| malformed_id(&error))?;
        Ok(Self(first, second))
    }
}
