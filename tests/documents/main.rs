//! Documents, generated and judged: the inspection against bad files.

mod bad_files;
mod inspection;
