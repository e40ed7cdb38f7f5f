//! Groups the methods of a resource.

/// Declares a resource, and the methods of [`crate::Reader`] and [`crate::Tx`] that return it.
///
/// Implement what only reads for every `S: ReadSession`. Lookups differ: with a [`crate::Tx`], they lock the row.
macro_rules! resource {
    ($(#[$doc:meta])* $name:ident, $accessor:ident) => {
        $(#[$doc])*
        pub struct $name<'s, S>(pub(in crate::tables) &'s mut S);

        impl<'c, S: $crate::reader::ReadSession<'c>> $name<'_, S> {
            pub(in crate::tables) fn session(&mut self) -> &mut $crate::sql::Session<'c> {
                &mut self.0.reader().session
            }
        }

        impl $crate::Reader<'_> {
            #[doc = concat!("Returns the methods of [`crate::resources::", stringify!($name), "`].")]
            pub fn $accessor(&mut self) -> $name<'_, Self> {
                $name(self)
            }
        }

        impl $crate::Tx<'_> {
            #[doc = concat!("Returns the methods of [`crate::resources::", stringify!($name), "`].")]
            pub fn $accessor(&mut self) -> $name<'_, Self> {
                $name(self)
            }
        }
    };
}
pub(super) use resource;
