-- When the service last looked at the clock: a jump ahead of it pauses retention.
CREATE TABLE retention_clock (
    slot BIGINT PRIMARY KEY NOT NULL,
    seen_at BIGINT NOT NULL
) STRICT;
-- What ends by itself waits in a lane of its own, which is paused.
UPDATE jobs SET lane = 'retention' WHERE key LIKE 'expire/%' OR key LIKE 'pending/%';

-- PostgreSQL alone:
-- Keys of scopes are wrapped by keys of buckets, in tables small enough to be rewritten at once.
ALTER TABLE scope_keys ADD COLUMN bucket BIGINT;
DROP INDEX scope_keys_day;
CREATE INDEX scope_keys_day ON scope_keys (day, bucket);
-- Buckets whose key opens what was erased: they are replaced. No index: units that note the same ones never wait for
-- one another.
CREATE TABLE stale_buckets (bucket BIGINT NOT NULL);
DO $$ BEGIN
    FOR number IN 0..31 LOOP
        EXECUTE format(
            'CREATE TABLE key_buckets_%s (bucket BIGINT PRIMARY KEY, day BIGINT NOT NULL, wrapped BYTEA NOT NULL)',
            lpad(CAST(number AS text), 2, '0')
        );
    END LOOP;
END $$;
