import { sql } from 'kysely'
import Type from 'typebox'
import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { ApiError } from '../../../platform/errors.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import type { Deps } from '../../../platform/module.ts'
import { afterId } from '../../../platform/personal.ts'
import { deleteMedia, getMediaForUpdate, removeFromRecords } from '../queries.ts'
import { media } from '../record.ts'
import { mediaSettings } from '../settings.ts'
import { storeOf } from '../store/object-store.ts'
import type { VariantKey } from '../store/queries.ts'
import { readVariant } from '../store/reading.ts'
import { type Clamd, ScanFailed, scan } from './clamd.ts'

/**
 * Scans the files that wait: those whose upload got no verdict, and pictures that were fetched. The public sees them afterwards.
 * Without CLAMAV_URL none waits: those of before are released.
 */
const scanWaiting = defineJob('media.scan-waiting', Type.Object({}), { retries: 1 })

export const scanSchedule: Schedule = schedule(scanWaiting, '* * * * *', {})

const timeoutMs = 60_000

type Tools = Pick<Deps, 'db' | 'config' | 'log'>

export function scanHandler({ db, config, log }: Tools): Handler {
  const { clamd } = settingsOf(config, mediaSettings)
  /** Whose scan failed last. The next run begins after it, so that a file that never gets a verdict holds up no other. */
  let failed: Waiting | null = null
  return handle(scanWaiting, async (_payload, { signal }) => {
    if (clamd === null) {
      const released = await inBatches(100, signal, (batch) => releaseSome(db, batch))
      if (released > 0)
        log.warn({ released }, 'without CLAMAV_URL, files that waited for the antivirus are public')
      return
    }
    let at = failed
    failed = null
    try {
      for (let next = await findWaiting(db, at); next !== undefined; next = await findWaiting(db, at)) {
        signal.throwIfAborted()
        at = next
        const found = await scanFile({ db, config }, clamd, next)
        if (found === null) await release(db, next)
        else {
          await removeInfected(db, next)
          log.warn({ media: next.id, found }, 'the antivirus removed a file')
        }
      }
    } catch (error) {
      const isLater = error instanceof ScanFailed || (error instanceof ApiError && error.kind.status === 503)
      if (!isLater) throw error
      failed = at
      log.warn({ reason: error.message }, 'files wait for the antivirus')
    }
  })
}

type Waiting = { id: string; sha256: string }

/** Returns the first file that waits, in the order of their ids, or the first after another. */
async function findWaiting(db: Database, after: Waiting | null): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`
    select id, sha256 from media where unscanned_since is not null and id > ${afterId(after)}
    order by id limit 1`.execute(db)
  return rows[0]
}

/** Scans all that is kept of a file, and returns the name of what was found. */
async function scanFile({ db, config }: Omit<Tools, 'log'>, clamd: Clamd, { sha256 }: Waiting) {
  const { rows: variants } = await sql<VariantKey>`
    select sha256, width, format from media_variants where sha256 = ${sha256} order by width, format`.execute(
    db,
  )
  for (const variant of variants) {
    const content = await readVariant({ reads: db, store: storeOf(config) }, variant)
    const found = await scan(clamd, content, timeoutMs)
    if (found !== null) return found
  }
  return null
}

/** Bytes never change, so that the verdict still holds. */
const release = (db: Database, { id }: Waiting) =>
  sql`update media set unscanned_since = null where id = ${id}`.execute(db)

async function releaseSome(db: Database, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update media set unscanned_since = null where id = any(array(
      select id from media where unscanned_since is not null order by id limit ${batch} for update skip locked))`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Removes a file from the records that name it, and deletes it. */
function removeInfected(db: Database, { id }: Waiting): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql`select from media where id = ${id} for update`.execute(tx)
    if (rows.length === 0) return
    const row = await getMediaForUpdate(tx, id)
    await removeFromRecords(tx, [id])
    await deleteMedia(tx, sql`m.id = ${id}`)
    const before = media.auditedValues(row)
    await append(tx, operator, { action: 'media.remove_infected', kind: media, entityId: id, before })
  })
}
