-- A ledger of open 4x5 by both ends, all of it counted, as written before results had checksums (format 1).
PRAGMA application_id = 1802400882;
BEGIN TRANSACTION;
CREATE TABLE checks (part TEXT NOT NULL, value TEXT NOT NULL, said TEXT NOT NULL, finished REAL NOT NULL);
CREATE TABLE leases (part TEXT PRIMARY KEY, holder TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE plan (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "plan" VALUES('asked','31 parts of Board(4, 5).tours()');
INSERT INTO "plan" VALUES('fingerprint','16c99d36f04dd1594c7bc134a5a93d09e984c78037b2adbcf9c8e04730e47e2f');
INSERT INTO "plan" VALUES('format','1');
INSERT INTO "plan" VALUES('plan','{"by": "ends", "parts": [{"key": "a4-b4", "multiplicity": 8, "start": 0, "end": 1}, {"key": "a4-d4", "multiplicity": 8, "start": 0, "end": 3}, {"key": "a4-a3", "multiplicity": 8, "start": 0, "end": 5}, {"key": "a4-c3", "multiplicity": 8, "start": 0, "end": 7}, {"key": "a4-e3", "multiplicity": 8, "start": 0, "end": 9}, {"key": "a4-b2", "multiplicity": 8, "start": 0, "end": 11}, {"key": "a4-d2", "multiplicity": 8, "start": 0, "end": 13}, {"key": "a4-a1", "multiplicity": 4, "start": 0, "end": 15}, {"key": "a4-c1", "multiplicity": 8, "start": 0, "end": 17}, {"key": "a4-e1", "multiplicity": 4, "start": 0, "end": 19}, {"key": "b4-c4", "multiplicity": 8, "start": 1, "end": 2}, {"key": "b4-b3", "multiplicity": 8, "start": 1, "end": 6}, {"key": "b4-d3", "multiplicity": 8, "start": 1, "end": 8}, {"key": "b4-a2", "multiplicity": 8, "start": 1, "end": 10}, {"key": "b4-c2", "multiplicity": 8, "start": 1, "end": 12}, {"key": "b4-e2", "multiplicity": 8, "start": 1, "end": 14}, {"key": "b4-b1", "multiplicity": 4, "start": 1, "end": 16}, {"key": "b4-d1", "multiplicity": 4, "start": 1, "end": 18}, {"key": "c4-a3", "multiplicity": 8, "start": 2, "end": 5}, {"key": "c4-c3", "multiplicity": 4, "start": 2, "end": 7}, {"key": "c4-b2", "multiplicity": 8, "start": 2, "end": 11}, {"key": "c4-c1", "multiplicity": 2, "start": 2, "end": 17}, {"key": "a3-b3", "multiplicity": 8, "start": 5, "end": 6}, {"key": "a3-d3", "multiplicity": 8, "start": 5, "end": 8}, {"key": "a3-a2", "multiplicity": 4, "start": 5, "end": 10}, {"key": "a3-c2", "multiplicity": 8, "start": 5, "end": 12}, {"key": "a3-e2", "multiplicity": 4, "start": 5, "end": 14}, {"key": "b3-c3", "multiplicity": 8, "start": 6, "end": 7}, {"key": "b3-b2", "multiplicity": 4, "start": 6, "end": 11}, {"key": "b3-d2", "multiplicity": 4, "start": 6, "end": 13}, {"key": "c3-c2", "multiplicity": 2, "start": 7, "end": 12}]}');
INSERT INTO "plan" VALUES('request','{"board": [".....", ".....", ".....", "....."], "leaper": [1, 2], "wrap": null, "closed": false, "start": null, "end": null, "including": [], "excluding": []}');
INSERT INTO "plan" VALUES('version','0.1.0');
CREATE TABLE results (
    part TEXT PRIMARY KEY, value TEXT NOT NULL, seconds REAL NOT NULL, memory INTEGER NOT NULL, states INTEGER NOT NULL,
    transitions INTEGER NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL, finished REAL NOT NULL
) WITHOUT ROWID;
INSERT INTO "results" VALUES('a3-a2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a3-b3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a3-c2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a3-d3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a3-e2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-a1','12',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-a3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-b2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-b4','3',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-c1','2',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-c3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-d2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-d4','3',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-e1','12',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('a4-e3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b3-b2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b3-c3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b3-d2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b4-a2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b4-b1','0',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b4-b3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b4-c2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b4-c4','0',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b4-d1','1',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b4-d3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('b4-e2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('c3-c2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('c4-a3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('c4-b2','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('c4-c1','0',0.001,820,0,0,'here','0.1.0',1780000000.0);
INSERT INTO "results" VALUES('c4-c3','0',0.001,0,0,0,'here','0.1.0',1780000000.0);
COMMIT;
