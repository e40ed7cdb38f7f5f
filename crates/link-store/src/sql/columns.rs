//! Names the columns that statements select, so that rows are read by name.

/// The columns of a table that statements select, in order. [`columns!`] implements it.
pub(crate) trait ColumnList {
    /// The number of columns.
    const COUNT: usize;
}

/// Declares the columns of a table that statements select, in order.
///
/// Declares a macro that returns their names for a statement, each with a prefix such as `"a."`, and a struct with the
/// position of each column in a row. The positions are constants, so that no name is looked up at run time. A computed
/// column is followed by its expression, which gets no prefix:
///
/// ```text
/// columns! {
///     /// The columns of a tenant.
///     tenant_columns => struct Columns { id, name, is_ahead = "t.sandbox_offset > 0" }
/// }
/// const COLUMNS: Columns = Columns::after(0);
///
/// const FIND: &str = concat!("SELECT ", tenant_columns!("t."), " FROM tenants t WHERE t.id = ?1");
///
/// fn read(row: &Row<'_>) -> Result<(String, String, bool), StoreError> {
///     Ok((row.text(COLUMNS.id)?, row.text(COLUMNS.name)?, row.truth(COLUMNS.is_ahead)?))
/// }
/// ```
macro_rules! columns {
    (@select $prefix:literal $column:ident) => { concat!($prefix, stringify!($column)) };
    (@select $prefix:literal $column:ident $expression:literal) => { $expression };
    (@declare ($d:tt) $(#[$doc:meta])* $names:ident, $Columns:ident, $first:ident $(= $first_expression:literal)?
        $(, $column:ident $(= $expression:literal)?)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $Columns {
            pub(crate) $first: usize,
            $(pub(crate) $column: usize,)*
        }

        impl $Columns {
            /// Returns the positions in a row in which other columns precede these.
            pub(crate) const fn after(preceding: usize) -> Self {
                let mut next = preceding;
                Self {
                    $first: next,
                    $($column: {
                        next += 1;
                        next
                    },)*
                }
            }
        }

        impl $crate::sql::columns::ColumnList for $Columns {
            const COUNT: usize = [stringify!($first) $(, stringify!($column))*].len();
        }

        macro_rules! $names {
            ($d prefix:literal) => {
                concat!(
                    $crate::sql::columns!(@select $d prefix $first $($first_expression)?)
                    $(, ", ", $crate::sql::columns!(@select $d prefix $column $($expression)?))*
                )
            };
        }
    };
    ($(#[$doc:meta])* $names:ident => struct $Columns:ident {
        $($column:ident $(= $expression:literal)?),+ $(,)?
    }) => {
        columns! { @declare ($) $(#[$doc])* $names, $Columns, $($column $(= $expression)?),+ }
    };
}
pub(crate) use columns;

#[cfg(test)]
mod tests {
    use super::*;

    columns! {
        /// Columns of an account.
        account_columns => struct Columns { id, tenant_id, body }
    }
    columns! {
        /// Columns of a key.
        key_columns => struct KeyColumns { day, wrapped }
    }
    columns! {
        /// The number of accounts of a tenant.
        count_columns => struct CountColumns { accounts = "COUNT(*)", tenant_id }
    }

    #[test]
    fn positions_follow_the_order_of_the_names() {
        assert_eq!(
            concat!(account_columns!("a."), ", ", key_columns!("")),
            "a.id, a.tenant_id, a.body, day, wrapped"
        );
        let Columns { id, tenant_id, body } = Columns::after(0);
        let KeyColumns { day, wrapped } = KeyColumns::after(Columns::COUNT);
        assert_eq!([id, tenant_id, body, day, wrapped], [0, 1, 2, 3, 4]);
        assert_eq!(KeyColumns::COUNT, 2);
    }

    #[test]
    fn computed_columns_select_their_expression() {
        assert_eq!(count_columns!("a."), "COUNT(*), a.tenant_id");
        let CountColumns { accounts, tenant_id } = CountColumns::after(1);
        assert_eq!([accounts, tenant_id, CountColumns::COUNT], [1, 2, 2]);
    }
}
