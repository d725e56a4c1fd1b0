import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, Page } from '../../platform/http/listing/paging.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { canEdit } from '../communes/can-edit.ts'
import { communeRules, requireInScope } from '../communes/permissions.ts'
import { DeletedQuery, DeletedRecord, deletedList } from '../deletions/deleted.ts'
import { getManaged, listManaged, listVersions, type ManagedRow } from './queries.ts'
import { createPage, deletePage, restorePage, restoreVersion, updatePage } from './rules.ts'
import {
  ByCommune,
  ManagedPage,
  ManagedPageListed,
  OfCommune,
  OfPage,
  PageCreate,
  PageUpdate,
  PageVersion,
} from './schema.ts'

const path = '/mairie/communes/:communeId/pages'
const guarded = {
  needs: communeRules.editForMairie.name,
  limit: { name: 'edit', sparesAdmins: true },
} as const

export function pagesOfMairieRoutes(scope: SignedInScope, deps: Deps): void {
  readingRoutes(scope, deps)
  writingRoutes(scope, deps)
  restoringRoutes(scope, deps)
}

function readingRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    path,
    {
      schema: {
        operationId: 'listMairiePages',
        summary: 'All pages of a commune in order, drafts too, without their texts',
        params: ByCommune,
        response: { 200: list(ManagedPageListed) },
      },
    },
    async ({ params: { communeId }, caller }) => {
      requireInScope(caller, communeId)
      const [mayEdit, pages] = await Promise.all([
        canEdit(reads, caller, communeId),
        listManaged(reads, communeId),
      ])
      return { data: pages.map((row) => withCan(row, mayEdit)) }
    },
  )

  scope.get(
    `${path}/:id`,
    {
      schema: {
        operationId: 'getMairiePage',
        summary: 'Read a page of a commune, published or not',
        params: OfCommune,
        response: { 200: record(ManagedPage) },
      },
    },
    async ({ params: { communeId, id }, caller }) => {
      requireInScope(caller, communeId)
      return { data: await readFor(caller, communeId)(reads, { id }) }
    },
  )

  scope.get(
    `${path}/:id/versions`,
    {
      schema: {
        operationId: 'listMairiePageVersions',
        summary: 'The former titles and texts of a page, the latest first, at most twenty',
        params: OfCommune,
        response: { 200: list(PageVersion) },
      },
    },
    async ({ params: { communeId, id }, caller }) => {
      requireInScope(caller, communeId)
      const { can } = await readFor(caller, communeId)(reads, { id })
      const versions = await listVersions(reads, id)
      const restorable = can.includes('edit') ? ['restore' as const] : []
      return { data: versions.map((row) => ({ ...row, can: restorable })) }
    },
  )
}

function writingRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.post(
    path,
    {
      config: {
        ...guarded,
        audits: 'page.create',
        location: `${path}/{id}`,
        refusals: ['slug_taken', 'too_many_pages', 'alt_required'],
      },
      schema: {
        operationId: 'createMairiePage',
        summary: 'Write a page of a commune, behind all others; a draft unless it says otherwise',
        params: ByCommune,
        body: PageCreate,
        response: { 201: record(ManagedPage) },
      },
    },
    async ({ params: { communeId }, body, caller }, reply) => {
      requireInScope(caller, communeId)
      const data = await createPage(db, caller, communeId, body, readFor(caller, communeId))
      return reply.code(201).send({ data })
    },
  )

  scope.patch(
    `${path}/:id`,
    {
      config: { ...guarded, audits: 'page.update', refusals: ['precondition_failed', 'alt_required'] },
      schema: {
        operationId: 'updateMairiePage',
        summary: 'Change, publish, withdraw or move a page of a commune; a former text stays as a version',
        params: OfCommune,
        body: PageUpdate,
        response: { 200: record(ManagedPage) },
      },
    },
    async ({ params, body, caller }) => {
      requireInScope(caller, params.communeId)
      return { data: await updatePage(db, caller, params, body, readFor(caller, params.communeId)) }
    },
  )

  scope.delete(
    `${path}/:id`,
    {
      config: { ...guarded, audits: 'page.delete', refusals: ['precondition_failed', 'page_has_pages'] },
      schema: {
        operationId: 'deleteMairiePage',
        summary: 'Delete a page of a commune; the response shows it as it last was',
        params: OfCommune,
        response: { 200: record(ManagedPage) },
      },
    },
    async ({ params, caller }) => {
      requireInScope(caller, params.communeId)
      const last = await deletePage(db, caller, params, readFor(caller, params.communeId))
      return { data: { ...last, can: [] } }
    },
  )
}

function restoringRoutes(scope: SignedInScope, { db, lists }: Deps): void {
  scope.patch(
    `${path}/:id/versions/:versionId/restore`,
    {
      config: { ...guarded, audits: 'page.restore_version', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'restoreMairiePageVersion',
        summary: 'Bring a former title and text of a page back; what they replace stays as a version',
        params: OfPage,
        response: { 200: record(ManagedPage) },
      },
    },
    async ({ params, caller }) => {
      requireInScope(caller, params.communeId)
      return { data: await restoreVersion(db, caller, params, readFor(caller, params.communeId)) }
    },
  )

  scope.get(
    `${path}/deleted`,
    {
      schema: {
        operationId: 'listDeletedMairiePages',
        summary: 'Deleted pages of a commune that can be restored, the latest first',
        params: ByCommune,
        querystring: DeletedQuery,
        response: { 200: Page(DeletedRecord) },
      },
    },
    async ({ params: { communeId }, query, caller }) => {
      requireInScope(caller, communeId)
      const asked = { ...query, commune_id: communeId, kind: ['page' as const] }
      const [page, mayEdit] = await Promise.all([
        numberedPage(lists, deletedList, asked, adminPerPage),
        canEdit(lists, caller, communeId),
      ])
      return { ...page, data: page.data.map((row) => ({ ...row, can: mayEdit ? ['restore' as const] : [] })) }
    },
  )

  scope.patch(
    `${path}/:id/restore`,
    {
      config: { ...guarded, audits: 'page.restore', refusals: ['too_many_pages', 'slug_taken'] },
      schema: {
        operationId: 'restoreMairiePage',
        summary: 'Restore a deleted page of a commune, behind all others',
        params: OfCommune,
        response: { 200: record(ManagedPage) },
      },
    },
    async ({ params, caller }) => {
      requireInScope(caller, params.communeId)
      return { data: await restorePage(db, caller, params, readFor(caller, params.communeId)) }
    },
  )
}

const readFor =
  (caller: SignedIn, communeId: string) =>
  async (db: Database, { id }: { id: string }) =>
    withCan(await getManaged(db, communeId, id), await canEdit(db, caller, communeId))

/** Adds what the caller may do. A page with others below it is not deleted. */
const withCan = <Row extends Pick<ManagedRow, 'has_pages'>>(
  { has_pages, ...row }: Row,
  mayEdit: boolean,
): Omit<Row, 'has_pages'> & { can: ('edit' | 'delete')[] } => ({
  ...row,
  can: mayEdit ? (has_pages ? ['edit'] : ['edit', 'delete']) : [],
})
