-- PostgreSQL alone: what was erased and not swept yet, so that a process that was killed in between owes it still. Nobody knows
-- of the erasures of before whether they were swept: the newest stands for all.
CREATE TABLE unswept (
    scope_id TEXT PRIMARY KEY NOT NULL
);
INSERT INTO unswept (scope_id) SELECT scope_id FROM erasures ORDER BY erased_at DESC LIMIT 1;
