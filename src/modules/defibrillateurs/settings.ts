import { type Settings, urlOf } from '../../platform/config/settings.ts'

const resource = 'edb6a9e1-2f16-4bbf-99e7-c3eb6b90794c'
const publicCsv = `https://www.data.gouv.fr/api/1/datasets/r/${resource}`
const publicApi = `https://tabular-api.data.gouv.fr/api/resources/${resource}/data/`

const webUrl = urlOf('an http or https URL', 'http:', 'https:')

export const defibrillateursSettings = {
  name: 'defibrillateurs',
  read(read) {
    const csvUrl = read.optional('GEODAE_CSV_URL', webUrl)
    return {
      csvUrl: csvUrl ?? publicCsv,
      apiUrl: read.or('GEODAE_API_URL', webUrl, publicApi),
      /** The daily sync runs only if `GEODAE_CSV_URL` is set. */
      daily: csvUrl !== null,
    }
  },
} satisfies Settings<{ csvUrl: string; apiUrl: string; daily: boolean }>
