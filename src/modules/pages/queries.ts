import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { AddressList } from '../../platform/http/listing/addresses.ts'
import { lockCommune } from '../communes/locking.ts'
import { isPublicPage } from '../communes/public-pages.ts'
import { documentsOf } from '../media/documents.ts'
import { imagesOf, privateAddress, publicAddress } from '../media/images.ts'
import {
  type ManagedPage,
  type ManagedPageListed,
  maxVersions,
  type PageLinked,
  type PageListed,
  type PageRow,
  type PageVersion,
  type PublicPage,
  storedFields,
} from './schema.ts'

const stored = [...Object.keys(storedFields), 'body', 'contacts', 'images', 'documents']

/** All public pages, or those of these communes, with their addresses below `/communes/`. */
export const addressesOfPages = (communeIds: readonly string[] | null): AddressList => ({
  table: 'commune_pages',
  from: sql`commune_pages g`,
  where:
    communeIds === null ? isPublicPage : sql`g.commune_id = any(${communeIds}::uuid[]) and ${isPublicPage}`,
  at: sql`g.created_at`,
  id: sql`g.id`,
  named: {
    by: sql`(select c.slug from communes c where c.id = r.commune_id) || '/pages/' || r.slug`,
    slugOf: (address) => address,
  },
})

/** Lists the public pages of a commune, in order. */
export async function listShown(db: Database, communeId: string): Promise<PageListed[]> {
  const { rows } = await sql<PageListed>`
    select g.id, g.slug, g.title, g.parent_id, g.updated_at from commune_pages g
    where g.commune_id = ${communeId} and ${isPublicPage} order by g.position`.execute(db)
  return rows
}

/** True if the public sees a page of the commune. */
export async function hasPages(db: Database, communeId: string): Promise<boolean> {
  // Of pages that are public, one stands at the top.
  const { rows } = await sql`
    select from commune_pages where commune_id = ${communeId} and status = 'published' and parent_id is null
    limit 1`.execute(db)
  return rows.length > 0
}

/** Lists the first public pages of a commune that have all words of a search. */
export async function searchShown(db: Database, communeId: string, q: string): Promise<PageLinked[]> {
  const { rows } = await sql<PageLinked>`
    select g.id, g.slug, g.title from commune_pages g
    where g.commune_id = ${communeId} and ${isPublicPage} and g.words @@ publication_query(${q})
    order by g.position limit 10`.execute(db)
  return rows
}

const linked = sql`json_build_object('id', l.id, 'slug', l.slug, 'title', l.title)`

/** Finds a public page of a commune by its id or slug. */
export async function findShown(
  db: Database,
  communeId: string,
  { by, value }: { by: 'id' | 'slug'; value: string },
): Promise<PublicPage | undefined> {
  const { rows } = await sql<PublicPage>`
    select g.id, g.slug, g.title, g.parent_id, g.body, g.contacts, g.updated_at,
      ${imagesOf(sql`g.images`, publicAddress)} as images,
      ${documentsOf(sql`g.documents`, publicAddress)} as documents,
      (select ${linked} from commune_pages l where l.id = g.parent_id) as parent,
      (select coalesce(json_agg(${linked} order by l.position), '[]'::json)
        from commune_pages l where l.parent_id = g.id and l.status = 'published') as pages
    from commune_pages g
    where g.commune_id = ${communeId} and g.${sql.ref(by)} = ${value} and ${isPublicPage}`.execute(db)
  return rows[0]
}

/** Lists all pages of a commune, in order, with whether others stand below each. */
export async function listManaged(
  db: Database,
  communeId: string,
): Promise<(Omit<ManagedPageListed, 'can'> & { has_pages: boolean })[]> {
  const { rows } = await sql<Omit<ManagedPageListed, 'can'> & { has_pages: boolean }>`
    select ${columnList(storedFields, 'g')}, ${hasOthersBelow} as has_pages
    from commune_pages g where g.commune_id = ${communeId} order by g.position`.execute(db)
  return rows
}

const hasOthersBelow = sql<boolean>`exists (select from commune_pages l where l.parent_id = g.id)`

export type ManagedRow = Omit<ManagedPage, 'can'> & { has_pages: boolean }

