import { sql } from 'kysely'
import type { Database } from '../../../../platform/database/connect.ts'
import type { Example } from '../schema.ts'

export type MergeCounts = {
  /** Distinct devices received. */
  received: number
  created: number
  updated: number
  absent: number
  returned: number
  doubled: number
  shared_point: number
  code_by_alias: number
  code_by_name: number
  code_unknown: number
}

/** Columns owned by the registry and copied from `placed`, besides `gid`. */
const mirrored = `nom, adresse, code_postal, commune_nom, code_insee, registre_code, latitude, longitude, acces, acces_libre,
  etage, acces_complement, disponibilite, disponibilite_complement, etat_fonctionnement, photo_url, date_installation,
  mis_a_jour_le, retenu`
const each = (of: string) => sql.raw(mirrored.replace(/\w+/g, (name) => `${of}.${name}`))
const set = sql.raw(mirrored.replace(/\w+/g, (name) => `${name} = p.${name}`))
const all = sql.raw(mirrored)

/** A stored date in the future, which is no longer read, is no date: it would stand for ever. */
const isNewer = sql`(d.mis_a_jour_le is null or d.mis_a_jour_le > now() + interval '1 day'
        or p.mis_a_jour_le >= d.mis_a_jour_le)`

/**
 * Merges the rows that this sync received into the catalogue in one statement. Writes only changed rows and
 * keeps administrators' statuses. `codes`: the registry codes whose rows may be marked absent; null: all.
 */
export async function merge(db: Database, syncId: string, codes: string[] | null): Promise<MergeCounts> {
  const isConcerned = codes === null ? sql`true` : sql`d.registre_code = any(${codes}::text[])`
  const { rows } = await sql<MergeCounts>`
    with received as materialized (
      -- Of a device listed twice, the newer row.
      select distinct on (gid) * from defibrillateurs_received where sync_id = ${syncId}
      order by gid, mis_a_jour_le desc nulls last
    ),
    names as (
      -- The one commune with this postal code and name, also a former name; several matches are none.
      select code_postal, key, min(code_insee) as code_insee from (
        select unnest(codes_postaux) as code_postal, sort_name as key, code_insee from communes
        union all
        select unnest(c.codes_postaux), search_key(a.nom), c.code_insee
        from commune_aliases a join communes c on c.id = a.commune_id
        union all
        select unnest(c.codes_postaux), search_key(f.nom), c.code_insee
        from commune_former_names f join communes c on c.id = f.commune_id
      ) as every_name group by code_postal, key having min(code_insee) = max(code_insee)
    ),
    placed as materialized (
      select r.id, r.gid, r.nom, r.adresse, r.code_postal, r.commune_nom,
        coalesce(own.code_insee, present.code_insee, names.code_insee) as code_insee, r.registre_code,
        case when shared.latitude is null then r.latitude end as latitude,
        case when shared.latitude is null then r.longitude end as longitude,
        r.acces, r.acces_libre, r.etage, r.acces_complement, r.disponibilite, r.disponibilite_complement,
        r.etat_fonctionnement, r.photo_url, r.date_installation, r.mis_a_jour_le, r.retenu,
        shared.latitude is not null as is_shared,
        own.code_insee is null and present.code_insee is not null as is_by_alias,
        own.code_insee is null and present.code_insee is null and names.code_insee is not null as is_by_name
      from received r
      left join communes own on own.code_insee = r.registre_code
      left join commune_aliases alias on alias.code_insee = r.registre_code
      left join communes present on present.id = alias.commune_id
      left join names on names.code_postal = r.code_postal and names.key = r.commune_key
      left join defibrillateur_shared_points shared
        on shared.latitude = r.latitude and shared.longitude = r.longitude
    ),
    created as (
      insert into defibrillateurs (id, gid, ${all})
      select p.id, p.gid, ${each('p')} from placed p
      where not exists (select from defibrillateurs d where d.gid = p.gid)
      returning 1
    ),
    updated as (
      -- The latest statement of the registry wins, whichever sync brought it.
      update defibrillateurs d set ${set}, absent_depuis = null
      from placed p
      where d.gid = p.gid and ${isNewer}
        and (${each('d')}) is distinct from (${each('p')})
      returning d.gid
    ),
    returned as (
      update defibrillateurs d set absent_depuis = null
      from placed p
      where d.gid = p.gid and d.absent_depuis is not null
        and (${isNewer} is not true or (${each('d')}) is not distinct from (${each('p')}))
      returning 1
    ),
    absent as (
      update defibrillateurs d set absent_depuis = now()
      where d.absent_depuis is null and ${isConcerned}
        and not exists (select from received r where r.gid = d.gid)
      returning 1
    )
    select count(*) as received, (select count(*) from created) as created, (select count(*) from updated) as updated,
      (select count(*) from absent) as absent, (select count(*) from returned) as returned,
      (select count(*) from defibrillateurs_received where sync_id = ${syncId}) - count(*) as doubled,
      count(*) filter (where is_shared) as shared_point,
      count(*) filter (where is_by_alias) as code_by_alias,
      count(*) filter (where is_by_name) as code_by_name,
      count(*) filter (where code_insee is null) as code_unknown
    from placed`.execute(db)
  return rows[0] as MergeCounts
}

