-- How much users have used of their quotas: the moment from which all of a quota is available again. `subject` is the
-- session where each session counts apart, else empty.
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
