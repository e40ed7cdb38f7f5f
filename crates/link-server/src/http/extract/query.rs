//! Query parameters and path ids. Reports all faults at once, and rejects unknown parameters.
//!
//! Our own: axum's `Query` reports only the first fault, and ignores unknown parameters.

use std::collections::BTreeMap;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use axum::http::Uri;
use axum::http::request::Parts;
use link_domain::clock::TenantTime;
use link_store::{Created, PageRequest, PageSize};
use link_types::list::MAX_SIZE;
use link_types::problem::{FaultCode, FieldFault};
use link_types::{Date, Month};

use crate::http::problem::{MAX_FAULTS, Problem, fault, is_enough};

/// A set of query parameters.
pub trait FromQuery: Sized {
    /// Takes the parameters of this set. The parameters that remain are unknown.
    fn take(query: &mut QueryFields) -> Self;
}

/// Extracts the request's query as a `T`.
pub struct Query<T>(pub T);

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let mut fields = QueryFields::parse(parts.uri.query().unwrap_or_default());
        let read = T::take(&mut fields);
        fields.finish().map(|()| Self(read))
    }
}

/// The query of an endpoint that takes no parameters.
pub struct NoQuery;

impl FromQuery for NoQuery {
    fn take(_: &mut QueryFields) -> Self {
        Self
    }
}

/// The query of a list without filters: `size` and `cursor`.
pub struct PageQuery(pub PageRequest);

impl FromQuery for PageQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self(query.page())
    }
}

/// The documentation of `size` and `cursor`, for every list.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields")]
pub struct PageParams {
    /// Maximum number of items on a page.
    #[param(minimum = 1, maximum = 150, default = 10)]
    size: Option<u16>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
}

/// The documentation of `startDate` and `endDate`, for lists that filter by creation time.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields")]
pub struct CreatedParams {
    /// First day of creation, UTC.
    start_date: Option<Date>,
    /// Last day of creation, UTC, inclusive.
    end_date: Option<Date>,
}

/// The parameters that are not yet taken, and the faults found so far.
pub struct QueryFields {
    left: BTreeMap<String, String>,
    faults: Vec<FieldFault>,
}

