import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import { among } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { type DomainsQuery, type ListedDomain, type StoredDomain, storedFields } from './schema.ts'

const stored = columnList(storedFields)
const columns = sql<ListedDomain>`
  ${columnList(storedFields, 'd')},
  (select json_build_object('id', id, 'slug', slug, 'nom', nom) from communes where id = d.commune_id) as commune,
  (select json_build_object('id', id, 'slug', slug, 'nom', nom) from groups where id = d.group_id) as "group",
  (d.id = (
    select o.id from domains o
    where o.verified_at is not null and (o.commune_id = d.commune_id or o.group_id = d.group_id)
    order by o.is_primary desc, o.created_at, o.id limit 1)) is true as is_canonical`

export const domainsList: List<DomainsQuery, ListedDomain> = {
  name: 'domains',
  from: sql`domains d`,
  as: 'd',
  filters: {
    ids: among('d.id'),
    commune_id: (id) => sql`d.commune_id = ${id}`,
    group_id: (id) => sql`d.group_id = ${id}`,
  },
  // A commune or a group has few domains.
  filtersFirst: ({ commune_id, group_id }) => commune_id !== undefined || group_id !== undefined,
  sorts: {
    host: [{ by: sql`d.host`, type: 'text' }, byId],
    created_at: [{ by: sql`d.created_at`, type: 'time' }, byId],
  },
  defaults: { sort: 'host_asc' },
  columns,
}

export async function getDomain(db: Database, id: string): Promise<ListedDomain> {
  const { rows } = await sql<ListedDomain>`select ${columns} from domains d where d.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export type ProvenDomain = Pick<StoredDomain, 'host' | 'commune_id' | 'group_id'> & {
  slug: string
  nom: string
  couleur: string | null
  blason: string | null
  commune_ids: string[]
}

/**
 * Lists the domains whose token was found, primary ones first, then the oldest, each with the name of its place and the communes it
 * shows.
 */
export async function listProven(db: Database): Promise<ProvenDomain[]> {
  // Most installations have none, and wait for no other table.
  const any = await sql`select from domains where verified_at is not null limit 1`.execute(db)
  if (any.rows.length === 0) return []
  const { rows } = await sql<ProvenDomain>`
    select d.host, d.commune_id, d.group_id, coalesce(c.slug, g.slug) as slug, coalesce(c.nom_affiche, c.nom, g.nom) as nom, c.couleur, c.blason,
      case when d.commune_id is not null then array[d.commune_id]
        else array(select commune_id from group_communes where group_id = d.group_id order by commune_id) end as commune_ids
    from domains d left join communes c on c.id = d.commune_id left join groups g on g.id = d.group_id
    where d.verified_at is not null
    order by d.is_primary desc, d.created_at, d.id`.execute(db)
  return rows
}

/** Locks the domain until the transaction ends and returns it; 404 if it does not exist. */
export async function getDomainForUpdate(tx: Database, id: string): Promise<StoredDomain> {
  const { rows } = await sql<StoredDomain>`
    select ${stored} from domains where id = ${id} for update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Locks all domains of the place of one, in the same order for all, and returns this one; 404 if it does not exist. */
export async function getDomainOfPlaceForUpdate(tx: Database, id: string): Promise<StoredDomain> {
  const { rows } = await sql<StoredDomain>`
    select ${stored} from domains
    where coalesce(commune_id, group_id) = (select coalesce(commune_id, group_id) from domains where id = ${id})
    order by id for update`.execute(tx)
  return rows.find((row) => row.id === id) ?? raise(notFound())
}

/** Ends the choice of another domain of a place, and returns its host; null if there was none. */
export async function endPrimary(
  tx: Database,
  { id, commune_id, group_id }: Pick<StoredDomain, 'id' | 'commune_id' | 'group_id'>,
): Promise<string | null> {
  const { rows } = await sql<{ host: string }>`
    update domains set is_primary = false
    where is_primary and id <> ${id} and coalesce(commune_id, group_id) = ${commune_id ?? group_id}
    returning host`.execute(tx)
  return rows[0]?.host ?? null
}

export async function insertDomain(
  tx: Database,
  {
    id,
    host,
    commune_id,
    group_id,
    token,
  }: Pick<StoredDomain, 'id' | 'host' | 'commune_id' | 'group_id' | 'token'>,
): Promise<StoredDomain> {
  const { rows } = await sql<StoredDomain>`
    insert into domains (id, host, commune_id, group_id, token)
    values (${id}, ${host}, ${commune_id}, ${group_id}, ${token}) returning ${stored}`.execute(tx)
  return rows[0] as StoredDomain
}

export async function updateDomain(
  tx: Database,
  id: string,
  values: Partial<StoredDomain>,
): Promise<StoredDomain> {
  return tx
    .updateTable('domains')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(Object.keys(storedFields) as (keyof StoredDomain)[])
    .$castTo<StoredDomain>()
    .executeTakeFirstOrThrow()
}

export async function deleteDomain(tx: Database, id: string): Promise<void> {
  await sql`delete from domains where id = ${id}`.execute(tx)
}
