-- What is kept beside a user is sealed with a key of the user's own, and found by a keyed hash of the reference. What is
-- here already waits in a table of its own until the program, which has the keys, has sealed it (`sealing_users.rs`).
CREATE TABLE users_unsealed (id TEXT PRIMARY KEY NOT NULL, reference TEXT, body BYTES NOT NULL) STRICT;
INSERT INTO users_unsealed (id, reference, body) SELECT id, reference, body FROM users;
DROP INDEX users_reference;
ALTER TABLE users DROP COLUMN reference;
ALTER TABLE users ADD COLUMN reference_hash TEXT;
CREATE UNIQUE INDEX users_reference ON users (tenant_id, mode, reference_hash) WHERE reference_hash IS NOT NULL;

-- The key of a thing without a last day is wrapped anew from time to time.
ALTER TABLE scope_keys ADD COLUMN renewed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX scope_keys_renewed ON scope_keys (day) WHERE renewed = 1;

-- What receivers answered to events of users was sealed with a key that no erasure destroys.
UPDATE delivery_attempts SET response_body = NULL WHERE scope_id IS NULL AND response_body IS NOT NULL;
