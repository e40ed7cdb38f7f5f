//! Documents: uploaded archives, files of providers, and the ports that read and store them.

pub mod archive;
pub mod document_reader;
pub mod file_store;
pub mod provider_file;
