-- The schema of both databases in one text. It uses three types: TEXT (compared byte by byte), BIGINT (microseconds, counts,
-- flags 0 and 1) and BYTES. `body` and other sealed columns hold XChaCha20-Poly1305; the columns that lists filter by are
-- unencrypted next to them.

-- Keys and erasure.

-- One row per master key of this database. The current one has no `replaced_at`, and wraps the root key. That of a replaced
-- one is overwritten with zeros.
CREATE TABLE master_keys (
    key_id TEXT PRIMARY KEY NOT NULL,
    root_key BYTES NOT NULL,
    created_at BIGINT NOT NULL,
    replaced_at BIGINT
) STRICT;
CREATE UNIQUE INDEX master_keys_current ON master_keys ((replaced_at IS NULL)) WHERE replaced_at IS NULL;

CREATE TABLE scopes (
    scope_id TEXT PRIMARY KEY NOT NULL,
    epoch BIGINT NOT NULL
) STRICT, WITHOUT ROWID;

-- `wrapped` is the key of a scope, wrapped by the key of its day. Keys are appended and overwritten in place, never
-- moved, so that no copy of an erased key stays in an old page of SQLite. `renewed = 1` marks keys of scopes without a last
-- day: they are wrapped again from time to time.
CREATE TABLE scope_keys (
    scope_id TEXT PRIMARY KEY NOT NULL,
    day BIGINT NOT NULL,
    wrapped BYTES NOT NULL,
    renewed BIGINT NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX scope_keys_day ON scope_keys (day);
CREATE INDEX scope_keys_renewed ON scope_keys (day) WHERE renewed = 1;

CREATE TABLE erasures (
    scope_id TEXT PRIMARY KEY NOT NULL,
    erased_at BIGINT NOT NULL
) STRICT;
CREATE INDEX erasures_erased ON erasures (erased_at);

-- PostgreSQL: scopes that were erased and whose old row versions a vacuum has not removed yet. A process that is killed in
-- between finds them here. Always empty on SQLite.
CREATE TABLE pending_vacuums (
    scope_id TEXT PRIMARY KEY NOT NULL
) STRICT;

-- Tenants and their API keys.

-- `standing` is ACTIVE, SUSPENDED, MOVING, ARRIVING, DELETED or ERASED; `standing_since` and `erase_at` are null if it has no such
-- time. `is_moved` = 1: deleted, because another installation serves the tenant. `export_hash` is the SHA-256 of the code of the
-- export by which the tenant leaves, left or arrived, and `import_hash` the random value of its import.
CREATE TABLE tenants (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    sandbox_offset BIGINT NOT NULL,
    standing TEXT NOT NULL,
    standing_since BIGINT,
    erase_at BIGINT,
    is_moved BIGINT NOT NULL DEFAULT 0,
    export_hash BYTES,
    import_hash BYTES
) STRICT;
CREATE INDEX tenants_advanced ON tenants (id, sandbox_offset) WHERE sandbox_offset > 0;
CREATE INDEX tenants_stopped ON tenants (id) WHERE standing <> 'ACTIVE';

-- The latest advance of each sandbox's clock. `moved_at` is when the clock moved to its present instant, null if the
-- advance has finished.
CREATE TABLE clock_advances (
    tenant_id TEXT PRIMARY KEY NOT NULL,
    from_at BIGINT NOT NULL,
    until_at BIGINT NOT NULL,
    steps BIGINT NOT NULL,
    status TEXT NOT NULL,
    moved_at BIGINT
) STRICT;

CREATE TABLE api_keys (
    key_hash BYTES PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    secret_hash BYTES NOT NULL,
    previous_secret_hash BYTES,
    name TEXT NOT NULL,
    last_four TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT
) STRICT;
CREATE INDEX api_keys_owner ON api_keys (tenant_id, mode, created_at);

-- The audit log. Units of work add events to the outbox, and a worker moves them to their tenant's chain.

CREATE TABLE audit_outbox (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_events (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    at BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    hash BYTES NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX audit_events_owner ON audit_events (tenant_id, mode, id);
CREATE INDEX audit_events_action ON audit_events (tenant_id, mode, action, id);
CREATE INDEX audit_events_actor ON audit_events (tenant_id, mode, actor, id);
CREATE INDEX audit_events_chain ON audit_events (tenant_id, sequence);

CREATE TABLE audit_chains (
    tenant_id TEXT PRIMARY KEY NOT NULL,
    removed_sequence BIGINT NOT NULL,
    removed_hash BYTES NOT NULL,
    last_sequence BIGINT NOT NULL,
    last_hash BYTES NOT NULL
) STRICT;

-- Programs that wait until a member creates the API key whose digest is here, or have 10 minutes to learn it (`granted = 1`).
-- `code` is what they show, `mode` the environment that the person named.
CREATE TABLE key_requests (
    key_hash BYTES PRIMARY KEY NOT NULL,
    secret_hash BYTES NOT NULL,
    last_four TEXT NOT NULL,
    code TEXT NOT NULL,
    mode TEXT,
    granted BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) STRICT;
CREATE UNIQUE INDEX key_requests_code ON key_requests (code);
CREATE INDEX key_requests_expires ON key_requests (expires_at);

-- The developer portal: members of a tenant, their unused one-time addresses, their sessions, and their passkeys. `email_hash` is a keyed
-- hash of the e-mail address, which is in the sealed body.

CREATE TABLE console_members (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    email_hash BYTES NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE UNIQUE INDEX console_members_email ON console_members (email_hash, tenant_id);
CREATE INDEX console_members_tenant ON console_members (tenant_id, id);

CREATE TABLE console_addresses (
    member_id TEXT PRIMARY KEY NOT NULL,
    created_by TEXT,
    code_hash BYTES NOT NULL,
    expires_at BIGINT NOT NULL
) STRICT;
CREATE UNIQUE INDEX console_addresses_code ON console_addresses (code_hash);
CREATE INDEX console_addresses_expires ON console_addresses (expires_at);
CREATE INDEX console_addresses_created_by ON console_addresses (created_by);

CREATE TABLE console_sessions (
    id TEXT PRIMARY KEY NOT NULL,
    secret_hash BYTES NOT NULL,
    tenant_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    created_by TEXT,
    browser TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    confirmed_at BIGINT,
    is_by_provider BIGINT NOT NULL
) STRICT;
CREATE UNIQUE INDEX console_sessions_secret ON console_sessions (secret_hash);
CREATE INDEX console_sessions_member ON console_sessions (member_id, last_used_at);
CREATE INDEX console_sessions_created ON console_sessions (created_at);
CREATE INDEX console_sessions_created_by ON console_sessions (created_by);
CREATE INDEX console_sessions_tenant ON console_sessions (tenant_id, last_used_at);

CREATE TABLE console_passkeys (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    created_by TEXT,
    credential_hash BYTES NOT NULL,
    credential BYTES NOT NULL,
    browser TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
) STRICT;
CREATE UNIQUE INDEX console_passkeys_credential ON console_passkeys (credential_hash);
CREATE INDEX console_passkeys_member ON console_passkeys (member_id);
CREATE INDEX console_passkeys_created_by ON console_passkeys (created_by);

-- Challenges to which a passkey has responded. They cannot be used again before they expire.
CREATE TABLE console_challenges (
    hash BYTES PRIMARY KEY NOT NULL,
    expires_at BIGINT NOT NULL
) STRICT;
CREATE INDEX console_challenges_expires ON console_challenges (expires_at);

-- Single sign-on: the provider of a tenant, its domains, the identities of members, and people on their way to a provider.
CREATE TABLE identity_providers (
    tenant_id TEXT PRIMARY KEY NOT NULL,
    body BYTES NOT NULL
) STRICT;

CREATE TABLE sign_on_domains (
    tenant_id TEXT NOT NULL,
    domain TEXT NOT NULL,
    token TEXT NOT NULL,
    proven_at BIGINT,
    PRIMARY KEY (tenant_id, domain)
) STRICT;
CREATE INDEX sign_on_domains_domain ON sign_on_domains (domain);

CREATE TABLE console_identities (
    member_id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    subject_hash BYTES NOT NULL,
    created_by TEXT,
    created_at BIGINT NOT NULL
) STRICT;
CREATE UNIQUE INDEX console_identities_subject ON console_identities (subject_hash);
CREATE INDEX console_identities_tenant ON console_identities (tenant_id);
CREATE INDEX console_identities_created_by ON console_identities (created_by);

CREATE TABLE console_departures (
    state_hash BYTES PRIMARY KEY NOT NULL,
    browser_hash BYTES NOT NULL,
    tenant_id TEXT NOT NULL,
    code_hash BYTES,
    session_id TEXT,
    expires_at BIGINT NOT NULL
) STRICT;
CREATE INDEX console_departures_tenant ON console_departures (tenant_id);
CREATE INDEX console_departures_expires ON console_departures (expires_at);

-- Templates. Deleted ones are kept while something cites them; list indexes skip them.

CREATE TABLE consent_templates (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL,
    deleted BIGINT NOT NULL DEFAULT 0,
    cited BIGINT NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX consent_templates_owner ON consent_templates (tenant_id, mode, id) WHERE deleted = 0;

CREATE TABLE link_templates (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL,
    deleted BIGINT NOT NULL DEFAULT 0,
    consent_template_id TEXT
) STRICT;
CREATE INDEX link_templates_consent ON link_templates (consent_template_id);
CREATE INDEX link_templates_owner ON link_templates (tenant_id, mode, id) WHERE deleted = 0;

-- Pictures of link templates, for anyone who has the name. `name` is derived from template and picture.
CREATE TABLE logos (
    name TEXT PRIMARY KEY NOT NULL,
    template_id TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    picture BYTES NOT NULL
) STRICT;
CREATE INDEX logos_template ON logos (template_id);

CREATE TABLE invite_templates (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL,
    deleted BIGINT NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX invite_templates_owner ON invite_templates (tenant_id, mode, id) WHERE deleted = 0;

-- What was saved of link, consent and invite templates. The newest 20 of each are kept.
CREATE TABLE template_versions (
    template_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL,
    PRIMARY KEY (template_id, version)
) STRICT;

-- Users.

-- `reference_hash` is a keyed hash of the tenant's reference.
CREATE TABLE users (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    body BYTES NOT NULL,
    reference_hash TEXT
) STRICT;
CREATE INDEX users_owner ON users (tenant_id, mode, id);
CREATE UNIQUE INDEX users_reference ON users (tenant_id, mode, reference_hash) WHERE reference_hash IS NOT NULL;

-- Linking: tokens, sessions, attempts.

CREATE TABLE link_tokens (
    hash BYTES PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    visit_id TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    consumed_at BIGINT,
    consumed_by BYTES,
    invite_id TEXT
) STRICT;
CREATE INDEX link_tokens_expiry ON link_tokens (expires_at);
CREATE INDEX link_tokens_sandbox_expiry ON link_tokens (tenant_id, expires_at) WHERE mode = 'SANDBOX';
CREATE INDEX link_tokens_user ON link_tokens (user_id);
CREATE INDEX link_tokens_invite ON link_tokens (invite_id) WHERE invite_id IS NOT NULL;

CREATE TABLE link_sessions (
    id TEXT PRIMARY KEY NOT NULL,
    secret_hash BYTES NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    visit_id TEXT,
    template_id TEXT NOT NULL,
    host_origin TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    ended TEXT,
    invite_id TEXT
) STRICT;
CREATE UNIQUE INDEX link_sessions_secret ON link_sessions (secret_hash);
CREATE INDEX link_sessions_age ON link_sessions (created_at);
CREATE INDEX link_sessions_user ON link_sessions (user_id);
CREATE INDEX link_sessions_invite ON link_sessions (invite_id) WHERE invite_id IS NOT NULL;

-- The latest hand-off of a session. `account_id` with `login_form`, or `archive_type`, is the step that continues on the
-- phone, and `secret_hash` the phone's credential.
CREATE TABLE link_handoffs (
    session_id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    token_hash BYTES NOT NULL,
    account_id TEXT,
    login_form BYTES,
    archive_type TEXT,
    number BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    continued_at BIGINT,
    secret_hash BYTES,
    ended TEXT
) STRICT;
CREATE UNIQUE INDEX link_handoffs_token ON link_handoffs (token_hash);
CREATE UNIQUE INDEX link_handoffs_secret ON link_handoffs (secret_hash) WHERE secret_hash IS NOT NULL;
CREATE INDEX link_handoffs_age ON link_handoffs (created_at);
CREATE INDEX link_handoffs_user ON link_handoffs (user_id);

-- `place` is the step to which a reload returns.
CREATE TABLE link_attempts (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    template_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    account_id TEXT,
    created_at BIGINT NOT NULL,
    ended_at BIGINT,
    place BYTES
) STRICT;
CREATE UNIQUE INDEX link_attempts_open ON link_attempts (tenant_id, mode, user_id, template_id)
    WHERE ended_at IS NULL;
CREATE INDEX link_attempts_end ON link_attempts (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX link_attempts_sandbox_end ON link_attempts (tenant_id, ended_at)
    WHERE mode = 'SANDBOX' AND ended_at IS NOT NULL;
CREATE INDEX link_attempts_user ON link_attempts (user_id);

-- Limits on guessing, and quotas of end users.

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
CREATE INDEX login_tries_failed ON login_tries (failed_at);

-- Failed tries of logins by what they are counted by. `subject` is a keyed hash.
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

-- `full_at` is the time from which the whole quota is available again. `subject` is the session for quotas that each session
-- has separately, otherwise empty.
CREATE TABLE quota_uses (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    quota TEXT NOT NULL,
    subject TEXT NOT NULL,
    full_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, mode, user_id, quota, subject)
) STRICT;
CREATE INDEX quota_uses_full ON quota_uses (full_at);

-- Uses of a user's daily upload quota. `bytes` is set for files only.
CREATE TABLE upload_uses (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    bytes BIGINT
) STRICT;
CREATE INDEX upload_uses_user ON upload_uses (tenant_id, mode, user_id, at);
CREATE INDEX upload_uses_age ON upload_uses (at);

-- Accounts and what was read from them.

CREATE TABLE accounts (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    visit_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    login_hash BYTES,
    connection_status TEXT NOT NULL,
    monitor_status TEXT NOT NULL,
    monitor BYTES NOT NULL,
    tombstone BYTES,
    body BYTES
) STRICT;
CREATE INDEX accounts_owner ON accounts (tenant_id, mode, id);
CREATE INDEX accounts_user ON accounts (tenant_id, mode, user_id, id);
CREATE INDEX accounts_provider ON accounts (tenant_id, mode, provider_id, id);
CREATE INDEX accounts_connection ON accounts (tenant_id, mode, connection_status, id);
CREATE INDEX accounts_monitor ON accounts (tenant_id, mode, monitor_status, id);
CREATE INDEX accounts_visit ON accounts (tenant_id, mode, visit_id, id) WHERE visit_id IS NOT NULL;
CREATE INDEX accounts_login ON accounts (user_id, provider_id, login_hash) WHERE login_hash IS NOT NULL;

-- When accounts were linked.
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

CREATE TABLE tasks (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    source_id TEXT NOT NULL,
    body BYTES NOT NULL,
    status TEXT
) STRICT;
CREATE INDEX tasks_owner ON tasks (tenant_id, mode, id);
CREATE INDEX tasks_user ON tasks (tenant_id, mode, user_id, id);
CREATE INDEX tasks_source ON tasks (tenant_id, mode, source_id, id);
CREATE INDEX tasks_status ON tasks (tenant_id, mode, status, id);

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

-- The rendered file is sealed with the key of its account and is erased with it.
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
CREATE INDEX exports_sandbox_expiry ON exports (tenant_id, expires_at) WHERE mode = 'SANDBOX';

-- Files of documents that a provider issued, and the source's names for them. Both are sealed with the account's key.
CREATE TABLE provider_files (
    document_id TEXT PRIMARY KEY NOT NULL,
    account_id TEXT NOT NULL,
    reference BYTES NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX provider_files_account ON provider_files (account_id);

-- Access of ended accounts that providers still have to end. The body is sealed with a separate key.

CREATE TABLE withdrawals (
    account_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    ends_at BIGINT NOT NULL,
    body BYTES NOT NULL,
    PRIMARY KEY (account_id, number)
) STRICT;

-- Archives: uploaded documents. The bytes of a file are outside the database, in sealed segments.

CREATE TABLE archives (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    visit_id TEXT,
    archive_type TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    submitted_at BIGINT,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    tombstone BYTES,
    body BYTES
) STRICT;
CREATE INDEX archives_owner ON archives (tenant_id, mode, id) WHERE submitted_at IS NOT NULL;
CREATE INDEX archives_user ON archives (tenant_id, mode, user_id, id) WHERE submitted_at IS NOT NULL;
CREATE INDEX archives_attempt ON archives (attempt_id, id);
CREATE INDEX archives_visit ON archives (tenant_id, mode, visit_id, id) WHERE submitted_at IS NOT NULL;
CREATE INDEX archives_unsubmitted ON archives (tenant_id, mode, user_id, id) WHERE submitted_at IS NULL;

-- The holder of a file is an archive or the answers to a form.
CREATE TABLE uploaded_files (
    id TEXT PRIMARY KEY NOT NULL,
    holder_id TEXT NOT NULL
) STRICT;
CREATE INDEX uploaded_files_holder ON uploaded_files (holder_id);

-- An object that no row here names is deleted by the housekeeping.
CREATE TABLE file_segments (
    file_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    holder_id TEXT NOT NULL,
    length BIGINT NOT NULL,
    object TEXT NOT NULL,
    PRIMARY KEY (file_id, position)
) STRICT;
CREATE INDEX file_segments_holder ON file_segments (holder_id);

-- Records and signals.

-- Request and result are sealed with the record's own key. No tombstone stays after an erasure.
CREATE TABLE records (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX records_owner ON records (tenant_id, mode, id);
CREATE INDEX records_user ON records (tenant_id, mode, user_id, id) WHERE user_id IS NOT NULL;

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

-- Invitations with their hosted pages and forms.

-- `progress` holds states and times, unencrypted. `body` is sealed; it and the hashes are removed when the invitation is
-- revoked.
CREATE TABLE invites (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    invite_template_id TEXT NOT NULL,
    link_template_id TEXT NOT NULL,
    link_site_id TEXT,
    visit_id TEXT,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    progress BYTES NOT NULL,
    code_hash BYTES,
    pixel_hash BYTES,
    address_hash BYTES,
    body BYTES
) STRICT;
-- Rows of files with people to invite. `key_hash` is a keyed hash of the tenant and the row, so that a row is invited once.
CREATE TABLE invited_rows (
    key_hash BYTES PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    invite_id TEXT NOT NULL
) STRICT;
CREATE INDEX invited_rows_invite ON invited_rows (invite_id);

CREATE INDEX invites_owner ON invites (tenant_id, mode, id);
CREATE INDEX invites_user ON invites (tenant_id, mode, user_id, id);
CREATE INDEX invites_status ON invites (tenant_id, mode, status, id);
CREATE INDEX invites_visit ON invites (tenant_id, mode, visit_id, id) WHERE visit_id IS NOT NULL;
CREATE INDEX invites_address ON invites (tenant_id, mode, address_hash, user_id, id) WHERE address_hash IS NOT NULL;
CREATE UNIQUE INDEX invites_code ON invites (code_hash) WHERE code_hash IS NOT NULL;
CREATE UNIQUE INDEX invites_pixel ON invites (pixel_hash) WHERE pixel_hash IS NOT NULL;

CREATE TABLE invite_accounts (
    account_id TEXT PRIMARY KEY NOT NULL,
    invite_id TEXT NOT NULL
) STRICT;
CREATE INDEX invite_accounts_invite ON invite_accounts (invite_id);

-- Link sites, and the versions of their forms. `slug` is unique in the whole service, also after the site is deleted if people
-- have opened it.
CREATE TABLE link_sites (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    slug TEXT NOT NULL,
    opened BIGINT NOT NULL,
    version_used BIGINT NOT NULL,
    versions BIGINT NOT NULL,
    host TEXT,
    body BYTES NOT NULL,
    deleted BIGINT NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX link_sites_slug ON link_sites (slug);
CREATE INDEX link_sites_owner ON link_sites (tenant_id, mode, id) WHERE deleted = 0;
CREATE INDEX link_sites_host ON link_sites (host, tenant_id, mode, id) WHERE host IS NOT NULL;

-- Names of tenants at which people open their link sites. At most one tenant has proven a name.
CREATE TABLE link_site_hosts (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    host TEXT NOT NULL,
    token TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    proven_at BIGINT
) STRICT;
CREATE UNIQUE INDEX link_site_hosts_tenant ON link_site_hosts (tenant_id, mode, host);
CREATE INDEX link_site_hosts_owner ON link_site_hosts (tenant_id, mode, id);
CREATE INDEX link_site_hosts_host ON link_site_hosts (host);

CREATE TABLE link_site_versions (
    link_site_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL,
    PRIMARY KEY (link_site_id, version)
) STRICT;

-- A one-time address that opens the widget on a page of the service. Only the digest of its code is stored.
CREATE TABLE hosted_links (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    template_id TEXT NOT NULL,
    visit_id TEXT,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    opened_at BIGINT,
    ended_at BIGINT,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    code_hash BYTES NOT NULL,
    terms BYTES NOT NULL
) STRICT;
CREATE UNIQUE INDEX hosted_links_code ON hosted_links (code_hash);
CREATE INDEX hosted_links_user ON hosted_links (user_id);
CREATE UNIQUE INDEX hosted_links_visit ON hosted_links (visit_id) WHERE visit_id IS NOT NULL;

-- The accounts that were started through a hosted link, also those that a person signed in to again.
CREATE TABLE hosted_link_accounts (
    hosted_link_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    PRIMARY KEY (hosted_link_id, account_id)
) STRICT;
CREATE INDEX hosted_link_accounts_account ON hosted_link_accounts (account_id, started_at, hosted_link_id);

-- A visit began with an invitation, a link site or a hosted link. Accounts and archives that are made in its widget have its `visit_id`.
CREATE TABLE visits (
    id TEXT PRIMARY KEY NOT NULL,
    secret_hash BYTES NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    invite_id TEXT,
    link_site_id TEXT,
    form_version BIGINT,
    created_at BIGINT NOT NULL,
    hosted_link_id TEXT,
    proof BYTES,
    address_hash BYTES
) STRICT;
CREATE UNIQUE INDEX visits_secret ON visits (secret_hash);
CREATE INDEX visits_age ON visits (created_at);
CREATE INDEX visits_user ON visits (user_id);
CREATE INDEX visits_address ON visits (address_hash, created_at) WHERE address_hash IS NOT NULL;
CREATE INDEX visits_invite ON visits (invite_id) WHERE invite_id IS NOT NULL;

CREATE TABLE forms (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    link_site_id TEXT NOT NULL,
    visit_id TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX forms_status ON forms (tenant_id, mode, status, id);
CREATE INDEX forms_owner ON forms (tenant_id, mode, id);
CREATE INDEX forms_user ON forms (tenant_id, mode, user_id, id);
CREATE INDEX forms_site ON forms (tenant_id, mode, link_site_id, id);
CREATE UNIQUE INDEX forms_visit ON forms (tenant_id, mode, visit_id);

-- A person's own page. Addresses are keyed hashes.

-- The mailbox that an account, archive or form belongs to: it was made in a visit of an invitation that was mailed there.
-- A row is deleted with the object's data.
CREATE TABLE given_data (
    scope_id TEXT PRIMARY KEY NOT NULL,
    address_hash BYTES NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL
) STRICT;
CREATE INDEX given_data_address ON given_data (address_hash, tenant_id, mode, scope_id);

-- The link that a mailbox asked for. `body` is the mail, sealed, until it is sent. `reach` is null if none was admitted.
CREATE TABLE page_links (
    address_hash BYTES PRIMARY KEY NOT NULL,
    code_hash BYTES NOT NULL,
    purpose TEXT NOT NULL,
    begun_at BIGINT NOT NULL,
    asked_at BIGINT NOT NULL,
    reach TEXT,
    body BYTES
) STRICT;
CREATE UNIQUE INDEX page_links_code ON page_links (code_hash);
CREATE INDEX page_links_asked ON page_links (asked_at);

CREATE TABLE page_sessions (
    secret_hash BYTES PRIMARY KEY NOT NULL,
    address_hash BYTES NOT NULL,
    reach TEXT NOT NULL,
    created_at BIGINT NOT NULL
) STRICT;
CREATE INDEX page_sessions_created ON page_sessions (created_at);

-- Events, webhooks and deliveries.

-- `user_id` is set if the event is about something that belongs to one user.
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
    with_payload BYTES,
    user_id TEXT
) STRICT;
CREATE INDEX events_owner ON events (tenant_id, mode, id);
CREATE INDEX events_type ON events (tenant_id, mode, event_type, id);
CREATE INDEX events_subject ON events (tenant_id, mode, subject, id);
CREATE INDEX events_scope ON events (scope_id) WHERE scope_id IS NOT NULL;
CREATE INDEX events_user ON events (tenant_id, mode, user_id, id) WHERE user_id IS NOT NULL;

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL,
    secret BYTES NOT NULL,
    next_secret BYTES
) STRICT;
CREATE INDEX webhooks_owner ON webhooks (tenant_id, mode, id);

-- A delivery is pending while `run_at` is set; `ending` says how it ended. Both `due_at` and `run_at` are on the
-- tenant's clock; claims look at `run_at`, which is later only for rows that could not be read. `blocked`: 0 may be
-- claimed, 1 waits for the first attempt of an earlier event of its subject, 2 is parked because the webhook's circuit
-- breaker is open.
-- The indexes for claims do not name the lease. On PostgreSQL, no index does, so that a claim changes none.
-- `deliveries_status` names every column of the list: SQLite would otherwise walk all deliveries of the webhook.
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
CREATE INDEX deliveries_first ON deliveries (webhook_id, run_at, id)
    WHERE run_at IS NOT NULL AND attempts_made = 0 AND blocked = 0;
CREATE INDEX deliveries_resend ON deliveries (webhook_id, run_at, id)
    WHERE run_at IS NOT NULL AND attempts_made > 0 AND blocked = 0;
CREATE INDEX deliveries_order ON deliveries (webhook_id, subject, sequence)
    WHERE run_at IS NOT NULL AND attempts_made = 0;
-- For the start, which ends all leases.
CREATE INDEX deliveries_lease ON deliveries (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX deliveries_type ON deliveries (tenant_id, mode, webhook_id, event_type, id);
CREATE INDEX deliveries_status ON deliveries (tenant_id, mode, webhook_id, COALESCE(ending, 'PENDING'), id);
CREATE INDEX deliveries_event ON deliveries (event_id, webhook_id, tenant_id, mode, id);
CREATE INDEX deliveries_parked ON deliveries (webhook_id, run_at, id)
    WHERE run_at IS NOT NULL AND blocked = 2;

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

-- Circuit breakers of webhooks whose last attempt failed, as all have since `failing_since`; open since `opened_at`. A claim
-- looks at a breaker once `look_at` has passed: it starts a probe, or releases the parked deliveries of a breaker that has closed.
CREATE TABLE webhook_breakers (
    webhook_id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    failures BIGINT NOT NULL,
    failing_since BIGINT,
    opened_at BIGINT,
    probe_at BIGINT,
    look_at BIGINT
) STRICT;
CREATE INDEX webhook_breakers_look ON webhook_breakers (look_at) WHERE look_at IS NOT NULL;

-- Jobs.

-- Each queue has its own workers, which take turns between tenants. A job runs if its tenant's clock has reached
-- `due_at` and the wall clock `run_at`.
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
    fence BIGINT NOT NULL,
    queue TEXT NOT NULL,
    -- The environment, or the environment and the provider whose share the job takes a part of.
    lane TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX jobs_key ON jobs (key);
-- The jobs in progress, for a claim that counts those of other nodes.
CREATE INDEX jobs_lease ON jobs (queue, lease_until) WHERE lease_owner IS NOT NULL;
CREATE INDEX jobs_queue ON jobs (queue, lane, due_at, id);

-- Mail.

-- Addresses that get no mail. All addresses in these tables are keyed hashes.
CREATE TABLE mail_suppressions (
    recipient_hash BYTES PRIMARY KEY NOT NULL,
    reason TEXT NOT NULL,
    at BIGINT NOT NULL
) STRICT;

-- Addresses that a sandbox may mail. `domain` is unencrypted, and null for a single mailbox.
CREATE TABLE mail_allowances (
    tenant_id TEXT NOT NULL,
    recipients_hash BYTES NOT NULL,
    domain TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, recipients_hash)
) STRICT;

-- `day` counts days since 1970-01-01 UTC; `counted` is an environment, or the hash of a mailbox in hexadecimal digits.
CREATE TABLE mail_counts (
    day BIGINT NOT NULL,
    counted TEXT NOT NULL,
    mails BIGINT NOT NULL,
    PRIMARY KEY (day, counted)
) STRICT;

-- What the widget reports about itself.

-- The last event of an opening says where the person left. `counted` is what it counts under in `funnel_days`.
CREATE TABLE ui_openings (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    opening TEXT NOT NULL,
    template_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    visit_id TEXT,
    last_seq BIGINT NOT NULL,
    last_event TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    counted BYTES,
    PRIMARY KEY (tenant_id, mode, user_id, opening)
) STRICT;
CREATE INDEX ui_openings_template ON ui_openings (template_id, received_at);
CREATE INDEX ui_openings_attempt ON ui_openings (attempt_id, received_at);
CREATE INDEX ui_openings_visit ON ui_openings (visit_id, received_at) WHERE visit_id IS NOT NULL;
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

-- How many openings reached a step, without users. `provider_id` is empty for all providers together.
CREATE TABLE funnel_days (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    day TEXT NOT NULL,
    template_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    step TEXT NOT NULL,
    error TEXT NOT NULL,
    openings BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, mode, day, template_id, provider_id, step, error)
) STRICT;
CREATE INDEX funnel_days_day ON funnel_days (day);

-- Offsets in the widget's program, as numbers: no personal data.
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
CREATE INDEX surveys_user ON surveys (user_id);

-- Billing, sandbox logins, idempotency keys.

CREATE TABLE billing_events (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT,
    at BIGINT NOT NULL
) STRICT;
CREATE UNIQUE INDEX billing_events_subject ON billing_events (kind, subject);
CREATE INDEX billing_events_owner ON billing_events (tenant_id, mode, id);
CREATE INDEX billing_events_user ON billing_events (tenant_id, mode, user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX billing_events_kind ON billing_events (tenant_id, mode, kind, id);
CREATE INDEX billing_events_about ON billing_events (tenant_id, mode, subject, id);

-- A sandbox tenant's own logins. What they lead to is sealed.
CREATE TABLE scenarios (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    login TEXT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE UNIQUE INDEX scenarios_login ON scenarios (tenant_id, mode, login);
CREATE INDEX scenarios_owner ON scenarios (tenant_id, mode, id);

-- Responses to requests with an `Idempotency-Key`. Keys and requests are stored as keyed hashes only. A response is sealed
-- with the key of its scope, or with the service's own key if it has none.
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

-- The service itself.

-- When the service last read the clock. A jump ahead of it pauses retention.
CREATE TABLE retention_clock (
    slot BIGINT PRIMARY KEY NOT NULL,
    seen_at BIGINT NOT NULL
) STRICT;

-- The backups that the service writes on a schedule: when the last good one was read and the last attempt failed, why, and
-- which node writes one now. The series is the random id of this database in the names of its backups.
CREATE TABLE scheduled_backups (
    slot BIGINT PRIMARY KEY NOT NULL,
    series TEXT NOT NULL,
    good_at BIGINT,
    place TEXT,
    failed_at BIGINT,
    fault_code TEXT,
    fault_cause TEXT,
    fault_remedy TEXT,
    lease_owner TEXT,
    lease_until BIGINT,
    fence BIGINT NOT NULL
) STRICT;

-- The readiness check writes here to learn whether the database accepts writes.
CREATE TABLE probes (
    slot BIGINT PRIMARY KEY NOT NULL,
    filler BYTES NOT NULL
) STRICT;

-- PostgreSQL alone:
-- A delivery is written again at once, by its claim. Only in its page does that change no index.
ALTER TABLE deliveries SET (fillfactor = 50);
DROP INDEX deliveries_lease;
-- Keys of scopes are wrapped by keys of buckets, which are in tables small enough to be rewritten at once (ADR 139).
ALTER TABLE scope_keys ADD COLUMN bucket BIGINT;
DROP INDEX scope_keys_day;
CREATE INDEX scope_keys_day ON scope_keys (day, bucket);
-- Buckets whose key opens what was erased; they are replaced. There is no index, so that transactions that note the same
-- bucket never wait for each other.
CREATE TABLE stale_buckets (bucket BIGINT NOT NULL);
DO $$ BEGIN
    FOR number IN 0..31 LOOP
        EXECUTE format(
            'CREATE TABLE key_buckets_%s (bucket BIGINT PRIMARY KEY, day BIGINT NOT NULL, wrapped BYTEA NOT NULL)',
            lpad(CAST(number AS text), 2, '0')
        );
    END LOOP;
END $$;
