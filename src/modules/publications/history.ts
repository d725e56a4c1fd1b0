import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { userNameOf } from '../../platform/access/users.ts'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { listQuery } from '../../platform/http/listing/paging.ts'
import {
  Id,
  NullableUserName,
  nullable,
  oneOf,
  ResponseTimestamp,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { documentsOf } from '../media/documents.ts'
import { imagesOf, privateAddress } from '../media/images.ts'
import { type NamesIn, namesIn } from './fields.ts'
import { ById, type Content, Publication } from './schema.ts'

const versioned = namesIn('versions')
type Versioned = NamesIn<'versions'>

const PublicationVersion = titled('PublicationVersion', {
  id: Id(),
  ...(Object.fromEntries(versioned.map((name) => [name, Publication.properties[name]])) as Pick<
    typeof Publication.properties,
    Versioned
  >),
  written_by: nullable(Id('Null: an import, or unknown')),
  written_by_user: NullableUserName,
  written_at: ResponseTimestamp(),
  how: oneOf(
    ['created', 'edited', 'corrected', 'imported'],
    '`edited`: by its author. `corrected`: by a moderator. `imported`: changed at the source',
  ),
})
type PublicationVersion = Static<typeof PublicationVersion>

export function historyAdminRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/publications/:id/history',
    {
      schema: {
        operationId: 'listPublicationVersions',
        summary: 'Versions of its title, text and place, newest first: who wrote them, when and how',
        params: ById,
        querystring: Type.Object(listQuery),
        response: { 200: ListPage(PublicationVersion) },
      },
    },
    async ({ params, query }) => {
      const answer = await listPage(lists, versionsOf(params.id), query)
      if (answer.meta.total === 0) throw notFound()
      return answer
    },
  )
}

type Texts = Pick<Content, Versioned>
type Rewritten = { id: string; before: Texts; after: Texts }

/** Limit on stored versions per publication. */
const maxVersions = 100

/**
 * Records new titles, texts and places of locked publications, in the transaction of their change. The first change
 * also records the original text, unless an erased person wrote it.
 */
export async function recordVersions(
  tx: Database,
  all: Rewritten[],
  { userId, how }: { userId: string | null; how: 'edited' | 'corrected' | 'imported' },
): Promise<void> {
  const changed = all.filter(({ before, after }) => !isDeepStrictEqual(textsOf(before), textsOf(after)))
  if (changed.length === 0) return
  const rows = changed.map(({ id, before, after }) => ({
    ...{ id, before: textsOf(before), after: textsOf(after) },
    ...{ first_id: uuidv7(), version_id: uuidv7() },
  }))
  await sql`
    with changed as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (
        id uuid, before jsonb, after jsonb, first_id uuid, version_id uuid)),
    first as (
      insert into publication_versions (id, publication_id, written_by, written_at, how, ${columns()})
      select c.first_id, p.id, p.created_by, p.created_at, 'created', ${columns('before')}
      from changed c join publications p on p.id = c.id
        cross join jsonb_populate_record(null::publication_versions, c.before) before
      where not exists (select from publication_versions v where v.publication_id = p.id)),
    surplus as (
      delete from publication_versions where id in (
        select old.id from changed c cross join lateral (
          select v.id from publication_versions v where v.publication_id = c.id
          order by v.written_at desc, v.id desc offset ${sql.lit(maxVersions - 1)}) old))
    insert into publication_versions (id, publication_id, written_by, written_at, how, ${columns()})
    select c.version_id, c.id, ${userId}::uuid, clock_timestamp(), ${how}, ${columns('after')}
    from changed c cross join jsonb_populate_record(null::publication_versions, c.after) after`.execute(tx)
  // The texts that this change replaced, if an erased person wrote them: the erasure left them as the current ones.
  const ids = changed.map(({ id }) => id)
  await sql`
    delete from publication_versions v using users u
    where v.publication_id = any(${ids}::uuid[]) and u.id = v.written_by and u.erased_at is not null
      and ${isReplaced}`.execute(tx)
}

const textsOf = (content: Texts) =>
  Object.fromEntries(versioned.map((name) => [name, content[name]])) as Texts

/** Those of which a version shows the column itself. */
const plainNames = versioned.filter((name) => name !== 'images' && name !== 'documents')
const columns = (table?: string) => columnList(versioned, table)

/** True if a newer version exists, over `publication_versions v`. */
export const isReplaced = sql<boolean>`exists (
  select from publication_versions newer
  where newer.publication_id = v.publication_id and (newer.written_at, newer.id) > (v.written_at, v.id))`

/** The versions of a publication, newest first; its current text if no version is stored. */
const versionsOf = (publicationId: string): List<object, PublicationVersion> => ({
  name: 'versions',
  from: sql`(
    select v.id, v.written_by, v.written_at, v.how, ${columns('v')} from publication_versions v
    where v.publication_id = ${publicationId}
    union all
    select p.id, p.created_by, p.created_at, 'created', ${columns('p')} from publications p
    where p.id = ${publicationId}
      and not exists (select from publication_versions v where v.publication_id = p.id)) v`,
  as: 'v',
  filters: {},
  sorts: { written_at: [{ by: sql`written_at`, type: 'time' }, byId] },
  defaults: { sort: 'written_at_desc' },
  columns: sql<PublicationVersion>`v.id, ${columnList(plainNames, 'v')},
    ${imagesOf(sql`v.images`, privateAddress)} as images,
    ${documentsOf(sql`v.documents`, privateAddress)} as documents, v.written_by, v.written_at, v.how, ${userNameOf(sql`v.written_by`)} as written_by_user`,
})
