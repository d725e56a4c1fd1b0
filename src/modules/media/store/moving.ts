import Type from 'typebox'
import { type Config, settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { mediaSettings } from '../settings.ts'
import { digestsOf, type ObjectStore, StoreFailed, storeOf } from './object-store.ts'
import * as queries from './queries.ts'

/**
 * Moves bytes between the database and the store, one variant at a time, and deletes objects that nothing names. Uploads write
 * to the database alone, so that none waits for the store or is lost with it; a job moves them within a minute:
 *
 *   note the object → write it, read it back → let the variant name it instead of its bytes, in one transaction
 *
 * Whatever ends this in between leaves the bytes where they were, and an object that is deleted later.
 */
const tend = defineJob('media.tend-store', Type.Object({}), { retries: 1 })

/** Without a store nothing runs. */
export const storeSchedules = (config: Config): Schedule[] =>
  settingsOf(config, mediaSettings).place === null ? [] : [schedule(tend, '* * * * *', {})]

export function storeHandler({ db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>): Handler {
  const { isMovedToStore } = settingsOf(config, mediaSettings)
  return handle(tend, async (_payload, { signal }) => {
    const store = storeOf(config)
    if (store === null) return
    try {
      const deleted = await deleteReleased(db, store, signal)
      const moved = isMovedToStore ? await moveToStore(db, store, signal) : 0
      if (deleted + moved > 0) log.info({ moved, deleted }, 'pictures and documents moved to the store')
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error
      // The next run tries again.
      log.warn({ reason: error.message }, 'pictures and documents wait for the store')
    }
  })
}

/** Moves all variants to the store, and returns how many. */
export async function moveToStore(db: Database, store: ObjectStore, signal: AbortSignal): Promise<number> {
  let moved = 0
  let next = await queries.findNextInDatabase(db, null)
  for (; next !== undefined; next = await queries.findNextInDatabase(db, next)) {
    signal.throwIfAborted()
    if (await moveOne(db, store, next)) moved++
  }
  return moved
}

async function moveOne(
  db: Database,
  store: ObjectStore,
  variant: queries.VariantInDatabase,
): Promise<boolean> {
  const { content } = variant
  const object = { id: uuidv7(), bytes: content.length, digests: digestsOf(content) }
  await queries.insertObject(db, object)
  try {
    await store.put(object, content)
  } catch (error) {
    await queries.releaseUnwritten(db, object.id)
    throw error
  }
  return queries.placeInStore(db, variant, object.id)
}

/** Moves all objects back, and returns how many; those that the store lost or changed are left and named. */
export async function moveToDatabase(
  db: Database,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<{ moved: number; problems: string[] }> {
  let moved = 0
  const problems: string[] = []
  let next = await queries.findNextStored(db, firstId)
  for (; next !== undefined; next = await queries.findNextStored(db, next.id)) {
    signal.throwIfAborted()
    try {
      if (await queries.placeInDatabase(db, next, await store.read(next))) moved++
    } catch (error) {
      if (!(error instanceof StoreFailed) || error.reason === 'unavailable') throw error
      if (problems.length < maxProblems) problems.push(error.message)
    }
  }
  return { moved, problems }
}

const firstId = '00000000-0000-0000-0000-000000000000'
const maxProblems = 100
const batch = 100

/** Deletes the objects that nothing names from the store, then their rows; what fails comes again. */
export async function deleteReleased(db: Database, store: ObjectStore, signal: AbortSignal): Promise<number> {
  await queries.releaseUnwritten(db, null)
  for (let deleted = 0, after = firstId; ; ) {
    const ids = await queries.listReleased(db, after, batch)
    for (const id of ids) {
      signal.throwIfAborted()
      await store.delete(id)
      await queries.deleteObject(db, id)
      deleted++
      after = id
    }
    if (ids.length < batch) return deleted
  }
}
