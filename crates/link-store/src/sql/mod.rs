//! A typed layer over both drivers: one text per statement, four types of values.

pub(crate) mod columns;
pub(crate) mod row;
pub(crate) mod session;
pub(crate) mod statement;
pub(crate) mod value;

pub(crate) use columns::{ColumnList, columns};
pub(crate) use row::Row;
pub(crate) use session::Session;
pub(crate) use statement::{Sql, statements};
pub(crate) use value::{Param, params};
