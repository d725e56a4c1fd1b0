import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import { readInWorker } from '../readers/read-in-worker.ts'
import { importsSettings } from '../settings.ts'
import type { Reading } from './rules.ts'

/** Builds the fetcher and reader for user-supplied URLs. */
export const readingOf = (config: Config): Omit<Reading, 'signal'> => ({
  fetch: createGuardedFetch(settingsOf(config, importsSettings)),
  read: readInWorker,
  hasDemo: config.databaseUrl === null,
})
