-- SPDX-License-Identifier: MIT
--
-- The history of runs, in the versions that it has had. A line "-- version N" begins what leads
-- from version N-1 to N; a file is brought up to date by the sections that it lacks, in one
-- transaction. What was released is never edited: a change is a new section.
--
-- Statuses, reasons and barriers are the words of the wire; lists and objects are JSON.

-- version 1
CREATE TABLE run (
	number INTEGER PRIMARY KEY AUTOINCREMENT, -- short, never used twice in this file
	id TEXT NOT NULL UNIQUE,                  -- stable everywhere
	started INTEGER NOT NULL,                 -- seconds since 1970, UTC
	seconds REAL NOT NULL,
	sandbox TEXT NOT NULL,
	version TEXT,
	image TEXT,
	label TEXT,
	argv TEXT,
	complete INTEGER NOT NULL,
	clean INTEGER NOT NULL,
	incomplete_because TEXT,
	has_baseline INTEGER NOT NULL,
	tool_version TEXT NOT NULL,
	catalogue TEXT NOT NULL,
	probe_version TEXT,
	probe_arch TEXT,
	origin TEXT,
	accessed INTEGER NOT NULL,
	denied INTEGER NOT NULL,
	unknown INTEGER NOT NULL
) STRICT;
CREATE INDEX run_by_label ON run (label, number);
CREATE INDEX run_by_sandbox ON run (sandbox, number);

CREATE TABLE result (
	run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
	position INTEGER NOT NULL,
	scenario TEXT NOT NULL,
	severity TEXT NOT NULL,
	arrived INTEGER NOT NULL,
	status TEXT NOT NULL,
	reason TEXT,
	barriers TEXT NOT NULL,
	baseline TEXT,
	baseline_barriers TEXT NOT NULL,
	second TEXT,
	witnessed INTEGER NOT NULL,
	objects TEXT NOT NULL,
	evidence TEXT NOT NULL,
	measured TEXT NOT NULL,
	PRIMARY KEY (run, position),
	UNIQUE (run, scenario)
) STRICT, WITHOUT ROWID;

CREATE TABLE case_result (
	run INTEGER NOT NULL,
	result INTEGER NOT NULL,
	position INTEGER NOT NULL,
	name TEXT NOT NULL,
	severity TEXT NOT NULL,
	status TEXT NOT NULL,
	reason TEXT,
	barriers TEXT NOT NULL,
	baseline TEXT,
	evidence TEXT NOT NULL,
	measured TEXT NOT NULL,
	PRIMARY KEY (run, result, position),
	FOREIGN KEY (run, result) REFERENCES result (run, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- version 2
ALTER TABLE run ADD COLUMN policy TEXT;
ALTER TABLE run ADD COLUMN policy_source TEXT;
ALTER TABLE run ADD COLUMN verdict TEXT;
ALTER TABLE result ADD COLUMN judgement TEXT;
ALTER TABLE result ADD COLUMN tolerance TEXT;
ALTER TABLE result ADD COLUMN rule TEXT;
ALTER TABLE case_result ADD COLUMN judgement TEXT;
ALTER TABLE case_result ADD COLUMN tolerance TEXT;
ALTER TABLE case_result ADD COLUMN rule TEXT;

-- version 3
ALTER TABLE run ADD COLUMN targets TEXT;
