//! Persistence: one SQL text a statement for SQLite and PostgreSQL, migrations, keys, files.
