-- When accounts were linked, what accounts were exported as, and the statuses of tasks.

CREATE TABLE account_links (
    account_id TEXT NOT NULL,
    linked_at BIGINT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    PRIMARY KEY (account_id, linked_at)
) STRICT;
CREATE INDEX account_links_user ON account_links (tenant_id, mode, user_id, provider_id, linked_at);

-- The rendered file is sealed with its account's key and goes with it.
CREATE TABLE exports (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_version BIGINT NOT NULL,
    format TEXT NOT NULL,
    sha256 BYTES NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX exports_account ON exports (account_id, format, id);
CREATE INDEX exports_expiry ON exports (expires_at);

-- A task written before this version has none, and is found under no status.
ALTER TABLE tasks ADD COLUMN status TEXT;

-- What a user leaves behind is looked for by the user alone when the user is erased.
CREATE INDEX archives_unsubmitted ON archives (tenant_id, mode, user_id, id) WHERE submitted_at IS NULL;
CREATE INDEX link_tokens_user ON link_tokens (user_id);
CREATE INDEX link_sessions_user ON link_sessions (user_id);
CREATE INDEX link_attempts_user ON link_attempts (user_id);
CREATE INDEX surveys_user ON surveys (user_id);
