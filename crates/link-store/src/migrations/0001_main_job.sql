-- One text for SQLite and PostgreSQL: TEXT, BIGINT (microseconds, counts, flags 0/1), BYTES.
-- `body` and other sealed columns hold XChaCha20-Poly1305; what is filtered by stands beside them in clear.

CREATE TABLE master_keys (
    slot BIGINT PRIMARY KEY,
    key_id TEXT NOT NULL,
    check_value BYTES NOT NULL
) STRICT;

CREATE TABLE scopes (
    scope_id TEXT PRIMARY KEY NOT NULL,
    epoch BIGINT NOT NULL
) STRICT;

CREATE TABLE scope_keys (
    scope_id TEXT PRIMARY KEY NOT NULL,
    day BIGINT NOT NULL,
    wrapped BYTES NOT NULL
) STRICT;
CREATE INDEX scope_keys_day ON scope_keys (day);

CREATE TABLE erasures (
    scope_id TEXT PRIMARY KEY NOT NULL,
    erased_at BIGINT NOT NULL
) STRICT;

CREATE TABLE tenants (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    sandbox_offset BIGINT NOT NULL
) STRICT;

CREATE TABLE api_keys (
    key_hash BYTES PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    secret_hash BYTES NOT NULL,
    previous_secret_hash BYTES,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
) STRICT;
CREATE INDEX api_keys_owner ON api_keys (tenant_id, mode, created_at);

