//! Query parameters. Reports all faults at once, and rejects unknown parameters.
//!
//! Our own: axum's `Query` reports only the first fault, and ignores unknown parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::Uri;
use axum::http::request::Parts;
use link_domain::kernel::clock::TenantTime;
use link_store::{Created, ListFilters, PageRequest, PageSize};
use link_types::id::LinkSiteSessionId;
use link_types::list::MAX_SIZE;
use link_types::problem::{FaultCode, FieldFault};
use link_types::{Date, Month};
use utoipa::ToSchema;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::openapi::{Ref, RefOr, Required};

use crate::http::problem::{BAD_CURSOR, MAX_FAULTS, Problem, fault, is_enough};

/// Maximum length of a cursor. The longest has a list of 4,000 characters as a filter.
const MAX_CURSOR: usize = 8_000;
const CURSOR: &str = "`nextCursor` of the previous page or of a payload. It contains the filters.";

/// A set of query parameters.
pub trait FromQuery: Sized {
    /// Takes the parameters of this set. The parameters that remain are unknown.
    ///
    /// The OpenAPI document is built from the same calls, made with an empty query. Therefore, every parameter must be
    /// taken regardless of the values of the others.
    fn take(query: &mut QueryFields) -> Self;
}

/// Extracts the request's query as a `T`. In the `params` of an operation, it documents the fields of `T`.
pub struct Query<T>(pub T);

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let mut fields = QueryFields::parse(parts.uri.query().unwrap_or_default());
        let read = T::take(&mut fields);
        fields.finish().map(|()| Self(read))
    }
}

impl<T: FromQuery> utoipa::IntoParams for Query<T> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let mut fields = QueryFields { documented: Some(Vec::new()), ..QueryFields::default() };
        T::take(&mut fields);
        fields.documented.unwrap_or_default()
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

/// The parameters that are not yet taken, and the faults found so far.
///
/// In the methods, `about` is the description of the parameter in the OpenAPI document.
#[derive(Default)]
pub struct QueryFields {
    left: BTreeMap<String, String>,
    /// The filters, both given and from the cursor.
    filters: ListFilters,
    /// The names of the filters that only the cursor has.
    carried: BTreeSet<String>,
    faults: Vec<FieldFault>,
    /// The parameters taken so far, if they are taken for the document.
    documented: Option<Vec<Parameter>>,
}

