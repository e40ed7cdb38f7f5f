-- Records and signals: what they ask and what they came to is sealed with a key of their own; no tombstone stays.

CREATE TABLE records (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX records_owner ON records (tenant_id, mode, id);

CREATE TABLE signals (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    kind TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX signals_owner ON signals (tenant_id, mode, kind, id);