impl QueryFields {
    fn parse(query: &str) -> Self {
        let mut fields = Self { left: BTreeMap::new(), faults: Vec::new() };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let name: String = name.chars().take(64).collect();
            if fields.left.insert(name.clone(), value.into_owned()).is_some() && !is_enough(&fields.faults) {
                fields.faults.push(fault(name, FaultCode::Invalid, "given more than once"));
            }
        }
        fields
    }

    /// Takes an optional parameter. `form` describes the expected value.
    pub fn optional<T: FromStr>(&mut self, name: &str, form: &str) -> Option<T> {
        let text = self.left.remove(name)?;
        let read = text.parse().ok();
        if read.is_none() {
            self.faults.push(fault(name, FaultCode::Invalid, form));
        }
        read
    }

    /// Takes a required parameter. If this returns `None`, there is a fault, so [`Query`] rejects the request.
    pub fn required<T: FromStr>(&mut self, name: &str, form: &str) -> Option<T> {
        if !self.left.contains_key(name) {
            self.faults.push(fault(name, FaultCode::Missing, "required"));
        }
        self.optional(name, form)
    }

    /// Adds a fault for a parameter that was parsed but is not acceptable.
    pub fn refuse(&mut self, name: &str, form: &str) {
        self.faults.push(fault(name, FaultCode::Invalid, form));
    }

    /// Takes a whole number from `min` to `max`.
    pub fn in_range(&mut self, name: &str, min: u64, max: u64) -> Option<u64> {
        let text = self.left.remove(name)?;
        let read = text.parse().ok().filter(|it| (min..=max).contains(it));
        if read.is_none() {
            self.faults.push(fault(name, FaultCode::OutOfRange, format!("{min} to {max}")));
        }
        read
    }

    /// Takes free text of at most `max` characters.
    pub fn text(&mut self, name: &str, max: usize) -> Option<String> {
        let text = self.left.remove(name)?;
        if text.chars().count() > max {
            self.faults.push(fault(name, FaultCode::TooLong, format!("at most {max} characters")));
        }
        if text.contains('\0') {
            self.faults.push(fault(name, FaultCode::Invalid, "without the character U+0000"));
        }
        Some(text)
    }

    /// Takes `size` and `cursor`.
    pub fn page(&mut self) -> PageRequest {
        let size = match self.left.remove("size").map(|it| it.parse().map(PageSize::new)) {
            None => PageSize::default(),
            Some(Ok(Ok(size))) => size,
            Some(Ok(Err(_)) | Err(_)) => {
                self.faults.push(fault("size", FaultCode::OutOfRange, format!("1 to {MAX_SIZE}")));
                PageSize::default()
            }
        };
        PageRequest { size, cursor: self.text("cursor", 1_000) }
    }

    /// Takes `startDate` and `endDate`, both inclusive.
    pub fn dates(&mut self) -> (Option<Date>, Option<Date>) {
        self.span(["startDate", "endDate"], "a date, like 2026-11-20")
    }

    /// Takes `startMonth` and `endMonth`, both inclusive.
    pub fn months(&mut self) -> (Option<Month>, Option<Month>) {
        self.span(["startMonth", "endMonth"], "a month, like 2026-11")
    }

    /// Takes the two ends of a period. The end must not be before the start.
    fn span<T: FromStr + PartialOrd>(
        &mut self,
        [first, last]: [&str; 2],
        form: &str,
    ) -> (Option<T>, Option<T>) {
        let (start, end): (Option<T>, Option<T>) = (self.optional(first, form), self.optional(last, form));
        if start.as_ref().zip(end.as_ref()).is_some_and(|(start, end)| end < start) {
            self.faults.push(fault(last, FaultCode::OutOfRange, format!("not before {first}")));
        }
        (start, end)
    }

    /// Takes `startDate` and `endDate` as a range of creation times in UTC.
    pub fn created(&mut self) -> Created {
        created_between(self.dates())
    }

    fn finish(self) -> Result<(), Problem> {
        let faults = self.all_faults();
        if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
    }

    fn all_faults(self) -> Vec<FieldFault> {
        let mut faults = self.faults;
        let unknown = self.left.into_keys().map(|name| fault(name, FaultCode::Unknown, "no such parameter"));
        faults.extend(unknown.take(MAX_FAULTS + 1));
        faults
    }
}

/// Returns a fault for every parameter of an endpoint that takes none.
pub(super) fn unknown_parameters(uri: &Uri) -> Vec<FieldFault> {
    QueryFields::parse(uri.query().unwrap_or_default()).all_faults()
}

/// Returns the range of creation times from the start of one day to the end of another, in UTC.
pub fn created_between((start, end): (Option<Date>, Option<Date>)) -> Created {
    let start_of = |day: Date| TenantTime::from_micros(day.start().as_micros());
    Created { from: start.map(start_of), until: end.map(|it| start_of(it.plus_days(1))) }
}

/// Extracts the id in the path. A malformed id gets 404.
pub struct PathId<T>(pub T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for PathId<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(text) =
            Path::<String>::from_request_parts(parts, state).await.map_err(|_| Problem::missing())?;
        text.parse().map(Self).map_err(|_| Problem::missing())
    }
}

/// Extracts the two ids in a path, each like [`PathId`].
pub struct PathIds<A, B>(pub A, pub B);

impl<A: FromStr, B: FromStr, S: Send + Sync> FromRequestParts<S> for PathIds<A, B> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let texts = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((first, second)) = texts.map_err(|_| Problem::missing())?;
        match (first.parse(), second.parse()) {
            (Ok(first), Ok(second)) => Ok(Self(first, second)),
            (Ok(_) | Err(_), Ok(_) | Err(_)) => Err(Problem::missing()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_query_faults_are_reported_at_once() {
        let mut fields = QueryFields::parse("size=0&odd=1&day=yesterday&name=abcd&name=x");
        fields.page();
        fields.optional::<Date>("day", "a date");
        fields.required::<u32>("id", "a number");
        fields.text("name", 3);
        let mut names: Vec<_> = fields.faults.iter().map(|it| (it.field.as_str(), it.code)).collect();
        names.sort();
        let expected = [
            ("day", FaultCode::Invalid),
            ("id", FaultCode::Missing),
            ("name", FaultCode::Invalid),
            ("size", FaultCode::OutOfRange),
        ];
        assert_eq!(names, expected);
        assert!(fields.finish().is_err());
    }
}
