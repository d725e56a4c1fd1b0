import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { StoredAddress, StoredStreet } from './store.ts'

/** What a file replaces: all of a commune, or with codes, what lies in these former communes or arrondissements. */
export type Scope = { communeId: string; codes: string[] | null }

/** Lets one load at a time replace the addresses of a commune, until the transaction ends. */
export async function lockAddresses(tx: Database, communeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('parvis addresses of ' || ${communeId}, 0))`.execute(
    tx,
  )
}

const isReplaced = (table: string, { communeId, codes }: Scope): RawBuilder<boolean> =>
  allOf(
    sql`${sql.ref(`${table}.commune_id`)} = ${communeId}`,
    codes !== null && sql`${sql.ref(`${table}.deleguee`)} = any(${codes}::text[])`,
  )

export async function countAddresses(tx: Database, scope: Scope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from addresses where ${isReplaced('addresses', scope)}`.execute(tx)
  return rows[0]?.total ?? 0
}

const streetsIn = (rows: StoredStreet[]) => sql`
  source as materialized (
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(
      street text, deleguee text, voie text, latitude float8, longitude float8))`

/** Inserts new streets, and writes those that changed. */
export async function writeStreets(tx: Database, communeId: string, rows: StoredStreet[]): Promise<void> {
  await sql`
    with ${streetsIn(rows)},
    updated as (
      update streets t set voie = s.voie, latitude = s.latitude, longitude = s.longitude
      from source s where t.commune_id = ${communeId} and t.key = s.street and t.deleguee = s.deleguee
        and (t.voie, t.latitude, t.longitude) is distinct from (s.voie, s.latitude, s.longitude))
    insert into streets (commune_id, key, deleguee, voie, latitude, longitude)
    select ${communeId}, street, deleguee, voie, latitude, longitude from source s
    where not exists (
      select from streets t where t.commune_id = ${communeId} and t.key = s.street and t.deleguee = s.deleguee)
  `.execute(tx)
}

type StreetPlace = { street: string; deleguee: string }

/** Deletes the streets after one and up to another, null: to the end, that are not among these. */
export async function deleteOtherStreets(
  tx: Database,
  scope: Scope,
  rows: StoredStreet[],
  { after, upTo }: { after: StreetPlace; upTo: StreetPlace | null },
): Promise<void> {
  await sql`
    with ${streetsIn(rows)}
    delete from streets t
    where ${allOf(
      isReplaced('t', scope),
      sql`(t.key, t.deleguee) > (${after.street}, ${after.deleguee})`,
      upTo !== null && sql`(t.key, t.deleguee) <= (${upTo.street}, ${upTo.deleguee})`,
    )} and not exists (select from source s where s.street = t.key and s.deleguee = t.deleguee)`.execute(tx)
}

export type Written = { created: number; updated: number; removed: number }

/**
 * Makes these the addresses between two keys: inserts new ones, writes those that changed, and if `deletes`, deletes the
 * others. The rows come in the order of their keys, so that the file needs not be in memory.
 */
export async function writeAddresses(
  tx: Database,
  scope: Scope,
  rows: StoredAddress[],
  { after, upTo, deletes }: { after: string; upTo: string | null; deletes: boolean },
): Promise<Written> {
  const values = ['street', 'deleguee', 'numero', 'suffixe', 'complement', 'latitude', 'longitude']
  const of = (table: string) => sql.join(values.map((name) => sql.ref(`${table}.${name}`)))
  const { rows: written } = await sql<Written>`
    with source as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(
        cle_interop text, street text, deleguee text, numero integer, suffixe text, complement text,
        latitude float8, longitude float8)),
    removed as (
      delete from addresses a
      where ${deletes} and ${allOf(isReplaced('a', scope), sql`a.cle_interop > ${after}`, upTo !== null && sql`a.cle_interop <= ${upTo}`)}
        and not exists (select from source s where s.cle_interop = a.cle_interop)
      returning 1),
    updated as (
      update addresses a set ${sql.join(values.map((name) => sql`${sql.ref(name)} = ${sql.ref(`s.${name}`)}`))}
      from source s where a.commune_id = ${scope.communeId} and a.cle_interop = s.cle_interop
        and (${of('a')}) is distinct from (${of('s')})
      returning 1),
    created as (
      insert into addresses (commune_id, cle_interop, ${sql.join(values.map((name) => sql.ref(name)))})
      select ${scope.communeId}, s.cle_interop, ${of('s')} from source s
      where not exists (
        select from addresses a where a.commune_id = ${scope.communeId} and a.cle_interop = s.cle_interop)
      returning 1)
    select (select count(*) from created) as created, (select count(*) from updated) as updated,
      (select count(*) from removed) as removed`.execute(tx)
  return written[0] as Written
}
