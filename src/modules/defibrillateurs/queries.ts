import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { fold } from '../../platform/formats/text.ts'
import { type StoredDefibrillateur, type SyncStatus, statutFields, storedFields } from './schema.ts'
import type { Failure } from './sync/schema.ts'

/** The level of an administrator: communal or national. */
export type Level = 'commune' | 'france'
export type ManagedRow = StoredDefibrillateur & {
  statut_admin: 'actif' | 'masque' | 'a_verifier'
  note: string | null
  statut_admin_commune: 'actif' | 'masque' | 'a_verifier'
  statut_admin_france: 'actif' | 'masque' | 'a_verifier'
  absent_depuis: Date | null
  version: number
}

export const storedColumns = sql`${columnList(storedFields)}, departement`

const { statut_admin: _statut, note: _note, ...ofBothLevels } = statutFields
export const managedColumns = (level: Level) => sql<ManagedRow>`
  ${storedColumns}, ${columnList(ofBothLevels)},
  ${sql.ref(`statut_admin_${level}`)} as statut_admin, ${sql.ref(`note_${level}`)} as note`

/** Matches each word as a prefix, in any order. Ignores words after the tenth. */
export function isFoundBy(q: string, begins = beginsWord): RawBuilder<boolean> {
  return allOf(...fold(q).split(' ').slice(0, 10).map(begins))
}

/** Resolves the code of a former commune to the present one; an unknown code matches itself. */
export const isOfCode = (code: string) => sql<boolean>`code_insee = coalesce(
  (select c.code_insee from communes c where c.code_insee = ${code}),
  (select c.code_insee from commune_aliases a join communes c on c.id = a.commune_id where a.code_insee = ${code}),
  ${code})`

export const isOfCommune = (communeId: string) =>
  sql<boolean>`code_insee = (select c.code_insee from communes c where c.id = ${communeId})`

/**
 * Keeps the devices of a commune whose INSEE code is corrected, and adds those that the registry lists under the new
 * code. The next sync attributes them anew, except those of which it brings an older version.
 */
export async function moveDevices(db: Database, before: string, after: string): Promise<void> {
  await sql`
    update defibrillateurs set code_insee = ${after}
    where code_insee = ${before}
      or (registre_code = ${after} and absent_depuis is null and code_insee is distinct from ${after})`.execute(
    db,
  )
}

/** Lists the devices of a commune for its administrators, by name. */
export async function listOfCommune(db: Database, communeId: string): Promise<ManagedRow[]> {
  const { rows } = await sql<ManagedRow>`
    select ${managedColumns('commune')} from defibrillateurs where ${isOfCommune(communeId)}
    order by sort_name, id`.execute(db)
  return rows
}

export type RecordRow = ManagedRow & {
  note_commune: string | null
  commune: { id: string; nom: string } | null
  retenu: boolean
  public: boolean
}

export async function getRecord(db: Database, id: string): Promise<RecordRow> {
  const { rows } = await sql<RecordRow>`
    select ${managedColumns('france')}, note_commune, retenu, visible as public,
      (select jsonb_build_object('id', c.id, 'nom', c.nom) from communes c
        where c.code_insee = defibrillateurs.code_insee) as commune
    from defibrillateurs where id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export async function getForUpdate(db: Database, level: Level, id: string): Promise<ManagedRow> {
  const { rows } = await sql<ManagedRow>`
    select ${managedColumns(level)} from defibrillateurs where id = ${id} for no key update`.execute(db)
  return rows[0] ?? raise(notFound())
}

export async function updateStatut(
  db: Database,
  level: Level,
  id: string,
  { statut_admin, note }: Pick<ManagedRow, 'statut_admin' | 'note'>,
): Promise<ManagedRow> {
  const { rows } = await sql<ManagedRow>`
    update defibrillateurs
    set ${sql.ref(`statut_admin_${level}`)} = ${statut_admin}, ${sql.ref(`note_${level}`)} = ${note}
    where id = ${id} returning ${managedColumns(level)}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export type SyncState = {
  last_synced_at: Date | null
  sync_status: SyncStatus | null
  sync_error: string | null
  sync_failure: Failure | null
}

/** Returns the sync state of France, or of a commune, which national syncs also update. */
export async function getSyncState(db: Database, communeId: string | null): Promise<SyncState> {
  const isOfIt =
    communeId === null ? sql`commune_id is null` : sql`(commune_id is null or commune_id = ${communeId})`
  const { rows } = await sql<SyncState>`
    select latest.status as sync_status, latest.error as sync_error, latest.failure as sync_failure,
      (select max(finished_at) from defibrillateur_syncs where status = 'succeeded' and ${isOfIt}) as last_synced_at
    from (values (true)) as whatever
    left join lateral (
      select status, error, failure from defibrillateur_syncs where ${isOfIt} order by id desc limit 1
    ) as latest on true`.execute(db)
  return rows[0] as SyncState
}
