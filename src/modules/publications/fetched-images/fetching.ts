import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { ApiError } from '../../../platform/errors.ts'
import { FetchFailed } from '../../../platform/fetch/fetch-failed.ts'
import { createGuardedFetch, type GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import type { Deps } from '../../../platform/module.ts'
import type { Decoded } from '../../media/decoding/decoded.ts'
import { type Decoder, decoderOf } from '../../media/decoding/decoder.ts'
import { maxPictureBytes } from '../../media/limits.ts'
import { insertMedia, sumBytes } from '../../media/queries.ts'
import { media } from '../../media/record.ts'
import { mediaSettings } from '../../media/settings.ts'
import { publication } from '../record.ts'
import type { ImageProblem } from '../schema.ts'
import {
  attachFetched,
  type Claimed,
  claimAddress,
  claimHost,
  deleteOld,
  existsForShare,
  findClaimedForUpdate,
  isWanted,
  listReadyHosts,
  listWantingForUpdate,
  logInImports,
  noteFailure,
  queueBacklog,
  releaseHost,
  settleAddress,
} from './queries.ts'

/**
 * Fetches the pictures that publications name elsewhere, so that readers ask no other site. A trigger queues each address once
 * for an acteur:
 *
 *   waiting → claimed by a worker → done: the publications that name it have the picture
 *                                 → waiting again, after an error that may pass, or the death of the worker
 *                                 → failed: publications stay without a picture, and their authors see why
 *
 * A host is asked at most once a second, by one worker at a time, also where another one redirects to it. A publication gets the picture only if it still names the
 * address and has no pictures, under its lock.
 */
const fetchImages = defineJob('publications.fetch-images', Type.Object({}), { retries: 1 })

export const fetchImagesSchedule: Schedule = schedule(fetchImages, '* * * * *', {})

export type Tools = {
  db: Database
  fetch: GuardedFetch
  decoder: Decoder
  log: Pick<Deps['log'], 'warn'>
  /** Whether an antivirus scans what was fetched, before the public sees it. */
  isUnscanned?: boolean
}

/** The next run goes on after a while, so that what a run deletes and measures first is done again. */
const runMs = 5 * 60_000
const backlogBatch = 1_000

export function fetchImagesHandler({ db, reads, config, jobs, log }: Deps): Handler {
  const { allowPrivate, fetches, maxTotalBytes, clamd } = settingsOf(config, mediaSettings)
  const fetch = createGuardedFetch({ allowPrivate, maxBytes: maxPictureBytes, timeoutMs: 20_000 })
  return handle(fetchImages, async (_payload, { signal }) => {
    await inBatches(1_000, signal, (batch) => deleteOld(db, batch))
    await inBatches(backlogBatch, signal, (batch) => queueBacklog(db, batch))
    if (!fetches) return
    if (maxTotalBytes < Number.POSITIVE_INFINITY && (await sumBytes(reads)) >= maxTotalBytes)
      return log.warn('pictures that publications name elsewhere wait: MEDIA_MAX_TOTAL is reached')
    const tools = { db, fetch, decoder: decoderOf({ jobs, log }), log, isUnscanned: clamd !== null }
    const fetched = await fetchDue(tools, signal, runMs)
    if (fetched > 0) log.info({ fetched }, 'pictures that publications name elsewhere fetched')
  })
}

/** Few, because one picture is decoded at a time: more would only wait with their bytes in memory. */
const lanes = 4

/** Fetches until nothing is due or the time is over; returns how many addresses it tried. */
export async function fetchDue(tools: Tools, signal: AbortSignal, forMs: number): Promise<number> {
  const end = performance.now() + forMs
  for (let tried = 0; ; ) {
    const ready = await listReadyHosts(tools.db)
    if (ready.length === 0 || performance.now() > end) return tried
    const free = ready.filter(({ free_in_ms }) => free_in_ms === 0)
    if (free.length === 0)
      await sleep(Math.min(...ready.map(({ free_in_ms }) => free_in_ms)), null, { signal })
    const lane = async () => {
      for (let next = free.shift(); next !== undefined; next = free.shift()) {
        signal.throwIfAborted()
        if (await fetchFrom(tools, next.host, signal)) tried++
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }
}

/** Tries one address of a host; false if there is none. */
async function fetchFrom(tools: Tools, host: string, signal: AbortSignal): Promise<boolean> {
  if (!(await claimHost(tools.db, host))) return false
  let pauseSeconds = 1
  try {
    const claimed = await claimAddress(tools.db, host)
    if (claimed !== undefined) pauseSeconds = await tryAddress(tools, { ...claimed, host }, signal)
    return claimed !== undefined
  } finally {
    await releaseHost(tools.db, host, pauseSeconds)
  }
}

/** More attempts than there are retries: its workers died. */
const maxAttempts = 10

/** Fetches a picture for those who want it. Returns for how many seconds its host is left alone. */
async function tryAddress(
  tools: Tools,
  claimed: Claimed & { host: string },
  signal: AbortSignal,
): Promise<number> {
  const { db, log, isUnscanned = false } = tools
  try {
    if (claimed.attempts > maxAttempts) throw new Unfetched('unusable')
    const isAsked = claimed.media_id === null && (await isWanted(db, claimed))
    const decoded = isAsked ? await fetchPicture(tools, claimed, signal) : null
    while (!(await attach(db, { ...claimed, isUnscanned }, decoded))) signal.throwIfAborted()
    return isAsked ? 1 : 0
  } catch (error) {
    if (signal.aborted) throw error
    // The run goes on with the other pictures: this one may be at fault, and comes again later.
    if (!(error instanceof Unfetched)) log.warn({ err: error }, 'a picture that a publication names failed')
    const { problem, pauseSeconds, minutes } =
      error instanceof Unfetched ? error : new Unfetched('unusable', 1, later)
    const retryMinutes = minutes[claimed.attempts - 1] ?? null
    await noteFailure(db, claimed, problem, retryMinutes)
    // The log of the import says it now, not after the last attempt.
    if (claimed.attempts === 1) {
      const goesOn = retryMinutes === null ? 'not tried again' : `tried again in ${retryMinutes} minutes`
      await logInImports(db, claimed, `picture: ${failures[problem]} (${claimed.address}); ${goesOn}`)
    }
    return pauseSeconds
  }
}

/** When to try again: some feeds name a picture before it is there, and a server may be away for a day. */
const later: readonly number[] = [10, 60, 360, 1_440]
const retryMinutes: Record<ImageProblem, readonly number[]> = {
  refused: [],
  too_large: [],
  unusable: [],
  missing: [60, 720],
  unreachable: later,
}

const failures: Record<ImageProblem, string> = {
  refused: 'its address may not be asked',
  too_large: 'it is too large',
  unusable: 'it is no picture that can be shown',
  missing: 'its server has no such file',
  unreachable: 'its server does not answer',
}

/** Why a picture could not be fetched, for how long its host is left alone, and when to try again. */
class Unfetched extends Error {
  readonly problem: ImageProblem
  readonly pauseSeconds: number
  readonly minutes: readonly number[]
  constructor(problem: ImageProblem, pauseSeconds = 1, minutes = retryMinutes[problem]) {
    super(problem)
    this.problem = problem
    this.pauseSeconds = pauseSeconds
    this.minutes = minutes
  }
}

async function fetchPicture(
  { decoder, ...tools }: Tools,
  { address, host }: { address: string; host: string },
  signal: AbortSignal,
): Promise<Decoded> {
  const body = await fetchFile(tools, { address, host }, signal)
  const decoded = await decoder
    .decode(async () => body, signal)
    .catch((error) => {
      throw error instanceof ApiError && error.kind.status === 422 ? new Unfetched('unusable') : error
    })
  // A PDF is no picture, though its first page would be.
  if (decoded.document !== undefined) throw new Unfetched('unusable')
  return decoded
}

/** Fetches a file. Each host that it is redirected to is claimed too, and left alone afterwards. */
async function fetchFile(
  { db, fetch }: Pick<Tools, 'db' | 'fetch'>,
  { address, host }: { address: string; host: string },
  signal: AbortSignal,
): Promise<Buffer> {
  const headers = { accept: 'image/avif,image/webp,image/jpeg,image/png,image/gif' }
  const others: string[] = []
  const beforeRedirect = async (next: URL, ending: AbortSignal) => {
    if (next.host === host || others.includes(next.host)) return
    await waitForHost(db, next.host, ending)
    others.push(next.host)
  }
  let pauseSeconds = 1
  try {
    const { status, body, headers: received } = await fetch(address, { headers, signal, beforeRedirect })
    if (status === 200) return body
    throw refusalOf(status, Number(received.get('retry-after')))
  } catch (error) {
    const refusal = error instanceof FetchFailed ? unfetched(error) : error
    if (others.length === 0 || !(refusal instanceof Unfetched)) throw refusal
    // The pause is meant for the host that answered.
    pauseSeconds = refusal.pauseSeconds
    throw new Unfetched(refusal.problem)
  } finally {
    for (const one of others) await releaseHost(db, one, one === others.at(-1) ? pauseSeconds : 1)
  }
}

const maxWaits = 10

/** Claims a host as soon as it may be asked; one that is busy for longer is tried again another time. */
async function waitForHost(db: Database, host: string, signal: AbortSignal): Promise<void> {
  for (let waits = 0; !(await claimHost(db, host)); waits++) {
    if (waits === maxWaits) throw new Unfetched('unreachable')
    await sleep(1_000, null, { signal })
  }
}

/** What asking the same address again cannot change. */
const problems: Partial<Record<FetchFailed['reason'], ImageProblem>> = {
  bad_url: 'refused',
  private_address: 'refused',
  bad_redirect: 'refused',
  insecure_redirect: 'refused',
  too_many_redirects: 'refused',
  too_large: 'too_large',
}

function unfetched({ reason }: FetchFailed): Unfetched {
  const problem = problems[reason]
  return problem === undefined ? new Unfetched('unreachable', 60) : new Unfetched(problem)
}

function refusalOf(status: number, retryAfter: number): Unfetched {
  if (status === 429 || status >= 500)
    return new Unfetched('unreachable', Math.min(Math.max(retryAfter || 0, 60), 3_600))
  return new Unfetched('missing')
}

const attachBatch = 200

type Fetched = Claimed & { isUnscanned: boolean }

/** Gives a batch of publications the picture, which the first one brings; true if nothing remains to be done. */
function attach(db: Database, claimed: Fetched, decoded: Decoded | null): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Before the address, as whoever writes a publication locks them.
    const ids = await listWantingForUpdate(tx, claimed, attachBatch)
    const current = await findClaimedForUpdate(tx, claimed)
    if (current === undefined) return true
    const { media_id } = current
    if (ids.length === 0) {
      // Written while this waited for the address.
      if (await isWanted(tx, claimed)) return false
      await settleAddress(tx, claimed, { state: 'done', mediaId: media_id })
      return true
    }
    const isThere = media_id !== null && (await existsForShare(tx, media_id))
    const mediaId = isThere ? media_id : decoded && (await insertFetched(tx, claimed, decoded))
    await settleAddress(tx, claimed, { state: 'waiting', mediaId })
    // It was wanted, or its picture deleted, only after this decided not to fetch it.
    if (mediaId === null) return true
    await attachFetched(tx, ids, mediaId)
    const images = { before: { images: null }, after: { images: [mediaId] } }
    await append(
      tx,
      operator,
      ids.map((entityId) => ({ action: 'publication.fetch_image', kind: publication, entityId, ...images })),
    )
    return false
  })
}

/** Nobody has described it yet: until then it counts as decoration. */
async function insertFetched(
  tx: Database,
  { acteur_id, isUnscanned }: Fetched,
  decoded: Decoded,
): Promise<string> {
  const { width, height, variants } = decoded
  const made = {
    id: uuidv7(),
    kind: 'image' as const,
    acteur_id,
    created_by: null,
    width,
    height,
    isUnscanned,
  }
  const row = await insertMedia(tx, { ...made, alt: null, decorative: true, nom: null }, variants)
  await append(tx, operator, {
    action: 'media.create',
    kind: media,
    entityId: row.id,
    after: media.auditedValues(row),
  })
  return row.id
}
