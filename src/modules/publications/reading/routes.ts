import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, scopeViolation } from '../../../platform/errors.ts'
import type { ShownRequest } from '../../../platform/http/cache/lookup.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { type Position, startOfWalk, walked } from '../../../platform/http/listing/cursor.ts'
import { countMatches } from '../../../platform/http/listing/list.ts'
import {
  maxCountedOfList,
  page,
  pagingOf,
  publicPerPage,
  type Total,
  totalFields,
  totalOfList,
} from '../../../platform/http/listing/paging.ts'
import { list, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { findActeurOf } from '../../groups/reading.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import { ById, Publication, PublicationType } from '../schema.ts'
import {
  countShown,
  findListings,
  isDue,
  isFeatured,
  isInOrder,
  isPinned,
  type Listings,
  listedIn,
  storedListings,
} from '../stored-lists.ts'
import { isShown, restrictionOf, visible } from '../visibility.ts'
import { attached } from './materialised-list.ts'
import type { ListOf, PublicList } from './pages.ts'
import * as queries from './queries.ts'
import {
  ByActeur,
  ByCommune,
  PublicationPage,
  type PublicQuery,
  PublicQueryOfActeur,
  PublicQueryOfAll,
  PublicQueryOfCommune,
} from './schema.ts'

/** Tables beside its own that a publication shows. */
const others = ['publication_types', 'acteurs', 'communes']
const caching = { shows: ['publications', ...others], tagsOf }
/** Maximum number of communes of an application for which its responses have tags of communes. */
const maxTags = 20

/** Tags of the publications that a request can show: one, those of an acteur, or those of a few communes. */
function tagsOf({ params, query, communeIds }: ShownRequest): string[] | null {
  // Which acteur a group names is not known here.
  if (query.group_id !== undefined) return null
  const id = params.id ?? params.acteurId ?? query.acteur_id ?? params.communeId ?? query.commune_id
  const ids = id === undefined ? communeIds : [`${id}`]
  if (ids === null || ids.length > maxTags) return null
  return [...ids.map((one) => `publications:${one.toLowerCase()}`), 'publications*', ...others]
}

export function readingRoutes(scope: HttpServer, { reads, lists }: Deps): void {
  scope.get(
    '/publications/types',
    {
      config: { caching: { shows: ['publication_types'], direct: true } },
      schema: {
        operationId: 'listPublicationTypes',
        summary: 'Publication types, in order',
        response: { 200: list(PublicationType) },
      },
    },
    async () => ({ data: await queries.listPublicationTypes(reads) }),
  )

  scope.get(
    '/publications',
    {
      config: { caching: { ...caching, shows: [...caching.shows, 'groups'] } },
      schema: {
        operationId: 'listPublications',
        summary: 'Publications: featured ones first, then the newest',
        querystring: PublicQueryOfAll,
        response: { 200: PublicationPage },
      },
    },
    async ({ query: { group_id, ...query }, caller }) => {
      const filters = group_id === undefined ? query : await ofGroup(lists, query, group_id)
      return listShown(lists, filters, caller, { comesFirst: isFeatured })
    },
  )

  scope.get(
    '/publications/:id',
    {
      config: { caching: { ...caching, direct: true } },
      schema: {
        operationId: 'getPublication',
        summary: 'One publication',
        params: ById,
        response: { 200: record(Publication) },
      },
    },
    async ({ params, caller }) => {
      const publication = await queries.findPublication(reads, params.id)
      if (publication === undefined) throw notFound()
      if (!(await isShown(reads, caller, publication))) throw scopeViolation()
      return { data: publication }
    },
  )

  scope.get(
    '/acteurs/:acteurId/publications',
    {
      config: { caching },
      schema: {
        operationId: 'listPublicationsOfActeur',
        summary: 'Publications of an acteur: pinned ones first, then the newest',
        params: ByActeur,
        querystring: PublicQueryOfActeur,
        response: { 200: PublicationPage },
      },
    },
    async ({ params, query, caller }) => {
      const isKnown = queries.isActeurShown(params.acteurId)
      return listShown(lists, { ...query, acteur_id: params.acteurId }, caller, {
        comesFirst: isPinned,
        isKnown,
      })
    },
  )

  scope.get(
    '/communes/:communeId/publications',
    {
      config: { caching },
      schema: {
        operationId: 'listPublicationsOfCommune',
        summary: 'Publications of a commune: featured ones first, then the newest',
        params: ByCommune,
        querystring: PublicQueryOfCommune,
        response: { 200: PublicationPage },
      },
    },
    async ({ params, query, caller }) => {
      const isKnown = queries.communeExists(params.communeId)
      return listShown(lists, { ...query, commune_id: params.communeId }, caller, {
        comesFirst: isFeatured,
        isKnown,
      })
    },
  )
}

/** Replaces a group by its acteur. Without one, or with another acteur, the list is empty. */
async function ofGroup(db: Database, query: PublicQuery, groupId: string): Promise<PublicQuery> {
  const acteurId = await findActeurOf(db, groupId)
  const { acteur_id = acteurId } = query
  return { ...query, acteur_id: acteur_id === acteurId && acteur_id !== null ? acteur_id : noActeur }
}

const noActeur = '00000000-0000-0000-0000-000000000000'

/** Lists by page; 404 if the list's acteur or commune is not public. */
async function listShown(lists: Database, filters: PublicQuery, caller: Caller, of: ListOf) {
  const start = startOfWalk(filters, ['commune_id', 'acteur_id', 'type_id'])
  if (start !== null) return walkShown(lists, filters, start, caller, of)
  const paging = pagingOf(filters, publicPerPage)
  const list = { ...of, filters, communeIds: restrictionOf(caller) }
  const shown = await queries.listShown(lists, list, paging)
  if (!shown.isKnown) throw notFound()
  return page(shown.rows, shown, paging)
}

/** Lists what changed after a position, oldest change first. */
async function walkShown(lists: Database, filters: PublicQuery, start: Position, caller: Caller, of: ListOf) {
  const { perPage } = pagingOf(filters, publicPerPage)
  const list = { ...of, filters, communeIds: restrictionOf(caller) }
  const [rows, total, isKnown] = await Promise.all([
    listUpdated(lists, list, start, perPage + 1),
    countListed(lists, list),
    of.isKnown === undefined || queries.holds(lists, of.isKnown),
  ])
  if (!isKnown) throw notFound()
  const { data, meta } = walked(rows, perPage)
  return { data, meta: { ...meta, ...totalFields(total) } }
}

/**
 * Lists visible publications by last change, after a position. A national list walks the index of that order;
 * a restricted one finds its publications first, then sorts them.
 */
export async function listUpdated(
  db: Database,
  list: PublicList,
  { at, id }: Position,
  limit: number,
): Promise<Publication[]> {
  const { commune_id, acteur_id, type_id } = list.filters
  const isNarrow = commune_id !== undefined || acteur_id !== undefined || list.communeIds !== null
  const changed = sql`(p.updated_at, p.id) > (${at}::timestamptz, ${id}::uuid)`
  const order = sql`order by p.updated_at, p.id limit ${limit}`
  const listings = isNarrow ? await findListings(db) : storedListings
  const picked = isNarrow
    ? sql`
      select p.id, p.updated_at from publications p where ${changed} and p.id = any(array(
        select l.publication_id from ${listings} l where ${listed(list, listings)})) ${order}`
    : sql`
      select p.id, p.updated_at from publications p left join acteurs a on a.id = p.acteur_id
      where ${allOf(changed, visible, type_id !== undefined && sql`p.type_id = ${type_id}`)} ${order}`
  const { rows } = await sql<Publication>`
    with picked as materialized (${picked})
    select ${publicColumns} from picked join (${publicationTables}) on p.id = picked.id
    order by picked.updated_at, picked.id`.execute(db)
  return rows
}

/** Counts the visible publications of the list. */
async function countListed(db: Database, list: PublicList): Promise<Total> {
  const { commune_id, acteur_id, type_id } = list.filters
  const listing = { commune_id, acteur_id, type_id }
  const listings = await findListings(db)
  const total =
    list.communeIds === null && isInOrder(listing)
      ? countShown(listing, listings)
      : countMatches(
          sql`select distinct l.publication_id from ${listings} l where ${listed(list, listings)}`,
          maxCountedOfList,
        )
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(db)
  return totalOfList(rows[0]?.total ?? 0)
}

/** Condition for due rows of the list, over listings `l`; a publication may have several rows. */
function listed(
  { filters: { commune_id, acteur_id, type_id }, communeIds }: PublicList,
  listings: Listings,
): RawBuilder<boolean> {
  if (communeIds === null) return allOf(isDue, listedIn({ commune_id, acteur_id, type_id }))
  return allOf(
    isDue,
    commune_id === undefined
      ? sql`l.commune_id = any(${communeIds}::uuid[])`
      : sql`l.commune_id = ${commune_id}`,
    commune_id !== undefined && attached(listings, communeIds),
    type_id !== undefined && sql`l.type_id = ${type_id}`,
    acteur_id !== undefined && sql`l.acteur_id = ${acteur_id}`,
  )
}
