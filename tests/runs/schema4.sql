-- A store of schema 4: the unit of payoffs stands beside each run. One finished run, one half done.
-- Later versions must open it, see test_store.py. Never edit; add schema5.sql.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE runs (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, solver TEXT NOT NULL, settings TEXT NOT NULL,
    abstraction TEXT, seed INTEGER NOT NULL, iterations INTEGER NOT NULL, target REAL,
    status TEXT NOT NULL, done INTEGER NOT NULL, seconds REAL NOT NULL, exploitability REAL,
    created TEXT NOT NULL, changed TEXT NOT NULL, provenance TEXT NOT NULL,
    infosets INTEGER, checkpoints TEXT, kind TEXT, experiment TEXT,
    unit TEXT);
CREATE TABLE trace (
    run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, iteration INTEGER NOT NULL,
    seconds REAL NOT NULL, exploitability REAL, abstract_exploitability REAL,
    infosets INTEGER NOT NULL, PRIMARY KEY (run, iteration));
CREATE TABLE arrays (
    run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, kind TEXT NOT NULL,
    name TEXT NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL, checksum TEXT NOT NULL,
    content BLOB NOT NULL, PRIMARY KEY (run, kind, name));
INSERT INTO meta VALUES ('schema', '4');
INSERT INTO runs VALUES (
    '00c0ffee00c0ffee', 'kuhn', 'cfr+', 'CFRPlus(alternating=True, engine=''auto'')', NULL, 0,
    100, NULL, 'done', 100, 0.001, 0.0061, '2024-05-01T10:00:00Z', '2024-05-01T10:00:01Z',
    '{"workbench": "0.1.0", "python": "3.11.7"}', 12, '10, 100', '12345678',
    '{"game": "kuhn", "options": {}, "solver": "cfr+", "settings": {}, "iterations": 100, "seed": 0,
    "target": null, "abstraction": null, "checkpoints": [10, 100]}', 'chips per game');
INSERT INTO runs VALUES (
    'badc0de0badc0de0', 'leduc', 'cfr', 'CFR(alternating=True, engine=''auto'')', 'JQ-K', 3,
    5000, 0.01, 'running', 700, 1.5, 0.52, '2024-05-01T10:00:02Z', '2024-05-01T10:00:09Z',
    '{"workbench": "0.1.0", "python": "3.11.7"}', 624, '500, 700, 5000', 'abcdef01', NULL,
    'chips per game');
INSERT INTO trace VALUES ('00c0ffee00c0ffee', 10, 0.0001, 0.071, NULL, 12);
INSERT INTO trace VALUES ('00c0ffee00c0ffee', 100, 0.001, 0.0061, NULL, 12);
INSERT INTO trace VALUES ('badc0de0badc0de0', 500, 1.1, 0.55, 0.04, 624);
INSERT INTO trace VALUES ('badc0de0badc0de0', 700, 1.5, 0.52, 0.03, 624);
