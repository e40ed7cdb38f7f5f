-- Jobs that wait for one another wait in a lane, and a lane's workers go from tenant to tenant.

ALTER TABLE jobs ADD COLUMN lane TEXT NOT NULL DEFAULT 'rest';
UPDATE jobs SET lane = CASE
    WHEN key LIKE 'step/%' THEN 'steps'
    WHEN key LIKE 'read/%' OR key LIKE 'complete/%' THEN 'sources'
    WHEN key LIKE 'send/%' THEN 'mail'
    WHEN key LIKE 'analyze/%' THEN 'readings'
    ELSE 'rest' END;
CREATE INDEX jobs_lane ON jobs (lane, tenant_id, run_at, id);

-- What was opened with an invitation ends with it.
CREATE INDEX visits_invite ON visits (invite_id);
CREATE INDEX link_tokens_invite ON link_tokens (invite_id) WHERE invite_id IS NOT NULL;
CREATE INDEX link_sessions_invite ON link_sessions (invite_id) WHERE invite_id IS NOT NULL;
