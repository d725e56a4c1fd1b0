import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import { append, change } from '../../platform/change.ts'
import { equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { invalid } from '../../platform/errors.ts'
import { requireVersion } from '../../platform/formats/version-tag.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { altRequired, inUse, readBefore } from './errors.ts'
import { managedActeurs, mayDescribePublished, requireMayManage, requireMaySend } from './permissions.ts'
import { shown, shownOne, shownTo } from './present.ts'
import {
  deleteMedia,
  getMedia,
  getMediaForUpdate,
  isPublished,
  isPublishedUnread,
  listNamesThatShow,
  type MediaRow,
  mediaColumns,
} from './queries.ts'
import { media } from './record.ts'
import { ById, Media, MediaQuery, MediaUpdate } from './schema.ts'
import { describedDecoration, requireDocumentValues } from './sending.ts'

export function managingRoutes(scope: SignedInScope, { db, reads, lists }: Deps): void {
  scope.get(
    '/media',
    {
      config: { needs: 'media.manage', refusals: ['forbidden'] },
      schema: {
        operationId: 'listMedia',
        summary: 'Pictures and documents that the caller manages, newest first',
        querystring: MediaQuery,
        response: { 200: ListPage(Media) },
      },
    },
    async ({ query, caller }) => {
      if (query.acteur_id !== undefined) requireMaySend(caller, query.acteur_id)
      const managed = managedActeurs(caller)
      const asked = { ...query, ...(managed !== null && { managed }) }
      return listPage(lists, mediaList, asked, (rows) => shownTo(lists, caller, rows))
    },
  )

  scope.get(
    '/media/:id',
    {
      config: { needs: 'media.manage', refusals: ['forbidden'] },
      schema: {
        operationId: 'getMedia',
        summary: 'Read a picture or document',
        params: ById,
        response: { 200: record(Media) },
      },
    },
    async ({ params, caller }) => {
      const row = await getMedia(reads, params)
      requireMayManage(caller, row)
      return { data: await shownOne(reads, caller, row) }
    },
  )

  scope.patch(
    '/media/:id',
    {
      config: {
        audits: 'media.update',
        needs: 'media.manage',
        refusals: ['forbidden', 'precondition_failed', 'alt_required', 'conflict'],
      },
      schema: {
        operationId: 'updateMedia',
        summary: 'Describe a picture, say that it is decorative, or name a document',
        params: ById,
        body: MediaUpdate,
        response: { 200: record(Media) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await shownOne(db, caller, await describe(db, caller, params.id, body)),
    }),
  )

  scope.delete(
    '/media/:id',
    {
      config: {
        audits: 'media.delete',
        needs: 'media.manage',
        refusals: ['forbidden', 'precondition_failed', 'in_use'],
      },
      schema: {
        operationId: 'deleteMedia',
        summary: 'Delete a picture or document that nothing shows, with its bytes',
        params: ById,
        response: { 200: record(Media) },
      },
    },
    async ({ params, caller }) => ({ data: shown(await remove(db, caller, params.id), []) }),
  )
}

/** A description says that a picture is no decoration, and the other way round. */
function describe(db: Database, caller: SignedIn, id: string, body: MediaUpdate): Promise<MediaRow> {
  const authorise = (_tx: Database, row: MediaRow) => requireMayManage(caller, row)
  return change(db, caller, media, { id, action: 'media.update', authorise }, async (tx, before, save) => {
    const { alt = body.decorative === true ? null : before.alt, nom = before.nom } = body
    const { decorative = alt === null && before.decorative } = body
    if (decorative && alt !== null) throw invalid('alt', describedDecoration)
    const values = { alt: alt?.trim() ?? null, decorative, nom: nom?.trim() ?? null }
    const isDocument = before.kind === 'document'
    if (isDocument) requireDocumentValues(values)
    const isSeen = isDocument
      ? values.nom !== before.nom
      : values.alt !== before.alt || decorative !== before.decorative
    if (!isSeen) return save(values)
    const isBare = !isDocument && values.alt === null && !decorative
    const wasBare = before.alt === null && !before.decorative
    // Also where a publication waits, was rejected or deleted: it may come back by one decision.
    if (isBare && !wasBare && (await isPublished(tx, id))) throw altRequired([])
    if (!mayDescribePublished(caller, before) && (await isPublishedUnread(tx, id)))
      throw readBefore(before.kind)
    return save(values)
  })
}

function remove(db: Database, caller: SignedIn, id: string): Promise<MediaRow> {
  return db.transaction().execute(async (tx) => {
    const row = await getMediaForUpdate(tx, id)
    requireMayManage(caller, row)
    requireVersion(caller, row)
    const names = await listNamesThatShow(tx, id)
    if (names.length > 0) throw inUse(names)
    await deleteMedia(tx, sql`m.id = ${id}`)
    const before = media.auditedValues(row)
    await append(tx, caller, { action: 'media.delete', kind: media, entityId: id, before })
    return row
  })
}

type MediaFilters = { acteur_id?: string; kind?: 'image' | 'document'; unused?: boolean; managed?: string[] }

const mediaList: List<MediaFilters, MediaRow> = {
  name: 'media',
  from: sql`media m`,
  as: 'm',
  filters: {
    acteur_id: equals('m.acteur_id'),
    kind: equals('m.kind'),
    unused: (unused) => sql`m.unused_since is ${unused ? sql`not null` : sql`null`}`,
    managed: (acteurIds) => sql`m.acteur_id = any(${acteurIds}::uuid[])`,
  },
  sorts: { id: [byId] },
  defaults: { sort: 'id_desc' },
  columns: mediaColumns,
}
