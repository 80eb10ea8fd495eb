CREATE TABLE IF NOT EXISTS matches (
    match_id   text PRIMARY KEY,
    revision   bigint NOT NULL,
    state      bytea NOT NULL,
    players    smallint NOT NULL,
    finished   boolean NOT NULL DEFAULT false,
    changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS requests (
    match_id   text NOT NULL REFERENCES matches ON DELETE CASCADE,
    request_id text NOT NULL,
    before     bigint NOT NULL,
    after      bigint NOT NULL CHECK (after > before),
    PRIMARY KEY (match_id, request_id),
    UNIQUE (match_id, before)
);

CREATE TABLE IF NOT EXISTS moves (
    match_id text NOT NULL REFERENCES matches ON DELETE CASCADE,
    revision bigint NOT NULL,
    move     bytea NOT NULL,
    PRIMARY KEY (match_id, revision)
);

CREATE TABLE IF NOT EXISTS events (
    match_id text NOT NULL REFERENCES matches ON DELETE CASCADE,
    revision bigint NOT NULL,
    index    integer NOT NULL,
    told     bytea[] NOT NULL,
    PRIMARY KEY (match_id, revision, index)
);

CREATE INDEX IF NOT EXISTS finished_matches ON matches (changed_at) WHERE finished;
