-- SQLite alone: scopes lie in the order of their ids, so that each is written once.
CREATE TABLE scopes_anew (
    scope_id TEXT PRIMARY KEY NOT NULL,
    epoch BIGINT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO scopes_anew (scope_id, epoch) SELECT scope_id, epoch FROM scopes ORDER BY scope_id;
DROP TABLE scopes;
ALTER TABLE scopes_anew RENAME TO scopes;

-- Where rows were moved between pages, copies of keys may lie that no deletion found. The old pages are zeroed; from here
-- on keys are added at the end and written over, and never moved.
CREATE TABLE scope_keys_anew (
    scope_id TEXT PRIMARY KEY NOT NULL,
    day BIGINT NOT NULL,
    wrapped BYTES NOT NULL,
    renewed BIGINT NOT NULL DEFAULT 0
) STRICT;
INSERT INTO scope_keys_anew (scope_id, day, wrapped, renewed)
    SELECT scope_id, day, wrapped, renewed FROM scope_keys ORDER BY rowid;
DROP TABLE scope_keys;
ALTER TABLE scope_keys_anew RENAME TO scope_keys;
CREATE INDEX scope_keys_day ON scope_keys (day);
CREATE INDEX scope_keys_renewed ON scope_keys (day) WHERE renewed = 1;