impl QueryFields {
    fn parse(query: &str) -> Self {
        let mut fields = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let name: String = name.chars().take(64).collect();
            if fields.left.insert(name.clone(), value.into_owned()).is_some() && !is_enough(&fields.faults) {
                fields.faults.push(fault(name, FaultCode::Invalid, "given more than once"));
            }
        }
        fields.add_filters_of_cursor();
        fields
    }

    /// Adds the filters that the cursor carries. A filter that is also given must have the same value. The list then
    /// verifies the cursor with all filters.
    fn add_filters_of_cursor(&mut self) {
        let cursor = self.left.get("cursor").filter(|it| it.len() <= MAX_CURSOR);
        let carried = cursor.map(|it| ListFilters::of_cursor(it)).unwrap_or_default();
        for (name, value) in carried.into_iter().filter(|(name, _)| is_filter(name)) {
            match self.left.get(&name) {
                None => {
                    self.left.insert(name.clone(), value);
                    self.carried.insert(name);
                }
                Some(given) if *given == value => {}
                Some(_) => self.refuse(&name, "the same value as in the request that returned the cursor"),
            }
        }
        let filters = self.left.iter().filter(|(name, _)| is_filter(name));
        self.filters = ListFilters::new(filters.map(|(name, value)| (name.as_str(), value.as_str())));
    }

    fn document(
        &mut self,
        name: &str,
        about: &str,
        required: Required,
        schema: impl FnOnce() -> RefOr<Schema>,
    ) {
        if let Some(documented) = &mut self.documented {
            let parameter = ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Query)
                .description(Some(about))
                .required(required)
                .schema(Some(schema()));
            documented.push(parameter.build());
        }
    }

    /// Takes an optional parameter whose schema is a component of the document. `form` describes the expected value.
    pub fn take_optional<T>(&mut self, name: &str, about: &str, form: &str) -> Option<T>
    where
        T: FromStr<Err: Display> + ToSchema,
    {
        self.document(name, about, Required::False, || Ref::from_schema_name(T::name()).into());
        self.value(name, form)
    }

    /// Takes a required parameter, like [`QueryFields::take_optional`]. If this returns `None`, there is a fault, so
    /// [`Query`] rejects the request.
    pub fn take_required<T>(&mut self, name: &str, about: &str, form: &str) -> Option<T>
    where
        T: FromStr<Err: Display> + ToSchema,
    {
        self.document(name, about, Required::True, || Ref::from_schema_name(T::name()).into());
        if !self.left.contains_key(name) {
            let message = format!("required in the query of the URL, like ?{name}=…: {form}");
            self.faults.push(fault(name, FaultCode::Missing, message));
        }
        self.value(name, form)
    }

    fn value<T: FromStr<Err: Display>>(&mut self, name: &str, form: &str) -> Option<T> {
        let read = self.left.remove(name)?.parse::<T>();
        if let Err(error) = &read {
            // The errors of ids name their form.
            let message = match error.to_string().strip_prefix("expected an identifier like ") {
                Some(like) => format!("{form}, of the form {like}"),
                None => form.to_owned(),
            };
            self.faults.push(fault(name, FaultCode::Invalid, message));
        }
        read.ok()
    }

    /// Adds a fault for a parameter that was parsed but is not acceptable.
    pub fn refuse(&mut self, name: &str, form: &str) {
        self.faults.push(fault(name, FaultCode::Invalid, form));
    }

    /// Adds a fault for a parameter that is out of its range.
    pub fn refuse_range(&mut self, name: &str, range: &str) {
        self.faults.push(fault(name, FaultCode::OutOfRange, range));
    }

    /// Takes a whole number from `min` to `max`.
    pub fn in_range(&mut self, name: &str, about: &str, (min, max): (u32, u32)) -> Option<u32> {
        self.document(name, about, Required::False, || whole_number(min, max).into());
        self.number(name, min, max)
    }

    fn number(&mut self, name: &str, min: u32, max: u32) -> Option<u32> {
        let text = self.left.remove(name)?;
        let read = text.parse().ok().filter(|it| (min..=max).contains(it));
        if read.is_none() {
            self.faults.push(fault(name, FaultCode::OutOfRange, format!("{min} to {max}")));
        }
        read
    }

    /// Takes free text of at most `max` characters.
    pub fn text(&mut self, name: &str, about: &str, max: usize) -> Option<String> {
        self.document(name, about, Required::False, || {
            ObjectBuilder::new().schema_type(Type::String).max_length(Some(max)).into()
        });
        let text = self.left.remove(name)?;
        if text.chars().count() > max {
            self.faults.push(fault(name, FaultCode::TooLong, format!("at most {max} characters")));
        }
        if text.contains('\0') {
            self.faults.push(fault(name, FaultCode::Invalid, "without the character U+0000"));
        }
        Some(text)
    }

    /// Takes `size`, 150 by default, and `cursor`.
    pub fn page(&mut self) -> PageRequest {
        self.page_of(PageSize::default())
    }

    /// Takes `size`, with another default, and `cursor`.
    pub fn page_of(&mut self, default: PageSize) -> PageRequest {
        let max = u32::from(MAX_SIZE);
        self.document("size", "Maximum number of items on a page.", Required::False, || {
            whole_number(1, max).default(Some(default.get().into())).into()
        });
        let size =
            self.number("size", 1, max).and_then(|it| PageSize::new(it.into()).ok()).unwrap_or(default);
        let cursor = self.text("cursor", CURSOR, MAX_CURSOR);
        PageRequest { size, cursor, filters: std::mem::take(&mut self.filters) }
    }

    /// Takes `startDate` and `endDate`, both inclusive.
    pub fn dates(&mut self, abouts: [&str; 2]) -> (Option<Date>, Option<Date>) {
        self.span(["startDate", "endDate"], abouts, "a date, like 2026-11-20")
    }

    /// Takes `startMonth` and `endMonth`, both inclusive.
    pub fn months(&mut self) -> (Option<Month>, Option<Month>) {
        let abouts = ["First month.", "Last month, inclusive."];
        self.span(["startMonth", "endMonth"], abouts, "a month, like 2026-11")
    }

    /// Takes the two ends of a period. The end must not be before the start.
    pub fn span<T: FromStr<Err: Display> + PartialOrd + ToSchema>(
        &mut self,
        [first, last]: [&str; 2],
        [of_first, of_last]: [&str; 2],
        form: &str,
    ) -> (Option<T>, Option<T>) {
        let (start, end): (Option<T>, Option<T>) =
            (self.take_optional(first, of_first, form), self.take_optional(last, of_last, form));
        if start.as_ref().zip(end.as_ref()).is_some_and(|(start, end)| end < start) {
            self.faults.push(fault(last, FaultCode::OutOfRange, format!("not before {first}")));
        }
        (start, end)
    }

    /// Takes `linkSiteSessionId`, the visit of the hosted pages in which the items of a list were made.
    pub fn visit(&mut self) -> Option<LinkSiteSessionId> {
        self.take_optional(
            "linkSiteSessionId",
            "Return only what was made in this visit of the hosted pages",
            "a visit's id, like visit-…",
        )
    }

    /// Takes `startDate` and `endDate` as a range of creation times in UTC.
    pub fn take_creation_range(&mut self) -> Created {
        between_days(self.dates(["First day of creation, UTC.", "Last day of creation, UTC, inclusive."]))
    }

    fn finish(self) -> Result<(), Problem> {
        let faults = self.all_faults();
        if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
    }

    fn all_faults(self) -> Vec<FieldFault> {
        let mut faults = self.faults;
        let unknown = self.left.into_keys().map(|name| fault(name, FaultCode::Unknown, "no such parameter"));
        faults.extend(unknown.take(MAX_FAULTS + 1));
        // The caller did not send these parameters. The cursor is of another list, or was changed.
        let count = faults.len();
        faults.retain(|it| !self.carried.contains(&it.field));
        if faults.len() < count {
            faults.push(fault("cursor", FaultCode::Invalid, BAD_CURSOR));
        }
        faults
    }
}

