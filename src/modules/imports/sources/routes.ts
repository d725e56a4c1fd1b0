import { withCanOf } from '../../../platform/access/rules.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { ById, ImportSource, sourceActions } from '../schema.ts'
import { getSource, sourcesList } from './queries.ts'
import { createSource, deleteSource, updateSource } from './rules.ts'
import { SourceCreate, SourceRead, SourcesQuery, SourceUpdate } from './schema.ts'

const withCan = withCanOf(sourceActions)

export function sourceRoutes(scope: SignedInScope, { db, reads, lists, jobs, clock }: Deps): void {
  scope.get(
    '/admin/import-sources',
    {
      schema: {
        operationId: 'listImportSources',
        summary: 'List import sources, newest first by default',
        querystring: SourcesQuery,
        response: { 200: ListPage(ImportSource) },
      },
    },
    async ({ query }) => listPage(lists, sourcesList, query, (rows) => rows.map(withCan)),
  )

  scope.post(
    '/admin/import-sources',
    {
      config: { audits: 'import_source.create', location: '/admin/import-sources/{id}' },
      schema: {
        operationId: 'createImportSource',
        summary: 'Create an import source; nothing is imported yet',
        body: SourceCreate,
        response: { 201: record(ImportSource) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: withCan(await createSource(db, caller, body, clock())) }),
  )

  scope.get(
    '/admin/import-sources/:id',
    {
      schema: {
        operationId: 'getImportSource',
        summary: 'Read an import source, with its last run',
        params: ById,
        response: { 200: record(SourceRead) },
      },
    },
    async ({ params, caller }) => {
      const [source, present] = await Promise.all([
        getSource(reads, params),
        listPresent(reads, caller, { kind: 'import_source', id: params.id }),
      ])
      return { data: { ...withCan(source), present } }
    },
  )

  scope.patch(
    '/admin/import-sources/:id',
    {
      config: { audits: 'import_source.update', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'updateImportSource',
        summary: 'Update an import source; `actif: true` resumes one that was paused',
        params: ById,
        body: SourceUpdate,
        response: { 200: record(ImportSource) },
      },
    },
    async ({ params, body, caller }) => ({
      data: withCan(await updateSource(db, caller, params.id, body, clock())),
    }),
  )

  scope.delete(
    '/admin/import-sources/:id',
    {
      config: {
        audits: 'import_source.delete',
        refusals: ['precondition_failed', 'import_in_progress'],
        confirms: true,
      },
      schema: {
        operationId: 'deleteImportSource',
        summary: 'Delete an import source with its history; what it imported stays',
        params: ById,
        response: { 200: record(ImportSource) },
      },
    },
    async ({ params, caller }) => ({
      data: { ...(await deleteSource({ db, jobs }, caller, params.id, clock())), can: [] },
    }),
  )
}
