-- Where a person is in an attempt, what the widget told of itself, and what a person could not find.

ALTER TABLE link_attempts ADD COLUMN place BYTES;

-- An opening's last event says where its person left.
CREATE TABLE ui_openings (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    opening TEXT NOT NULL,
    template_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    last_seq BIGINT NOT NULL,
    last_event TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, mode, user_id, opening)
) STRICT;
CREATE INDEX ui_openings_template ON ui_openings (template_id, received_at);
CREATE INDEX ui_openings_attempt ON ui_openings (attempt_id, received_at);
CREATE INDEX ui_openings_age ON ui_openings (received_at);

CREATE TABLE ui_events (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    opening TEXT NOT NULL,
    seq BIGINT NOT NULL,
    event_name TEXT NOT NULL,
    after_ms BIGINT NOT NULL,
    account_id TEXT,
    archive_id TEXT,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, mode, user_id, opening, seq)
) STRICT;
CREATE INDEX ui_events_age ON ui_events (received_at);

-- Places in the widget's program, as numbers: no personal data.
CREATE TABLE ui_traps (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    opening TEXT NOT NULL,
    template_id TEXT NOT NULL,
    build TEXT NOT NULL,
    offsets TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, mode, user_id, opening, build, offsets)
) STRICT;
CREATE INDEX ui_traps_template ON ui_traps (template_id, received_at);
CREATE INDEX ui_traps_age ON ui_traps (received_at);

CREATE TABLE surveys (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    template_id TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX surveys_template ON surveys (template_id, received_at);
CREATE INDEX surveys_age ON surveys (received_at);
