// The service's records: one SQLite table, each record a JSON document with a version.
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export type RecordData = Record<string, unknown>;

export interface StoredRecord {
	id: number;
	data: RecordData;
	archived: boolean;
	/** Opaque version token: 16 hexadecimal digits, counting up. */
	rowVersion: string;
	/** Milliseconds since the epoch. */
	changedAt: number;
}

/** A comparison that a row of a list must pass. */
export interface ComparedField {
	field: string;
	/** As SQL writes it. */
	operator: string;
	/** A number is compared with numbers, a text with the field as text. */
	value: string | number;
}

/** Which rows a list has, and which of them are wanted. */
export interface ListSelection {
	rowVersion?: string;
	/** Milliseconds since the epoch. */
	changedSince?: number;
	showArchived?: boolean;
	fields?: readonly ComparedField[];
	/** By ID if not given. */
	orderBy?: { field: string; isDescending: boolean };
	limit?: number;
	offset?: number;
}

interface Row {
	kind: string;
	id: number;
	data: string;
	archived: number;
	version: number;
	changedAt: number;
}

const versionToken = (version: number): string =>
	version.toString(16).toUpperCase().padStart(16, '0');

const toRecord = ({ id, data, archived, version, changedAt }: Row): StoredRecord => ({
	id,
	data: JSON.parse(data) as RecordData,
	archived: archived === 1,
	rowVersion: versionToken(version),
	changedAt,
});

/** A row has this field in addition to its data. */
const archiveField = "iif(archived = 1, '1', '0')";

function comparison({ field, operator, value }: ComparedField): string {
	if (field === 'archive') return `${archiveField} ${operator} ?`;
	return typeof value === 'number'
		? `json_extract(data, ?) ${operator} ?`
		: `CAST(coalesce(json_extract(data, ?), '') AS TEXT) ${operator} ?`;
}

const parametersOf = ({ field, value }: ComparedField): Array<string | number> =>
	field === 'archive' ? [value] : [`$."${field}"`, value];

/** Stands in `archived` of a record that is gone: its row stays, so that its ID is never given again. */
const removed = 2;

export class RecordStore {
	private readonly db: DatabaseSync;
	private readonly statements = new Map<string, StatementSync>();
	private version: number;

	/** @param file path of the data file, or `:memory:` */
	constructor(file: string) {
		this.db = new DatabaseSync(file);
		this.db.exec(`
			PRAGMA journal_mode = WAL;
			CREATE TABLE IF NOT EXISTS records (
				kind TEXT NOT NULL,
				id INTEGER NOT NULL,
				data TEXT NOT NULL,
				archived INTEGER NOT NULL DEFAULT 0,
				version INTEGER NOT NULL,
				changedAt INTEGER NOT NULL,
				PRIMARY KEY (kind, id)
			) WITHOUT ROWID;
			CREATE INDEX IF NOT EXISTS changes ON records (kind, version, archived);
		`);
		this.version = this.lastVersion();
	}

	private lastVersion(): number {
		const sql = 'SELECT coalesce(max(version), 2000) AS last FROM records';
		return (this.prepare(sql).get() as { last: number }).last;
	}

	/** Compiling a statement costs more than running it. */
	private prepare(sql: string): StatementSync {
		const statement = this.statements.get(sql) ?? this.db.prepare(sql);
		this.statements.set(sql, statement);
		return statement;
	}

	/** Runs many writes as one transaction. */
	transaction(work: () => void): void {
		this.db.exec('BEGIN');
		try {
			work();
			this.db.exec('COMMIT');
		} catch (error) {
			this.db.exec('ROLLBACK');
			throw error;
		}
	}

	/** @returns the new record's ID; IDs of a kind begin at 101 */
	insert(kind: string, data: RecordData): number {
		const { id } = this.prepare(
			'SELECT coalesce(max(id), 100) + 1 AS id FROM records WHERE kind = ?',
		).get(kind) as { id: number };
		this.prepare(
			'INSERT INTO records (kind, id, data, version, changedAt) VALUES (?, ?, ?, ?, ?)',
		).run(kind, id, JSON.stringify(data), ++this.version, Date.now());
		return id;
	}

	get(kind: string, id: number): StoredRecord | undefined {
		const row = this.prepare(
			'SELECT * FROM records WHERE kind = ? AND id = ? AND archived < ?',
		).get(kind, id, removed);
		return row && toRecord(row as unknown as Row);
	}

