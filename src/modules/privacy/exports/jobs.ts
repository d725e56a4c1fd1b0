import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { enqueueLost, handleRow } from '../../../platform/jobs/rows.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import type { Deps } from '../../../platform/module.ts'
import { personAsJson } from '../export.ts'
import * as queries from './queries.ts'

/** Writes the export of a person. A retry begins again: what the earlier attempt wrote is deleted. */
export const exportJob = defineJob('privacy.export', Type.Object({ exportId: Type.String() }), {
  retries: 4,
  backoffSeconds: 5,
  timeoutSeconds: 1_800,
})

type Tools = Pick<Deps, 'db' | 'modules' | 'config' | 'clock'>
export const defaultSizes = { maxBytes: 256 * 1_024 * 1_024, chunkBytes: 256 * 1_024 }

export function exportHandler(tools: Tools, sizes = defaultSizes): Handler {
  const { db } = tools
  return handleRow(exportJob, {
    claim: ({ exportId }) => db.transaction().execute((tx) => queries.beginAttempt(tx, exportId)),
    async attempt(attempt, { signal }) {
      try {
        await queries.endAttempt(db, attempt, await writeExport(tools, attempt, sizes, signal))
      } catch (error) {
        if (error !== superseded) throw error
      }
    },
    isFault: (error) => error === tooLarge,
    async giveUp(attempt, error) {
      const reason = error === tooLarge ? 'too_large' : 'failed'
      await db.transaction().execute((tx) => queries.failExport(tx, attempt, reason))
      if (error !== tooLarge) throw error
    },
  })
}

const superseded = new Error('the export was deleted, or another attempt has begun')
const tooLarge = new Error('the export is too large')

/** Compresses the export and stores it in pieces: memory holds one page of rows and one piece. */
async function writeExport(
  tools: Tools,
  attempt: NonNullable<Awaited<ReturnType<typeof queries.beginAttempt>>>,
  { maxBytes, chunkBytes }: typeof defaultSizes,
  signal: AbortSignal,
): Promise<number> {
  const { db } = tools
  let bytes = 0
  async function* counted() {
    const onSection = () => queries.countSection(db, attempt)
    for await (const piece of personAsJson(tools, attempt.person, onSection)) {
      const buffer = Buffer.from(piece)
      bytes += buffer.length
      if (bytes > maxBytes) throw tooLarge
      yield buffer
    }
  }
  let number = 0
  const store = async (content: Buffer) => {
    if (!(await queries.insertChunk(db, attempt, number++, content))) throw superseded
  }
  await pipeline(
    Readable.from(counted()),
    createGzip(),
    async (compressed: AsyncIterable<Buffer>) => {
      let held: Buffer[] = []
      let size = 0
      for await (const piece of compressed) {
        held.push(piece)
        size += piece.length
        if (size < chunkBytes) continue
        await store(Buffer.concat(held))
        held = []
        size = 0
      }
      if (size > 0) await store(Buffer.concat(held))
    },
    { signal },
  )
  return bytes
}

const sweep = defineJob('privacy.sweep-exports', Type.Object({}))
const most = 100

/** Deletes expired exports, and enqueues those again whose job was lost. */
export function sweepExportsHandler({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Handler {
  return handle(sweep, async (_payload, { signal }) => {
    await inBatches(most, signal, (batch) => queries.deleteExpired(db, batch))
    await queries.deleteFetchedContent(db)
    const ids = await queries.listUnfinished(db, most)
    await enqueueLost({ db, jobs }, exportJob, ids, (exportId) => ({ exportId }))
  })
}

export const sweepExportsSchedule: Schedule = schedule(sweep, '*/10 * * * *', {})
