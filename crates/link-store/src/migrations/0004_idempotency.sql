-- Answers given to requests under an Idempotency-Key. Keys and requests are known by keyed hashes alone; an answer is
-- sealed with the key of the scope it belongs to, or with the service's own where it belongs to none.

CREATE TABLE idempotency_keys (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    fingerprint BYTES NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    subject_id TEXT,
    scope_id TEXT,
    settled BIGINT NOT NULL,
    answer BYTES
) STRICT;
CREATE INDEX idempotency_keys_subject ON idempotency_keys (subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX idempotency_keys_age ON idempotency_keys (expires_at);
