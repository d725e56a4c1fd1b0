import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { AddressList } from '../../platform/http/listing/addresses.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { Page, pagingQuery, publicPerPage } from '../../platform/http/listing/paging.ts'
import { IdOrSlug, record, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { isPublicActeur } from '../acteurs/reading.ts'
import { acteurOf, countOfMembers, groupConditions, listMembers } from './queries.ts'
import { communes, Group, groupFilters } from './schema.ts'

export const ByIdOrSlug = Type.Object({
  idOrSlug: IdOrSlug('Identifier or slug of the group', 'ca-du-grand-chambery'),
})

const GroupsQuery = Type.Object({ ...pagingQuery(publicPerPage), ...groupFilters })
type GroupsQuery = Static<typeof GroupsQuery>

const GroupFull = titled('GroupFull', { ...Group.properties, communes })

export function readingRoutes(scope: HttpServer, { reads, lists }: Deps): void {
  scope.get(
    '/groups',
    {
      config: { caching: { shows: ['groups', 'group_communes', 'acteurs'] } },
      schema: {
        operationId: 'listGroups',
        summary: 'Groups of communes, such as intercommunalities, by name',
        querystring: GroupsQuery,
        response: { 200: Page(Group) },
      },
    },
    async ({ query }) => numberedPage(lists, publicGroups, query, publicPerPage),
  )

  scope.get(
    '/groups/:idOrSlug',
    {
      config: { caching: { shows: ['groups', 'group_communes', 'communes', 'acteurs'] } },
      schema: {
        operationId: 'getGroup',
        summary: 'One group of communes with its members by name, by its id or slug',
        params: ByIdOrSlug,
        response: { 200: record(GroupFull) },
      },
    },
    async ({ params }) => {
      const group = (await findGroup(reads, params.idOrSlug)) ?? raise(notFound())
      return { data: { ...group, communes: await listMembers(reads, group.id) } }
    },
  )
}

const { communes_count: _count, acteur: _acteur, ...stored } = Group.properties
const columns = sql<Group>`
  ${columnList(stored, 'g')}, ${acteurOf(isPublicActeur)}, ${countOfMembers}`

const publicGroups: List<GroupsQuery, Group> = {
  name: 'public-groups',
  from: sql`groups g`,
  as: 'g',
  filters: groupConditions,
  // A commune belongs to few groups.
  filtersFirst: ({ commune_id }) => commune_id !== undefined,
  sorts: { nom: [{ by: sql`g.sort_name`, type: 'text' }, byId] },
  defaults: { sort: 'nom_asc' },
  columns,
}

type GroupsOfSite = {
  q?: string
  departement?: string
  /** Limits the list to groups with a member among these. */
  commune_ids?: readonly string[]
  page?: number
  sort?: 'nom_asc'
}

/** Groups by name: all of them, or those with members in a département or among these communes. */
export const groupsOfSite: List<GroupsOfSite, Group> = {
  name: 'groups-of-site',
  from: sql`groups g`,
  as: 'g',
  filters: {
    q: groupConditions.q,
    departement: (code) => sql`g.id in (
      select m.group_id from communes c join group_communes m on m.commune_id = c.id where c.departement = ${code})`,
    commune_ids: (ids) => hasMemberAmong(sql`g.id`, ids),
  },
  filtersFirst: ({ departement, commune_ids }) => departement !== undefined || commune_ids !== undefined,
  sorts: { nom: [{ by: sql`g.sort_name`, type: 'text' }, byId] },
  defaults: { sort: 'nom_asc' },
  columns,
}

const hasMemberAmong = (id: RawBuilder<unknown>, communeIds: readonly string[]) =>
  sql<boolean>`${id} in (select group_id from group_communes where commune_id = any(${communeIds}::uuid[]))`

/** Finds a group by id if the text is a UUID, else by its slug or a former one. */
export async function findGroup(db: Database, idOrSlug: string): Promise<Group | null> {
  const id = isUuid(idOrSlug)
    ? sql`${idOrSlug}`
    : sql`coalesce((select id from groups where slug = ${idOrSlug}),
        (select id from group_former_slugs where slug = ${idOrSlug}))`
  const { rows } = await sql<Group>`select ${columns} from groups g where g.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Finds the acteur that publishes for the members of a group. */
export async function findActeurOf(db: Database, id: string): Promise<string | null> {
  const row = await db.selectFrom('groups').select('acteur_id').where('id', '=', id).executeTakeFirst()
  return row?.acteur_id ?? null
}

/** A page has room for so many. */
const maxShown = 20

/** Lists the groups of a commune, intercommunalities first. */
export async function listGroupsOf(db: Database, communeId: string): Promise<Pick<Group, 'slug' | 'nom'>[]> {
  const { rows } = await sql<Pick<Group, 'slug' | 'nom'>>`
    select g.slug, g.nom from group_communes m join groups g on g.id = m.group_id
    where m.commune_id = ${communeId}
    order by g.kind <> 'epci', g.sort_name, g.id limit ${sql.lit(maxShown)}`.execute(db)
  return rows
}

/** All groups, or those of these communes, with their addresses. */
export const addressesOfGroups = (communeIds: readonly string[] | null): AddressList => ({
  table: 'groups',
  from: sql`groups`,
  where: communeIds === null ? sql`true` : hasMemberAmong(sql`id`, communeIds),
  at: sql`created_at`,
  id: sql`id`,
})
