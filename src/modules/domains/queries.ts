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
  (select json_build_object('id', id, 'slug', slug, 'nom', nom) from groups where id = d.group_id) as "group"`

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

/** Locks the domain until the transaction ends and returns it; 404 if it does not exist. */
export async function getDomainForUpdate(tx: Database, id: string): Promise<StoredDomain> {
  const { rows } = await sql<StoredDomain>`
    select ${stored} from domains where id = ${id} for update`.execute(tx)
  return rows[0] ?? raise(notFound())
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
