import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import { equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { type CollecteRow, collecteFields } from '../communes/schema.ts'
import type { Counts, Member } from './plan.ts'
import type { FileKind } from './reading/read-file.ts'
import type { RowProblem } from './reading/row.ts'
import type { ImportRow, MemberCollectes, PlannedCommune, Result, UndoResult } from './schema.ts'

export type StoredImport = {
  id: string
  acteur_id: string
  kind: FileKind
  applied_at: Date | null
  undone_at: Date | null
  version: number
}
const stored = ['id', 'acteur_id', 'kind', 'applied_at', 'undone_at', 'version'] as const

/** Selects whether a commune `c` is one of an acteur: of its groups, or that of a mairie; and among these. */
const isOf = (acteurId: string, communeIds: readonly string[] | null) => sql<boolean>`
  c.id = any(communes_of_acteur(${acteurId})) and ${communeIds === null ? sql`true` : sql`c.id = any(${communeIds}::uuid[])`}`

export async function listMembers(
  db: Database,
  acteurId: string,
  communeIds: readonly string[] | null,
): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select c.id, c.nom, c.code_insee, c.departement from communes c where ${isOf(acteurId, communeIds)}
    order by c.sort_name, c.id`.execute(db)
  return rows
}

/** Lists members after a change of them has ended; the next one waits for this transaction. */
export async function lockMembers(
  tx: Database,
  acteurId: string,
  communeIds: readonly string[] | null,
): Promise<Set<string>> {
  await sql`select from acteurs where id = ${acteurId} for no key update`.execute(tx)
  return new Set((await listMembers(tx, acteurId, communeIds)).map(({ id }) => id))
}

export type MemberRow = Omit<MemberCollectes, 'prochaine'> & { departement: string; rows: CollecteRow[] }

/** The communes of an acteur by name, each with its collections. */
export const membersList = (
  acteurId: string,
  communeIds: readonly string[] | null,
): List<Record<never, never>, MemberRow> => ({
  name: 'members-collectes',
  from: sql`communes c`,
  as: 'c',
  where: isOf(acteurId, communeIds),
  filters: {},
  sorts: {
    nom: [
      { by: sql`c.sort_name`, type: 'text' },
      { by: sql`c.id`, type: 'id' },
    ],
  },
  defaults: { sort: 'nom_asc' },
  columns: sql<MemberRow>`
    c.id as commune_id, c.nom, c.code_insee, c.departement, c.updated_at,
    (select count(*) from collectes k where k.commune_id = c.id) as collectes,
    (select coalesce(jsonb_agg(to_jsonb(k) order by k.position, k.id), '[]') from collectes k where k.commune_id = c.id) as rows`,
})

/** Lists the collections of communes, in the order of each. */
export async function listCollectesOf(
  db: Database,
  communeIds: readonly string[],
): Promise<Map<string, CollecteRow[]>> {
  const { rows } = await sql<CollecteRow & { commune_id: string }>`
    select commune_id, ${columnList(collecteFields)} from collectes
    where commune_id = any(${communeIds}::uuid[]) order by commune_id, position, id`.execute(db)
  const found = new Map<string, CollecteRow[]>(communeIds.map((id) => [id, []]))
  for (const { commune_id, ...row } of rows) found.get(commune_id)?.push(row)
  return found
}

export async function insertImport(
  tx: Database,
  { id, acteur_id, kind }: Pick<StoredImport, 'id' | 'acteur_id' | 'kind'>,
  problems: RowProblem[],
  problemCount: number,
): Promise<StoredImport> {
  const { rows } = await sql<StoredImport>`
    insert into collecte_imports (id, acteur_id, kind, problems, problem_count)
    values (${id}, ${acteur_id}, ${kind}, ${JSON.stringify(problems)}::jsonb, ${problemCount})
    returning ${columnList(stored)}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

type Planned = { commune_id: string; before: CollecteRow[]; after: CollecteRow[] }

export async function insertPlanned(
  tx: Database,
  importId: string,
  planned: (Planned & Counts)[],
): Promise<void> {
  await sql`
    insert into collecte_import_communes (import_id, commune_id, before, after, added, removed, changed, unchanged)
    select ${importId}, commune_id, before, after, added, removed, changed, unchanged
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as r (
      commune_id uuid, before jsonb, after jsonb, added integer, removed integer, changed integer, unchanged integer)`.execute(
    tx,
  )
}

export async function getImportForUpdate(tx: Database, id: string): Promise<StoredImport> {
  const { rows } = await sql<StoredImport>`
    select ${columnList(stored)} from collecte_imports where id = ${id} for update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export function updateImport(tx: Database, id: string, values: Partial<StoredImport>): Promise<StoredImport> {
  return tx
    .updateTable('collecte_imports')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(stored)
    .$castTo<StoredImport>()
    .executeTakeFirstOrThrow()
}

const counted = (condition: ReturnType<typeof sql>) =>
  sql`(select count(*) from collecte_import_communes p where p.import_id = i.id and ${condition})`
const columns = sql<ImportRow>`
  ${columnList([...stored, 'created_at', 'problem_count'], 'i')},
  ${counted(sql`true`)} as communes_count,
  ${counted(sql`p.added + p.removed + p.changed > 0`)} as to_replace,
  ${counted(sql`p.result = 'replaced'`)} as replaced,
  ${counted(sql`p.undo_result = 'restored'`)} as restored`

/** What was applied for an acteur, the latest first. */
export const appliedImports: List<{ acteur_id: string }, ImportRow> = {
  name: 'collecte-imports',
  from: sql`collecte_imports i`,
  as: 'i',
  where: sql`i.applied_at is not null`,
  filters: { acteur_id: equals('i.acteur_id') },
  sorts: { id: [byId] },
  defaults: { sort: 'id_desc' },
  columns,
}

export async function getImport(db: Database, acteurId: string, id: string) {
  const { rows } = await sql<ImportRow & { problems: RowProblem[] }>`
    select ${columns}, i.problems from collecte_imports i where i.id = ${id} and i.acteur_id = ${acteurId}`.execute(
    db,
  )
  return rows[0] ?? raise(notFound())
}

export async function listPlannedCommunes(db: Database, importId: string): Promise<PlannedCommune[]> {
  const { rows } = await sql<PlannedCommune>`
    select p.commune_id, c.nom, c.code_insee, p.added, p.removed, p.changed, p.unchanged, p.result, p.undo_result
    from collecte_import_communes p join communes c on c.id = p.commune_id
    where p.import_id = ${importId} order by c.sort_name, c.id`.execute(db)
  return rows
}

export async function getPlanned(db: Database, ids: { acteurId: string; id: string; communeId: string }) {
  const { rows } = await sql<Member & { before: CollecteRow[]; after: CollecteRow[] }>`
    select c.id, c.nom, c.code_insee, c.departement, p.before, p.after
    from collecte_import_communes p join communes c on c.id = p.commune_id
      join collecte_imports i on i.id = p.import_id
    where i.id = ${ids.id} and i.acteur_id = ${ids.acteurId} and c.id = ${ids.communeId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks the communes of an import in the order of their ids, as everybody does, and returns them. */
export async function lockCommunes(tx: Database, importId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from communes c where c.id in (
      select commune_id from collecte_import_communes where import_id = ${importId})
    order by c.id for no key update`.execute(tx)
  return rows.map(({ id }) => id)
}

export type PlannedRow = Planned & { result: Result | null }

export async function listPlanned(
  tx: Database,
  importId: string,
  communeIds: string[],
): Promise<PlannedRow[]> {
  const { rows } = await sql<PlannedRow>`
    select commune_id, before, after, result from collecte_import_communes
    where import_id = ${importId} and commune_id = any(${communeIds}::uuid[]) order by commune_id`.execute(tx)
  return rows
}

/** Records what applying did in communes. */
export const recordResults = (tx: Database, id: string, rows: { commune_id: string; result: Result }[]) =>
  record(tx, id, rows, sql`result = r.result`)

/** Records the collections of communes as they were written: an undo requires them. */
export const recordWritten = (
  tx: Database,
  id: string,
  rows: { commune_id: string; after: CollecteRow[] }[],
) => record(tx, id, rows, sql`after = r.after`)

/** Records what undoing did in communes. */
export const recordUndo = (
  tx: Database,
  id: string,
  rows: { commune_id: string; undo_result: UndoResult }[],
) => record(tx, id, rows, sql`undo_result = r.undo_result`)

async function record(tx: Database, id: string, rows: object[], set: RawBuilder<unknown>): Promise<void> {
  await sql`
    update collecte_import_communes p set ${set}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      commune_id uuid, result text, after jsonb, undo_result text)
    where p.import_id = ${id} and p.commune_id = r.commune_id`.execute(tx)
}

/** Gives communes whose collections were replaced a new version: who has seen the former one is refused. */
export async function raiseVersions(tx: Database, communeIds: string[]): Promise<void> {
  await sql`update communes set version = version + 1 where id = any(${communeIds}::uuid[])`.execute(tx)
}
