import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Config } from '../../config/config.ts'
import type { WatchedChanges } from '../../database/changes.ts'
import { edgeTag, everything, tableOf } from './edge.ts'

export type EdgePurges = WatchedChanges & {
  /** Names tables that public reads show: changes of others are not purged. */
  show(tables: readonly string[]): void
  /** Milliseconds since the oldest purge that was not accepted yet. */
  readonly waitingMs: number
  readonly sent: number
  readonly failed: number
  /** Whether every purge was sent twice. */
  readonly isDone: boolean
  /** Sends what waits, and stops. */
  close(): Promise<void>
}

/** The address that takes purges. */
type Edge = Pick<Config['cdn'], 'purgeMethod' | 'purgeToken'> & { purgeUrl: string }
type Times = { gatherMs: number; againMs: number; timeoutMs: number; retryMs: number; maxRetryMs: number }
const defaultTimes: Times = {
  gatherMs: 100,
  againMs: 1_500,
  timeoutMs: 2_000,
  retryMs: 500,
  maxRetryMs: 5_000,
}

/** More tags than this are purged as one: everything. */
const maxTags = 1_000
/** Fastly takes at most 256 keys in one purge. Each has at most 50 characters, so the header stays below 8 kB. */
const perRequest = 128

/**
 * Purges an edge cache by the tags of changes. Each instance sends the purges of all changes it hears of: purging twice
 * does no harm. States of a tag:
 * - fresh: heard of. Those of 100 ms are sent together, and again and again while the address does not accept them;
 * - recent → older → due: sent. Purged once more 1.5 to 3 s later, because a response that was read before the change may
 *   reach the edge after the first purge.
 */
export function purgeEdge(
  edge: Edge,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
  times: Partial<Times> = {},
): EdgePurges {
  const { gatherMs, againMs, timeoutMs, retryMs, maxRetryMs } = { ...defaultTimes, ...times }
  const shown = new Set<string>()
  const fresh = boundedTags()
  const due = boundedTags()
  let recent = boundedTags()
  let older = boundedTags()
  let waitingSince: number | null = null
  let wasLost = false
  let isDown = false
  let closed = false
  let sent = 0
  let failed = 0
  let running: Promise<void> | null = null
  const stop = new AbortController()
  const repeating = setInterval(repeat, againMs).unref()

  const isWaiting = () => fresh.size + due.size > 0
  function start() {
    if (!isWaiting() || closed) return
    waitingSince ??= performance.now()
    running ??= run().finally(() => {
      running = null
    })
  }
  /** Purges again what was sent in the round before the last one. */
  function repeat() {
    due.add(older.take())
    older = recent
    recent = boundedTags()
    start()
  }
  async function run() {
    let delayMs = gatherMs
    while (isWaiting() && !closed) {
      await sleep(delayMs, undefined, { signal: stop.signal }).catch(() => {})
      if (closed) return
      delayMs = (await sendWaiting()) ? gatherMs : Math.min(Math.max(2 * delayMs, retryMs), maxRetryMs)
    }
  }
  /** Sends all waiting tags. Returns false, and keeps those that were not accepted, if the address fails. */
  async function sendWaiting(): Promise<boolean> {
    const first = new Set(fresh.take())
    const tags = [...first.union(new Set(due.take()))]
    for (let at = 0; at < tags.length; at += perRequest) {
      const some = tags.slice(at, at + perRequest)
      const problem = await sendPurge(edge, some, timeoutMs)
      report(problem)
      if (problem !== null) {
        fresh.add(tags.slice(at))
        return false
      }
      recent.add(some.filter((tag) => first.has(tag)))
    }
    waitingSince = isWaiting() ? performance.now() : null
    return true
  }
  function report(problem: string | null) {
    if (problem === null) sent++
    else failed++
    if (problem !== null && !isDown)
      log.warn({ reason: problem }, 'CDN_PURGE_URL does not accept purges: the edge may show older content')
    if (problem === null && isDown) log.info('CDN_PURGE_URL accepts purges again')
    isDown = problem !== null
  }

  return {
    show(tables) {
      for (const table of tables) shown.add(tableOf(table))
    },
    notified(tag) {
      if (!shown.has(tableOf(tag))) return
      fresh.add([edgeTag(tag)])
      start()
    },
    lost() {
      wasLost = true
    },
    listening() {
      // Changes may have been missed. At the start nothing was: responses of before have aged, or other instances heard.
      if (!wasLost) return
      wasLost = false
      fresh.add([everything])
      start()
    },
    get waitingMs() {
      return waitingSince === null ? 0 : performance.now() - waitingSince
    },
    get sent() {
      return sent
    },
    get failed() {
      return failed
    },
    get isDone() {
      return running === null && fresh.size + due.size + recent.size + older.size === 0
    },
    async close() {
      closed = true
      clearInterval(repeating)
      stop.abort()
      await running
      due.add([...older.take(), ...recent.take()])
      if (isWaiting()) await sendWaiting()
    },
  }
}

/** Sends one purge. Returns why it was not accepted; null: it was. */
async function sendPurge(
  { purgeUrl, purgeMethod, purgeToken }: Edge,
  tags: readonly string[],
  timeoutMs: number,
): Promise<string | null> {
  try {
    const response = await fetch(purgeUrl, {
      method: purgeMethod,
      headers: {
        'surrogate-key': tags.join(' '),
        ...(purgeToken !== null && { 'fastly-key': purgeToken }),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `it answers ${response.status}`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error }
    return cause?.message || message
  }
}

export function watchPurges(registry: Registry, purges: EdgePurges): void {
  new Counter({
    name: 'cdn_purges_total',
    help: 'Purges sent to CDN_PURGE_URL, accepted (sent) or not (failed)',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      this.inc({ outcome: 'sent' }, purges.sent)
      this.inc({ outcome: 'failed' }, purges.failed)
    },
  })
  new Gauge({
    name: 'cdn_purge_waiting_seconds',
    help: 'Time since the oldest change that CDN_PURGE_URL has not accepted a purge of',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(purges.waitingMs / 1_000)
    },
  })
}

/** A set of tags that becomes one tag for everything when it grows too large. */
function boundedTags() {
  let tags = new Set<string>()
  return {
    add(more: readonly string[]) {
      for (const tag of more) tags.add(tag)
      if (tags.size > maxTags || tags.has(everything)) tags = new Set([everything])
    },
    take(): string[] {
      const all = [...tags]
      tags = new Set()
      return all
    },
    get size() {
      return tags.size
    },
  }
}
