-- What was erased and not swept yet, so that a process that was killed in between owes it still. SQLite has nothing to sweep:
-- there it stays empty.
CREATE TABLE unswept (
    scope_id TEXT PRIMARY KEY NOT NULL
) STRICT;
