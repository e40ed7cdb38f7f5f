-- Invitations with their hosted pages, the forms submitted there, and templates that are kept for what cites them.

ALTER TABLE consent_templates ADD COLUMN deleted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE consent_templates ADD COLUMN cited BIGINT NOT NULL DEFAULT 0;
ALTER TABLE link_templates ADD COLUMN deleted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE link_templates ADD COLUMN consent_template_id TEXT;
CREATE INDEX link_templates_consent ON link_templates (consent_template_id);

CREATE TABLE invite_templates (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    body BYTES NOT NULL,
    deleted BIGINT NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX invite_templates_owner ON invite_templates (tenant_id, mode, id);

-- `progress` is plain: states and times. `body` is sealed, and gone with the hashes once the invitation is revoked.
CREATE TABLE invites (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    invite_template_id TEXT NOT NULL,
    link_template_id TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    progress BYTES NOT NULL,
    code_hash BYTES,
    pixel_hash BYTES,
    body BYTES
) STRICT;
CREATE INDEX invites_owner ON invites (tenant_id, mode, id);
CREATE INDEX invites_user ON invites (tenant_id, mode, user_id, id);
CREATE INDEX invites_status ON invites (tenant_id, mode, status, id);
CREATE INDEX invites_link_template ON invites (link_template_id);
CREATE UNIQUE INDEX invites_code ON invites (code_hash) WHERE code_hash IS NOT NULL;
CREATE UNIQUE INDEX invites_pixel ON invites (pixel_hash) WHERE pixel_hash IS NOT NULL;

CREATE TABLE invite_accounts (
    account_id TEXT PRIMARY KEY NOT NULL,
    invite_id TEXT NOT NULL
) STRICT;
CREATE INDEX invite_accounts_invite ON invite_accounts (invite_id);

CREATE TABLE visits (
    id TEXT PRIMARY KEY NOT NULL,
    secret_hash BYTES NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    invite_id TEXT NOT NULL,
    created_at BIGINT NOT NULL
) STRICT;
CREATE UNIQUE INDEX visits_secret ON visits (secret_hash);
CREATE INDEX visits_age ON visits (created_at);

-- A widget that was opened during a visit belongs to its invitation.
ALTER TABLE link_tokens ADD COLUMN invite_id TEXT;
ALTER TABLE link_sessions ADD COLUMN invite_id TEXT;

CREATE TABLE forms (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    link_site_id TEXT NOT NULL,
    visit_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    body BYTES NOT NULL
) STRICT;
CREATE INDEX forms_owner ON forms (tenant_id, mode, id);
CREATE INDEX forms_user ON forms (tenant_id, mode, user_id, id);
CREATE INDEX forms_site ON forms (tenant_id, mode, link_site_id, id);
CREATE UNIQUE INDEX forms_visit ON forms (visit_id);