/// Returns whether a parameter of a list is a filter.
fn is_filter(name: &str) -> bool {
    !matches!(name, "cursor" | "size")
}

fn whole_number(min: u32, max: u32) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .minimum(Some(min))
        .maximum(Some(max))
}

/// Returns a fault for every parameter of an endpoint that takes none.
pub(super) fn find_unknown_parameters(uri: &Uri) -> Vec<FieldFault> {
    QueryFields::parse(uri.query().unwrap_or_default()).all_faults()
}

/// Returns the range of creation times from the start of one day to the end of another, in UTC.
pub fn between_days((start, end): (Option<Date>, Option<Date>)) -> Created {
    let start_of = |day: Date| TenantTime::from_micros(day.start().as_micros());
    Created { from: start.map(start_of), until: end.map(|it| start_of(it.plus_days(1))) }
}

#[cfg(test)]
mod tests {
    use link_types::id::UserId;

    use super::*;

    #[test]
    fn all_query_faults_are_reported_at_once() {
        let mut fields = QueryFields::parse("size=0&odd=1&day=yesterday&name=abcd&name=x");
        fields.page();
        fields.take_optional::<Date>("day", "", "a date");
        fields.take_required::<UserId>("id", "", "an id");
        fields.text("name", "", 3);
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

    #[test]
    fn fault_of_an_id_shows_its_form_and_place() {
        let mut fields = QueryFields::parse("userId=42");
        fields.take_required::<UserId>("userId", "", "a user's id");
        fields.take_required::<UserId>("id", "", "a user's id");
        let messages: Vec<_> = fields.faults.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages[0], "a user's id, of the form <tenant>-<32 hex digits>");
        assert!(messages[1].contains("in the query") && messages[1].contains("?id="), "{messages:?}");
    }

    struct Filter;

    impl FromQuery for Filter {
        fn take(query: &mut QueryFields) -> Self {
            query.take_required::<UserId>("userId", "The user's id", "a user's id");
            query.text("name", "Part of the name", 200);
            query.page();
            Self
        }
    }

    #[test]
    fn taken_parameters_are_documented_in_order() {
        let parameters = <Query<Filter> as utoipa::IntoParams>::into_params(|| None);
        let documented = serde_json::to_value(parameters).unwrap();
        let expected = serde_json::json!([
            {"name": "userId", "in": "query", "description": "The user's id", "required": true,
             "schema": {"$ref": "#/components/schemas/UserId"}},
            {"name": "name", "in": "query", "description": "Part of the name", "required": false,
             "schema": {"type": "string", "maxLength": 200}},
            {"name": "size", "in": "query", "description": "Maximum number of items on a page.", "required": false,
             "schema": {"type": "integer", "format": "int32", "default": 150, "minimum": 1, "maximum": 150}},
            {"name": "cursor", "in": "query", "description": CURSOR, "required": false,
             "schema": {"type": "string", "maxLength": 8000}},
        ]);
        assert_eq!(documented, expected);
    }

    #[test]
    fn requests_are_read_without_building_documentation() {
        let mut fields = QueryFields::parse("name=x");
        Filter::take(&mut fields);
        assert!(fields.documented.is_none());
    }
}
