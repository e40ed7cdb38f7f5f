-- Failed tries of logins by what they are counted by; the subject is a keyed hash.
CREATE TABLE guess_counts (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject BYTES NOT NULL,
    failures BIGINT NOT NULL,
    successes BIGINT NOT NULL,
    since BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, mode, kind, subject)
) STRICT;
CREATE INDEX guess_counts_last ON guess_counts (last_at);
