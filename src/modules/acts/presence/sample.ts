import { setTimeout as sleep } from 'node:timers/promises'
import { FetchFailed } from '../../../platform/fetch/fetch-failed.ts'
import type { GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'

/**
 * What was on line at a moment, as the service finds it at its own public address: it asks for the file of each act that the
 * law wants there. A sample is a link of the chain, so that it cannot be invented or forgotten later.
 */
export type Sample = {
  format: 1
  kind: 'presence'
  at: string
  /** Where the files were asked for. */
  address: string
  /** The acts that were asked for: published since then, with a seal of at most this number. */
  since: string
  through: number
  asked: number
  /** The seals of those that did not come, or whose file had to go, as first and last of each range. */
  missing: [number, number][]
}

/** An act that the law wants on line, with the number of its seal. `isOcculted`: a court had its file removed. */
export type InForce = { id: string; number: number; sha256: string; bytes: number; isOcculted: boolean }

/** Ranges of missing acts beyond this number are one: a sample says less rather than more. */
const maxRanges = 500
/** After so many files in a row that did not come, the service counts as away. */
const awayAfter = 40
const attempts = 3
const atOnce = 4

type Tools = {
  ask: GuardedFetch
  /** Lists the acts in force whose seals follow one, in order. */
  list(after: number): Promise<InForce[]>
  addressOf(id: string): string
  pauseMs: number
  signal: AbortSignal
}
type Found = Pick<Sample, 'asked' | 'missing'> & { failed: number }

/** Asks for the files of all acts in force but occulted ones; those that did not come are asked for again after a pause. */
export async function askForAll({ list, signal, ...tools }: Tools, through: number): Promise<Found> {
  const missing: number[] = []
  let [asked, failed, inRow] = [0, 0, 0]
  for (let acts = await list(0); acts.length > 0; acts = await list(acts.at(-1)?.number ?? through))
    for (let at = 0; at < acts.length; at += atOnce) {
      signal.throwIfAborted()
      const some = acts.slice(at, at + atOnce)
      const come = await Promise.all(some.map((act) => !act.isOcculted && comes({ ...tools, signal }, act)))
      for (const [index, { number, isOcculted }] of some.entries()) {
        if (!come[index]) missing.push(number)
        if (isOcculted) continue
        asked++
        inRow = come[index] ? 0 : inRow + 1
        failed += come[index] ? 0 : 1
      }
      if (inRow >= awayAfter) return { asked, failed, missing: [[1, through]] }
    }
  return { asked, failed, missing: rangesOf(missing) }
}

async function comes(
  { ask, addressOf, pauseMs, signal }: Omit<Tools, 'list'>,
  act: InForce,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    if (await isServed(ask, addressOf(act.id), act, signal)) return true
    if (attempt === attempts) return false
    await sleep(pauseMs, undefined, { signal })
  }
}

/** Asks for the first byte: the response names the size of the whole and the beginning of its digest. */
async function isServed(ask: GuardedFetch, url: string, { bytes, sha256 }: InForce, signal: AbortSignal) {
  const headers = { range: 'bytes=0-0', 'x-app-source': 'public' }
  try {
    const response = await ask(url, { headers, signal })
    return (
      response.status === 206 &&
      response.headers.get('content-range') === `bytes 0-0/${bytes}` &&
      response.headers.get('etag')?.includes(sha256.slice(0, 32)) === true
    )
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof FetchFailed) return false
    throw error
  }
}

/** Joins numbers that follow each other. */
export function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last?.[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  if (ranges.length <= maxRanges) return ranges
  return [[ranges[0]?.[0] ?? 1, ranges.at(-1)?.[1] ?? 1]]
}

/** Since when acts are asked for: two months are 62 days at most. */
export const askedSince = (now: Date): Date => new Date(now.getTime() - 63 * 86_400_000)
