import Type from 'typebox'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { list, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { askedOf } from '../person.ts'
import { AskedBody } from '../schema.ts'
import * as queries from './queries.ts'
import { contentOf, getExport, present, requestExport, takeExport } from './rules.ts'
import { ById, PersonExport } from './schema.ts'

export function exportRoutes(scope: SignedInScope, deps: Deps): void {
  const { db, reads, lists, log } = deps
  scope.post(
    '/admin/people/export',
    {
      config: { audits: 'person.export', confirms: true, limit: 'person_export' },
      schema: {
        operationId: 'exportPerson',
        summary:
          'Export everything stored about a person, as a job; its `url` then serves it once, for 24 hours',
        body: AskedBody,
        response: { 202: record(PersonExport) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(202).send({ data: await requestExport(deps, caller, askedOf(body)) }),
  )

  scope.get(
    '/admin/people/exports',
    {
      config: { isList: true },
      schema: {
        operationId: 'listPersonExports',
        summary: 'Exports that have not expired, newest first, at most fifty',
        response: { 200: list(PersonExport) },
      },
    },
    async () => ({ data: (await queries.listExports(lists)).map(present) }),
  )

  scope.get(
    '/admin/people/exports/:id',
    {
      schema: {
        operationId: 'getPersonExport',
        summary: 'Read an export: how far it is, and where it can be downloaded',
        params: ById,
        response: { 200: record(PersonExport) },
      },
    },
    async ({ params }) => ({ data: await getExport(reads, params.id) }),
  )

  scope.post(
    '/admin/people/exports/:id/download',
    {
      config: { audits: 'person.download', confirms: true, refusals: ['conflict'] },
      schema: {
        operationId: 'downloadPersonExport',
        summary: 'Download an export, once; 409 when it is not ready or was downloaded already',
        description:
          'The content is deleted once it was sent whole. A download that breaks off leaves the export ready.',
        params: ById,
        response: {
          200: {
            description: 'A list of rows for each kind of data',
            content: {
              'application/json': { schema: Type.Object({}, { additionalProperties: true, examples: [{}] }) },
            },
          },
        },
      },
    },
    async ({ params: { id }, caller }, reply) => {
      await takeExport(db, caller, id)
      const onEnd = () => {
        const isSent = reply.raw.writableFinished
        const after = isSent ? queries.deleteChunks(db, id) : queries.returnExport(db, id)
        // The sweep deletes what stays.
        after.catch((err) => log.warn({ err }, 'the end of a download could not be recorded'))
      }
      // The connection may have closed while the export was being taken.
      if (reply.raw.closed) onEnd()
      else reply.raw.once('close', onEnd)
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="person.json"')
        .send(contentOf(reads, id) as never)
    },
  )
}
