//! Invented data of an invented person, always the same for the same provider and login. Names are made up, and numbers
//! come from unassigned ranges: `example.com`, phone and social security numbers of zeros.

mod batch;
mod documents;
mod identity;
mod jobs;
mod money;
mod person;
mod portrait;

pub(crate) use batch::{GIG, HEALTH, HOUSING, PAYROLL, PENSION, REGISTRY, SOCIAL_SECURITY, batch};

#[cfg(test)]
mod consistency;
#[cfg(test)]
mod tests;
