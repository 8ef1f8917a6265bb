CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
    key INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE memories (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL REFERENCES users (key),
    id TEXT NOT NULL,
    agent_id TEXT,
    session_id TEXT,
    kind TEXT NOT NULL,
    tier TEXT NOT NULL,
    content TEXT NOT NULL,
    summary TEXT,
    created_at INTEGER NOT NULL,
    happened_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    valid_from INTEGER,
    valid_until INTEGER,
    accessed_at INTEGER,
    deleted_at INTEGER,
    importance REAL NOT NULL,
    confidence REAL NOT NULL,
    priority TEXT,
    critical INTEGER NOT NULL,
    access_count INTEGER NOT NULL,
    useful_count INTEGER NOT NULL,
    unhelpful_count INTEGER NOT NULL,
    decay_factor REAL NOT NULL,
    speaker TEXT,
    role TEXT NOT NULL,
    thread TEXT NOT NULL,
    turn INTEGER NOT NULL,
    sources TEXT NOT NULL,
    extractor TEXT,
    prompt_id TEXT,
    tags TEXT NOT NULL,
    concepts TEXT NOT NULL,
    entities TEXT NOT NULL,
    category TEXT,
    emotion TEXT,
    language TEXT,
    metadata TEXT NOT NULL,
    idempotency_key TEXT
) STRICT;
CREATE INDEX memories_by_user ON memories (user);
CREATE UNIQUE INDEX memories_by_id ON memories (user, id);
CREATE UNIQUE INDEX memories_by_idempotency ON memories (user, idempotency_key)
    WHERE idempotency_key IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX memories_by_thread ON memories (user, thread, turn) WHERE thread <> '';

CREATE TABLE features (
    key INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    terms BLOB NOT NULL,
    counts BLOB NOT NULL,
    traits INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE words USING fts5 (
    user, stems, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0'
);
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);

CREATE TABLE changes (
    version INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL,
    key INTEGER NOT NULL,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    before TEXT,
    after TEXT,
    reason TEXT
) STRICT;
CREATE INDEX changes_by_user ON changes (user);
CREATE INDEX changes_by_key ON changes (key);

CREATE TABLE links (
    source INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
    target INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
    type TEXT NOT NULL,
    PRIMARY KEY (source, target, type)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_target ON links (target);

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL,
    user INTEGER NOT NULL REFERENCES users (key),
    agent_id TEXT,
    session_id TEXT,
    payload TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    failed_at INTEGER,
    error TEXT
) STRICT;
CREATE INDEX jobs_due ON jobs (due_at, id) WHERE failed_at IS NULL;

CREATE TABLE staged (
    key INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
    vector BLOB NOT NULL
) STRICT;
