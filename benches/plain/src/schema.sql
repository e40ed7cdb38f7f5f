CREATE TABLE keys (id TEXT PRIMARY KEY, secret_hash {BYTES} NOT NULL, tenant TEXT NOT NULL);

CREATE TABLE users (
    id {ID} PRIMARY KEY, tenant TEXT NOT NULL, created_at BIGINT NOT NULL, reference TEXT, external_metadata {JSON} NOT NULL,
    UNIQUE (tenant, reference)
);

CREATE TABLE tokens (hash {BYTES} PRIMARY KEY, user_id {ID} NOT NULL REFERENCES users, expires_at BIGINT NOT NULL);

CREATE TABLE accounts (
    id {ID} PRIMARY KEY, tenant TEXT NOT NULL, created_at BIGINT NOT NULL, user_id TEXT NOT NULL, provider_id TEXT NOT NULL,
    connection_status TEXT NOT NULL, monitor_status TEXT NOT NULL, details {JSON} NOT NULL
);
CREATE INDEX accounts_of_tenant ON accounts (tenant, id);

CREATE TABLE webhooks (
    id {ID} PRIMARY KEY, tenant TEXT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL, is_active BOOLEAN NOT NULL
);

CREATE TABLE events (id {ID} PRIMARY KEY, tenant TEXT NOT NULL, created_at BIGINT NOT NULL, body TEXT NOT NULL);

CREATE TABLE deliveries (
    id {NUMBER}, event_id {ID} NOT NULL REFERENCES events, webhook_id {ID} NOT NULL REFERENCES webhooks, status TEXT NOT NULL,
    attempts BIGINT NOT NULL, due_at BIGINT NOT NULL
);
CREATE INDEX due_deliveries ON deliveries (due_at) WHERE status = 'PENDING';