/** The devices that a sync of these codes may remove. Those of the demo are not in the registry: the first one may. */
const present = (codes: string[] | null) => sql`
  d.absent_depuis is null and d.gid not like 'demo-%'
  and ${codes === null ? sql`true` : sql`d.registre_code = any(${codes}::text[])`}`

type Counted = Record<'received' | 'present' | 'missing' | 'retained' | 'unretained', number>

/**
 * Counts the distinct devices received; of those present, the ones missing from them; and of the present ones that
 * the registry retained, those that it would not retain any more: missing, or not validated, out of order and so on.
 */
export async function countFall(db: Database, syncId: string, codes: string[] | null) {
  const { rows } = await sql<Counted>`
    with received as materialized (
      select gid, bool_or(retenu) as retenu from defibrillateurs_received where sync_id = ${syncId} group by gid
    )
    select (select count(*) from received) as received, count(*) as present,
      count(*) filter (where r.gid is null) as missing,
      count(*) filter (where d.retenu) as retained,
      count(*) filter (where d.retenu and r.retenu is not true) as unretained
    from defibrillateurs d left join received r on r.gid = d.gid where ${present(codes)}`.execute(db)
  return rows[0] as Counted
}

const maxExamples = 10

/** Lists some devices that a sync of these codes would mark absent, or with `retained`, not retain any more. */
export async function listLost(db: Database, syncId: string, codes: string[] | null, retained: boolean) {
  const isKept = retained ? sql`r.retenu` : sql`true`
  const { rows } = await sql<Example>`
    select d.gid, d.nom, d.commune_nom from defibrillateurs d
    where ${present(codes)} and (d.retenu or not ${retained}::boolean) and not exists (
      select from defibrillateurs_received r where r.sync_id = ${syncId} and r.gid = d.gid and ${isKept})
    order by d.sort_name, d.id limit ${sql.lit(maxExamples)}`.execute(db)
  return rows
}

/** Stores placeholder points: those shared by ten or more devices at five or more addresses. */
export async function findSharedPoints(db: Database, syncId: string): Promise<void> {
  await sql`
    with crowded as (
      select latitude, longitude from defibrillateurs_received
      where sync_id = ${syncId} and latitude is not null
      group by latitude, longitude having count(*) >= 10
    ),
    shared as (
      select latitude, longitude from crowded join defibrillateurs_received r using (latitude, longitude)
      where sync_id = ${syncId}
      group by latitude, longitude having count(distinct (r.adresse, r.code_postal)) >= 5
    ),
    gone as (
      delete from defibrillateur_shared_points p
      where not exists (select from shared s where s.latitude = p.latitude and s.longitude = p.longitude)
    )
    insert into defibrillateur_shared_points select latitude, longitude from shared
    on conflict do nothing`.execute(db)
}

export async function dropReceived(db: Database, syncId: string): Promise<void> {
  await sql`delete from defibrillateurs_received where sync_id = ${syncId}`.execute(db)
}
