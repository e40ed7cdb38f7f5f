-- Circuit breakers of webhooks whose last attempt failed; open since `open_since`. A claim looks at a breaker once
-- `look_at` has passed: it begins a probe, or releases parked deliveries of a breaker that has closed.
CREATE TABLE webhook_breakers (
    webhook_id TEXT PRIMARY KEY NOT NULL,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    failures BIGINT NOT NULL,
    open_since BIGINT,
    probe_at BIGINT,
    look_at BIGINT
) STRICT;
CREATE INDEX webhook_breakers_look ON webhook_breakers (look_at) WHERE look_at IS NOT NULL;
-- Deliveries of open breakers are parked (`blocked = 2`), so that claims step over none of them.
CREATE INDEX deliveries_parked ON deliveries (webhook_id, run_at, id)
    WHERE run_at IS NOT NULL AND lease_owner IS NULL AND blocked = 2;