/** Reads a page of a commune as its mairie sees it. */
export async function getManaged(db: Database, communeId: string, id: string): Promise<ManagedRow> {
  const { rows } = await sql<ManagedRow>`
    select ${columnList(storedFields, 'g')}, g.body, g.contacts,
      ${imagesOf(sql`g.images`, privateAddress)} as images,
      ${documentsOf(sql`g.documents`, privateAddress)} as documents, ${hasOthersBelow} as has_pages
    from commune_pages g where g.id = ${id} and g.commune_id = ${communeId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export type LockedPage = PageRow & { mairie_id: string | null }

/** Locks a page and its commune, and returns it with the mairie; 404 if it does not exist. */
export async function getPageForUpdate(tx: Database, id: string): Promise<LockedPage> {
  const { rows: owners } = await sql<{ commune_id: string }>`
    select commune_id from commune_pages where id = ${id}`.execute(tx)
  const mairie_id = await lockCommune(tx, owners[0]?.commune_id ?? raise(notFound()))
  const { rows } = await sql<PageRow>`
    select ${columnList(stored)} from commune_pages where id = ${id} for update`.execute(tx)
  return { ...(rows[0] ?? raise(notFound())), mairie_id }
}

type NewPage = Pick<
  PageRow,
  'id' | 'commune_id' | 'parent_id' | 'slug' | 'title' | 'body' | 'status' | 'position'
> &
  Pick<PageRow, 'images' | 'documents' | 'contacts'>

/** Inserts a page; undefined if its slug is taken. */
export async function insertPage(
  tx: Database,
  { contacts, ...values }: NewPage & Partial<Pick<PageRow, 'version' | 'created_at' | 'updated_at'>>,
): Promise<PageRow | undefined> {
  return tx
    .insertInto('commune_pages')
    .values({ ...values, contacts: JSON.stringify(contacts) })
    .onConflict((conflict) => conflict.columns(['commune_id', 'slug']).doNothing())
    .returning(stored as never)
    .$castTo<PageRow>()
    .executeTakeFirst()
}

export async function updatePage(tx: Database, id: string, values: Partial<PageRow>): Promise<PageRow> {
  const { contacts, ...others } = values
  return tx
    .updateTable('commune_pages')
    .set({ ...others, ...(contacts && { contacts: JSON.stringify(contacts) }) })
    .where('id', '=', id)
    .returning(stored as never)
    .$castTo<PageRow>()
    .executeTakeFirstOrThrow()
}

export async function deletePage(tx: Database, id: string): Promise<void> {
  await sql`delete from commune_pages where id = ${id}`.execute(tx)
}

export type Place = Pick<PageRow, 'id' | 'parent_id'>

/** Lists the pages of a commune in order, each with the one that it stands below. */
export async function listPlaces(tx: Database, communeId: string): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select id, parent_id from commune_pages where commune_id = ${communeId} order by position`.execute(tx)
  return rows
}

/** `titles`: that of the page, and its former ones. */
export type NamedPage = Pick<PageRow, 'id' | 'parent_id' | 'slug'> & { titles: string[] }

/** Lists the pages of a commune in order, each with the titles that it has or had. */
export async function listNamed(tx: Database, communeId: string): Promise<NamedPage[]> {
  const { rows } = await sql<NamedPage>`
    select g.id, g.parent_id, g.slug,
      g.title || array(select v.title from commune_page_versions v where v.page_id = g.id) as titles
    from commune_pages g where g.commune_id = ${communeId} order by g.position`.execute(tx)
  return rows
}

/** Numbers the pages of a commune from 1 in this order. */
export async function writeOrder(tx: Database, communeId: string, ids: string[]): Promise<void> {
  await sql`
    update commune_pages g set position = wanted.position
    from unnest(${ids}::uuid[]) with ordinality wanted (id, position)
    where g.id = wanted.id and g.commune_id = ${communeId} and g.position <> wanted.position`.execute(tx)
}

/** Stores the text that another one replaces, and deletes the oldest beyond the limit. */
export async function insertVersion(
  tx: Database,
  { id, title, body }: Pick<PageRow, 'id' | 'title' | 'body'>,
  versionId: string,
): Promise<void> {
  await sql`
    insert into commune_page_versions (id, page_id, title, body) values (${versionId}, ${id}, ${title}, ${body})`.execute(
    tx,
  )
  await sql`
    delete from commune_page_versions where id in (
      select id from commune_page_versions where page_id = ${id} order by id desc offset ${sql.lit(maxVersions)})`.execute(
    tx,
  )
}

type VersionRow = Omit<PageVersion, 'can'>

/** Lists the former versions of a page, the latest first. */
export async function listVersions(db: Database, pageId: string): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select id, title, body, replaced_at from commune_page_versions
    where page_id = ${pageId} order by id desc limit ${sql.lit(maxVersions)}`.execute(db)
  return rows
}

export async function getVersion(db: Database, pageId: string, id: string): Promise<VersionRow> {
  const { rows } = await sql<VersionRow>`
    select id, title, body, replaced_at from commune_page_versions
    where id = ${id} and page_id = ${pageId}`.execute(db)
  return rows[0] ?? raise(notFound())
}
