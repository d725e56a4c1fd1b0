import { type Config, settingsOf } from '../../../platform/config.ts'
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import { readApart } from '../readers/read-apart.ts'
import { importsSettings } from '../settings.ts'
import type { Reading } from './rules.ts'

/** How the service fetches and reads what people point it to. */
export const readingOf = (config: Config): Omit<Reading, 'signal'> => ({
  fetch: createGuardedFetch(settingsOf(config, importsSettings)),
  read: readApart,
  hasDemo: config.databaseUrl === null,
})