	update(kind: string, id: number, data: RecordData): void {
		this.prepare(
			'UPDATE records SET data = ?, version = ?, changedAt = ? WHERE kind = ? AND id = ?',
		).run(JSON.stringify(data), ++this.version, Date.now(), kind, id);
	}

	archive(kind: string, id: number): void {
		this.mark(kind, id, 1);
	}

	/** Removes a record: no list and no reader finds it any more. */
	remove(kind: string, id: number): void {
		this.mark(kind, id, removed);
	}

	private mark(kind: string, id: number, archived: number): void {
		this.prepare(
			'UPDATE records SET archived = ?, version = ?, changedAt = ? WHERE kind = ? AND id = ?',
		).run(archived, ++this.version, Date.now(), kind, id);
	}

	/** Whether any record of a kind has a field. */
	hasField(kind: string, field: string): boolean {
		const sql = 'SELECT 1 FROM records, json_each(data) WHERE kind = ? AND key = ? LIMIT 1';
		return field === 'archive' || this.prepare(sql).get(kind, field) !== undefined;
	}

	/** @returns the rows chosen, in their order, and how many there are without `limit` and `offset` */
	list(kind: string, selection: ListSelection = {}): { totalRows: number; rows: StoredRecord[] } {
		const { rowVersion = '', changedSince = 0, showArchived = false, fields = [] } = selection;
		const since = Number.parseInt(rowVersion, 16) || 0;
		// The plus keeps SQLite from the index of changes, whose rows it would have to sort by ID.
		const always = 'kind = ? AND +version > ? AND changedAt >= ? AND archived <= ?';
		const where = [always, ...fields.map(comparison)].join(' AND ');
		const archived = showArchived ? 1 : 0;
		const parameters = [kind, since, changedSince, archived, ...fields.flatMap(parametersOf)];
		const { totalRows } = this.prepare(
			`SELECT count(*) AS totalRows FROM records WHERE ${where}`,
		).get(...parameters) as { totalRows: number };
		const { field, isDescending } = selection.orderBy ?? {};
		const order = field ? `data ->> '$.${field}' ${isDescending ? 'DESC' : 'ASC'},` : '';
		const rows = this.prepare(
			`SELECT * FROM records WHERE ${where} ORDER BY ${order} id LIMIT ? OFFSET ?`,
		).all(...parameters, selection.limit ?? -1, selection.offset ?? 0);
		return { totalRows, rows: (rows as unknown as Row[]).map(toRecord) };
	}

	/**
	 * A page of the records, archived ones too; the latest change first.
	 * @param search an ID, or text that one of the fields contains; '' for all records
	 */
	latestChanges(
		kind: string,
		search: string,
		limit: number,
		offset: number,
	): { total: number; rows: StoredRecord[] } {
		const contains =
			'EXISTS (SELECT 1 FROM json_each(data) WHERE instr(lower(value), lower(:search)) > 0)';
		const from = `FROM records WHERE kind = :kind AND archived < :removed
			AND (:search = '' OR id = :search OR ${contains})`;
		const chosen = { kind, removed, search };
		const { total } = this.prepare(`SELECT count(*) AS total ${from}`).get(chosen) as {
			total: number;
		};
		const rows = this.prepare(
			`SELECT * ${from} ORDER BY version DESC LIMIT :limit OFFSET :offset`,
		).all({ ...chosen, limit, offset });
		return { total, rows: (rows as unknown as Row[]).map(toRecord) };
	}

	/** The number of records of each kind, including archived ones. */
	counts(): Map<string, number> {
		const rows = this.prepare(
			'SELECT kind, count(*) AS total FROM records WHERE archived < ? GROUP BY kind',
		).all(removed) as unknown as Array<{ kind: string; total: number }>;
		return new Map(rows.map(({ kind, total }) => [kind, total]));
	}

	/** Everything in the store, for restore(). */
	snapshot(): Uint8Array {
		return this.db.serialize();
	}

	/** A store in a file cannot be restored: it would no longer be in the file. */
	get isInMemory(): boolean {
		return this.db.location() === null;
	}

	/** Fills an empty store in memory; the records count as changed now. */
	restore(snapshot: Uint8Array): void {
		this.db.deserialize(snapshot);
		this.statements.clear();
		this.prepare('UPDATE records SET changedAt = ?').run(Date.now());
		this.version = this.lastVersion();
	}

	close(): void {
		this.db.close();
	}
}
