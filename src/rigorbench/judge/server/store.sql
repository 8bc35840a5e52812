CREATE TABLE problems (id TEXT PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, budget INTEGER,
    feedback TEXT NOT NULL);
CREATE TABLE tokens (hash BLOB PRIMARY KEY, run TEXT NOT NULL, problem TEXT NOT NULL, budget INTEGER,
    feedback TEXT NOT NULL, repository TEXT, issued REAL NOT NULL, hints INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE submissions (id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, problem TEXT NOT NULL, key TEXT,
    request BLOB NOT NULL, language TEXT NOT NULL, content TEXT NOT NULL, submission BLOB NOT NULL,
    state TEXT NOT NULL, created REAL NOT NULL, started REAL, finished REAL, attempts INTEGER NOT NULL DEFAULT 0,
    interruptions INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0, not_before REAL NOT NULL DEFAULT 0,
    judgement BLOB, error TEXT, pruned REAL);
CREATE UNIQUE INDEX by_key ON submissions (run, problem, key) WHERE key IS NOT NULL;
CREATE INDEX by_scope ON submissions (run, problem, id);
CREATE INDEX by_state ON submissions (state, run, id);
CREATE TABLE earlier (number INTEGER PRIMARY KEY, submission INTEGER NOT NULL, state TEXT NOT NULL, finished REAL,
    judgement BLOB, error TEXT);
CREATE INDEX earlier_of ON earlier (submission, number);
CREATE TABLE hints (id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, problem TEXT NOT NULL, key TEXT,
    part TEXT, question TEXT, source TEXT NOT NULL, text TEXT, asked REAL NOT NULL, answered REAL);
CREATE UNIQUE INDEX hint_by_key ON hints (run, problem, key) WHERE key IS NOT NULL;
