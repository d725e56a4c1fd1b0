import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import { ReadFailed } from '../readers/read-failed.ts'
import { readInWorker } from '../readers/read-in-worker.ts'
import { importsSettings } from '../settings.ts'
import type { Reading } from './rules.ts'

/** Builds the fetcher and reader for user-supplied URLs. */
export const readingOf = (config: Config): Omit<Reading, 'signal'> => ({
  fetch: createGuardedFetch(settingsOf(config, importsSettings)),
  read: readInWorker,
  hasDemo: config.databaseUrl === null,
})

/** Timeout of a dry run: the client waits for the response. */
export const dryRunMs = 120_000

/** Works with a timeout. When it ends, the signal aborts with a failure of the source, as if it were unreadable. */
export async function withinTime<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new ReadFailed('It takes too long to read.')), timeoutMs)
  try {
    return await work(late.signal)
  } finally {
    clearTimeout(timer)
  }
}
