//! The service through its real router, on both databases.
