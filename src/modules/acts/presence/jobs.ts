import Type from 'typebox'
import type { Config } from '../../../platform/config/config.ts'
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { insertSample, lastNumber, listInForce } from './queries.ts'
import { askedSince, askForAll } from './sample.ts'

/** Samples twice a day, in Paris. An attempt that dies leaves nothing: the next one asks for all acts again. */
const takeSample = defineJob('acts.sample', Type.Object({}), { retries: 2, timeoutSeconds: 21_600 })

export const sampleSchedules = (): Schedule[] => [schedule(takeSample, '17 5,17 * * *', {})]

const perPage = 500
const timeoutMs = 10_000
/** A file that does not come is asked for again after this pause. */
const defaultPauseMs = 5_000

type Tools = Pick<Deps, 'db' | 'reads' | 'config' | 'clock' | 'log'> & { pauseMs?: number }

export function sampleHandler({ db, reads, config, clock, log, pauseMs = defaultPauseMs }: Tools): Handler {
  // The operator names the address, which may be one of the own network.
  const ask = createGuardedFetch({ allowPrivate: true, timeoutMs })
  const { address, addressOf } = addressesOfFiles(config)
  return handle(takeSample, async (_payload, { signal }) => {
    const since = askedSince(clock())
    const through = await lastNumber(reads)
    const list = (after: number) => listInForce(reads, { since, after, through }, perPage)
    const { failed, ...found } = await askForAll({ ask, list, addressOf, pauseMs, signal }, through)
    if (found.asked === 0) return
    const about = { address, since: since.toISOString(), through }
    await insertSample(db, { format: 1, kind: 'presence', ...about, ...found })
    if (failed > 0)
      log.warn(
        { address, asked: found.asked, failed },
        'files of published acts did not come from their address: they were asked for three times',
      )
  })
}

/** Files come from the site, or from the API where there is no site. */
function addressesOfFiles({ hasSite, publicSiteUrl, publicUrl }: Config) {
  const address = hasSite ? (publicSiteUrl ?? publicUrl) : publicUrl
  const addressOf = (id: string) =>
    hasSite ? `${address}/actes/${id}/acte.pdf` : `${address}/api/v1/acts/${id}/pdf`
  return { address, addressOf }
}