CREATE TABLE consent_templates (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX consent_templates_owner ON consent_templates (tenant_id, mode, id);

CREATE TABLE link_templates (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX link_templates_owner ON link_templates (tenant_id, mode, id);

CREATE TABLE users (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    reference TEXT,
    event_count BIGINT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX users_owner ON users (tenant_id, mode, id);
CREATE UNIQUE INDEX users_reference ON users (tenant_id, mode, reference) WHERE reference IS NOT NULL;

CREATE TABLE link_tokens (
    hash BYTES PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    consumed_at BIGINT,
    consumed_by BYTES
) STRICT;
CREATE INDEX link_tokens_expiry ON link_tokens (expires_at);

CREATE TABLE link_sessions (
    id TEXT PRIMARY KEY NOT NULL,
    secret_hash BYTES NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    template_id TEXT NOT NULL,
    host_origin TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    ended TEXT
) STRICT;
CREATE UNIQUE INDEX link_sessions_secret ON link_sessions (secret_hash);
CREATE INDEX link_sessions_age ON link_sessions (created_at);

CREATE TABLE link_attempts (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    template_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    account_id TEXT,
    created_at BIGINT NOT NULL,
    ended_at BIGINT
) STRICT;
CREATE UNIQUE INDEX link_attempts_open ON link_attempts (tenant_id, mode, user_id, template_id)
    WHERE ended_at IS NULL;

CREATE TABLE login_tries (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    login_hash BYTES NOT NULL,
    failures BIGINT NOT NULL,
    failed_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, mode, user_id, provider_id, login_hash)
) STRICT;

CREATE TABLE accounts (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    login_hash BYTES,
    monitor BYTES NOT NULL,
    tombstone BYTES,
    body BYTES
) STRICT;
CREATE INDEX accounts_owner ON accounts (tenant_id, mode, id);
CREATE INDEX accounts_user ON accounts (tenant_id, mode, user_id, id);
CREATE INDEX accounts_login ON accounts (user_id, provider_id, login_hash) WHERE login_hash IS NOT NULL;

CREATE TABLE tasks (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    source_id TEXT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX tasks_owner ON tasks (tenant_id, mode, id);
CREATE INDEX tasks_user ON tasks (tenant_id, mode, user_id, id);
CREATE INDEX tasks_source ON tasks (tenant_id, mode, source_id, id);

CREATE TABLE data_points (
    id TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    source_id TEXT NOT NULL,
    source_type TEXT NOT NULL,
    source_created_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    date TEXT,
    month TEXT,
    scope_id TEXT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX data_points_owner ON data_points (tenant_id, mode, kind, id);
CREATE INDEX data_points_user ON data_points (tenant_id, mode, kind, user_id, id);
CREATE INDEX data_points_source ON data_points (tenant_id, mode, kind, source_id, id);
CREATE INDEX data_points_scope ON data_points (scope_id);

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL,
    secret BYTES NOT NULL,
    next_secret BYTES
) STRICT;
CREATE INDEX webhooks_owner ON webhooks (tenant_id, mode, id);

CREATE TABLE events (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    event_type TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    open BYTES NOT NULL,
    scope_id TEXT,
    plain BYTES,
    with_payload BYTES
) STRICT;
CREATE INDEX events_owner ON events (tenant_id, mode, id);
CREATE INDEX events_type ON events (tenant_id, mode, event_type, id);
CREATE INDEX events_subject ON events (tenant_id, mode, subject, id);
CREATE INDEX events_scope ON events (scope_id) WHERE scope_id IS NOT NULL;

-- A delivery is pending while run_at is there; `ending` says how it ended. It is blocked while the first attempt
-- of an earlier event of its subject has not ended.
CREATE TABLE deliveries (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    include_payload BIGINT NOT NULL,
    attempts_made BIGINT NOT NULL,
    blocked BIGINT NOT NULL,
    due_at BIGINT,
    run_at BIGINT,
    ending TEXT,
    lease_owner TEXT,
    lease_until BIGINT,
    fence BIGINT NOT NULL
) STRICT;
CREATE INDEX deliveries_webhook ON deliveries (tenant_id, mode, webhook_id, id);
CREATE INDEX deliveries_event ON deliveries (event_id);
CREATE INDEX deliveries_first ON deliveries (webhook_id, run_at, id)
    WHERE run_at IS NOT NULL AND lease_owner IS NULL AND attempts_made = 0 AND blocked = 0;
CREATE INDEX deliveries_resend ON deliveries (webhook_id, run_at, id)
    WHERE run_at IS NOT NULL AND lease_owner IS NULL AND attempts_made > 0 AND blocked = 0;
CREATE INDEX deliveries_order ON deliveries (webhook_id, subject, sequence)
    WHERE run_at IS NOT NULL AND attempts_made = 0;
CREATE INDEX deliveries_due ON deliveries (run_at) WHERE run_at IS NOT NULL AND lease_owner IS NULL;
CREATE INDEX deliveries_held ON deliveries (webhook_id) WHERE lease_owner IS NOT NULL;
CREATE INDEX deliveries_lapse ON deliveries (lease_until) WHERE lease_owner IS NOT NULL;
CREATE INDEX deliveries_worker ON deliveries (lease_owner) WHERE lease_owner IS NOT NULL;

CREATE TABLE delivery_attempts (
    delivery_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    response_status BIGINT,
    error TEXT,
    scope_id TEXT,
    response_body BYTES,
    PRIMARY KEY (delivery_id, number)
) STRICT;
CREATE INDEX delivery_attempts_scope ON delivery_attempts (scope_id) WHERE scope_id IS NOT NULL;

CREATE TABLE jobs (
    id TEXT PRIMARY KEY NOT NULL,
    key TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    kind BYTES NOT NULL,
    due_at BIGINT NOT NULL,
    run_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    lease_owner TEXT,
    lease_until BIGINT,
    fence BIGINT NOT NULL
) STRICT;
CREATE UNIQUE INDEX jobs_key ON jobs (key);
CREATE INDEX jobs_due ON jobs (run_at, id);
CREATE INDEX jobs_worker ON jobs (lease_owner) WHERE lease_owner IS NOT NULL;

CREATE TABLE billing_records (
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (kind, subject)
) STRICT;
CREATE INDEX billing_records_owner ON billing_records (tenant_id, mode, at);
