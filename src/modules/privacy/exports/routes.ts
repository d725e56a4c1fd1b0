import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import Type from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { leftOf } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, notFound, raise } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { list, record } from '../../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import { type Deps, personalOf } from '../../../platform/module.ts'
import { auditExport } from '../export.ts'
import { askedOf, findPerson, type PersonQuery } from '../person.ts'
import { holdErasures } from '../queries.ts'
import { AskedBody } from '../schema.ts'
import { exportJob } from './jobs.ts'
import * as queries from './queries.ts'
import { ById, exportActions, PersonExport } from './schema.ts'

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
      config: { load: 'list' },
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

type Row = Awaited<ReturnType<typeof queries.insertExport>>

const present = (row: Row): PersonExport => ({
  ...row,
  url: exportActions.download(row) ? `/api/v1/admin/people/exports/${row.id}/download` : null,
  can: leftOf(exportActions, row),
})

/** Enqueues the export of a person. Its job and its audit entry exist if and only if the request succeeds. */
function requestExport(
  { db, jobs, modules, config }: Pick<Deps, 'db' | 'jobs' | 'modules' | 'config'>,
  caller: SignedIn,
  asked: PersonQuery,
): Promise<PersonExport> {
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      await holdErasures(tx)
      const { person } = await findPerson(tx, asked)
      const id = uuidv7()
      const sections = personalOf(modules, config).length
      const row = await queries.insertExport(tx, { id, person, requestedBy: caller.user.id, sections })
      await auditExport(tx, caller, person)
      await jobs.enqueue(tx, exportJob, { exportId: id }, { singletonKey: id })
      return present(row)
    }),
  )
}

const getExport = async (db: Database, id: string): Promise<PersonExport> =>
  present((await queries.findExport(db, id)) ?? raise(notFound()))

/** Takes the content of an export, once, and audits it. 409 if it is not ready or was fetched already. */
function takeExport(db: Database, caller: SignedIn, id: string) {
  return db.transaction().execute(async (tx) => {
    const row = await queries.takeExport(tx, id)
    if (row === null) throw (await queries.findExport(tx, id)) === null ? notFound() : conflict()
    const downloaded = { action: 'person.download', after: { downloaded: true } }
    await auditExport(tx, caller, { userIds: row.user_ids }, downloaded)
    return row
  })
}

/** Reads the content in pieces, the next one after the client has read the previous one. */
function contentOf(reads: Database, id: string): Readable {
  const pieces = Readable.from(piecesOf(reads, id), { highWaterMark: 1 })
  const unzipped = createGunzip()
  pieces.on('error', (error) => unzipped.destroy(error))
  unzipped.on('close', () => pieces.destroy())
  return pieces.pipe(unzipped)
}

async function* piecesOf(reads: Database, id: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const content = await queries.findChunk(reads, id, number)
    if (content === null) return
    yield content
  }
}
