//! `bench`: figures, each a module of its name.

pub mod size;
