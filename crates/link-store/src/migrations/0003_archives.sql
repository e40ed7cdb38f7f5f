-- Archives: uploaded documents. A file's bytes lie outside, in sealed segments; rows here say which objects hold them.

CREATE TABLE archives (
    id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    user_id TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
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

CREATE TABLE archive_files (
    id TEXT PRIMARY KEY NOT NULL,
    archive_id TEXT NOT NULL
) STRICT;
CREATE INDEX archive_files_archive ON archive_files (archive_id);

-- An object that no row here names is waste, and swept.
CREATE TABLE file_segments (
    file_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    archive_id TEXT NOT NULL,
    length BIGINT NOT NULL,
    object TEXT NOT NULL,
    PRIMARY KEY (file_id, position)
) STRICT;
CREATE INDEX file_segments_archive ON file_segments (archive_id);

-- What counts against a user's quota of a day; `bytes` is of files alone.
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
