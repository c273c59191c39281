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
	operator: Operator;
	/**
	 * A number also matches numeric text, as `2` matches `"02"`; text matches numbers, but is compared with text as text.
	 */
	value: string | number;
}

/** Selects a list's rows, and a part of them. */
export interface ListSelection {
	rowVersion?: string;
	/** Milliseconds since the epoch. */
	changedSince?: number;
	showArchived?: boolean;
	fields?: readonly ComparedField[];
	/** The name by which the ID can be filtered and sorted. */
	idField?: string;
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

/** The comparison results that pass: -1 if the field is less than the value, 0 if they are equal. */
const operators = { eq: [0], ne: [-1, 1], ge: [0, 1], gt: [1], le: [-1, 0], lt: [-1] };

export type Operator = keyof typeof operators;

const numberIn = (value: unknown): number =>
	/^-?\d+(?:\.\d+)?$/.test(String(value)) ? Number(value) : NaN;

/** Compares as numbers if both are numeric, unless both are text. */
function passes(stored: unknown, { operator, value }: ComparedField): boolean {
	const known = (typeof stored === 'boolean' ? Number(stored) : (stored ?? '')) as string | number;
	const numbers = [numberIn(known), numberIn(value)];
	const areText = typeof known === 'string' && typeof value === 'string';
	const [a, b] = areText || numbers.includes(NaN) ? [String(known), String(value)] : numbers;
	return operators[operator].includes(a < b ? -1 : Number(a > b));
}

/** The value of `archived` for a removed record: its row stays, so that its ID is never reused. */
const removed = 2;

export class RecordStore {
	private readonly db: DatabaseSync;
	private readonly statements = new Map<string, StatementSync>();
	private version: number;
	/** The selection of the list being read. */
	private selection: ListSelection = {};

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
		// One call makes all comparisons, since SQL expressions have a maximum length.
		this.db.function('passes', (id, data, archived) => {
			const { fields = [], idField } = this.selection;
			const record = JSON.parse(String(data)) as RecordData;
			if (idField) record[idField] = id;
			record.archive ??= String(archived);
			return Number(fields.every((compared) => passes(record[compared.field], compared)));
		});
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

	/** Removes a record, so that no request finds it any more. */
	remove(kind: string, id: number): void {
		this.mark(kind, id, removed);
	}

	private mark(kind: string, id: number, archived: number): void {
		this.prepare(
			'UPDATE records SET archived = ?, version = ?, changedAt = ? WHERE kind = ? AND id = ?',
		).run(archived, ++this.version, Date.now(), kind, id);
	}

	/** Whether any record of a kind has a field; without records, it may be one. */
	hasField(kind: string, field: string): boolean {
		const sql = `SELECT count(*) = 0 OR EXISTS (
			SELECT 1 FROM records, json_each(data) WHERE kind = :kind AND key = :field
		) AS known FROM records WHERE kind = :kind`;
		return field === 'archive' || this.prepare(sql).get({ kind, field })!.known === 1;
	}

	/** @returns the selected rows in order, and their number without `limit` and `offset` */
	list(kind: string, selection: ListSelection = {}): { totalRows: number; rows: StoredRecord[] } {
		const { rowVersion = '', changedSince = 0, showArchived = false } = selection;
		const { fields = [], idField, orderBy } = (this.selection = selection);
		const since = Number.parseInt(rowVersion, 16) || 0;
		// The plus keeps SQLite from using the index of changes, whose rows it would have to sort by ID.
		const always = 'kind = ? AND +version > ? AND changedAt >= ? AND archived <= ?';
		const where = fields.length > 0 ? `${always} AND passes(id, data, archived)` : always;
		const parameters = [kind, since, changedSince, showArchived ? 1 : 0];
		const { totalRows } = this.prepare(
			`SELECT count(*) AS totalRows FROM records WHERE ${where}`,
		).get(...parameters) as { totalRows: number };
		const ordered = orderBy?.field === idField ? 'id' : `data ->> '$.${orderBy?.field}'`;
		const order = orderBy ? `${ordered} ${orderBy.isDescending ? 'DESC' : 'ASC'},` : '';
		const rows = this.prepare(
			`SELECT * FROM records WHERE ${where} ORDER BY ${order} id LIMIT ? OFFSET ?`,
		).all(...parameters, selection.limit ?? -1, selection.offset ?? 0);
		return { totalRows, rows: (rows as unknown as Row[]).map(toRecord) };
	}

	/**
	 * A page of the records, including archived ones, the latest change first.
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
