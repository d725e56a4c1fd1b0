import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { leftOf } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, notFound, raise } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import type { Deps } from '../../../platform/module.ts'
import { auditExport } from '../export.ts'
import { type Asked, findPerson } from '../person.ts'
import { holdErasures } from '../queries.ts'
import { exportJob } from './jobs.ts'
import * as queries from './queries.ts'
import { exportActions, type PersonExport } from './schema.ts'

type Row = Awaited<ReturnType<typeof queries.insertExport>>

export const present = (row: Row): PersonExport => ({
  ...row,
  url: exportActions.download(row) ? `/api/v1/admin/people/exports/${row.id}/download` : null,
  can: leftOf(exportActions, row),
})

/** Enqueues the export of a person. Its job and its audit entry exist if and only if the request succeeds. */
export function requestExport(
  { db, jobs, modules }: Pick<Deps, 'db' | 'jobs' | 'modules'>,
  caller: SignedIn,
  asked: Asked,
): Promise<PersonExport> {
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      await holdErasures(tx)
      const { person } = await findPerson(tx, asked)
      const id = uuidv7()
      const sections = modules.flatMap(({ personal = [] }) => personal).length
      const row = await queries.insertExport(tx, { id, person, requestedBy: caller.user.id, sections })
      await auditExport(tx, caller, person)
      await jobs.enqueue(tx, exportJob, { exportId: id }, { singletonKey: id })
      return present(row)
    }),
  )
}

export const getExport = async (db: Database, id: string): Promise<PersonExport> =>
  present((await queries.findExport(db, id)) ?? raise(notFound()))

/** Takes the content of an export, once, and audits it. 409 if it is not ready or was fetched already. */
export function takeExport(db: Database, caller: SignedIn, id: string) {
  return db.transaction().execute(async (tx) => {
    const row = await queries.takeExport(tx, id)
    if (row === null) throw (await queries.findExport(tx, id)) === null ? notFound() : conflict()
    const downloaded = { action: 'person.download', after: { downloaded: true } }
    await auditExport(tx, caller, { userIds: row.user_ids }, downloaded)
    return row
  })
}

/** Reads the content in pieces, the next one after the client has read the previous one. */
export function contentOf(reads: Database, id: string): Readable {
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
