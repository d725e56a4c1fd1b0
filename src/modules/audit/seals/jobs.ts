import Type from 'typebox'
import { settingsOf } from '../../../platform/config.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { createSealer } from './rules.ts'
import { sealSettings } from './settings.ts'

const seal = defineJob('audit.seal', Type.Object({}), { timeoutSeconds: 3_600 })

/** Whoever collects the log has each seal's mac there too, out of reach of whoever rewrites the database. */
export function sealHandler({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>): Handler {
  const [key] = settingsOf(config, sealSettings).keys
  if (key === undefined) return handle(seal, async () => {})
  const sealRows = createSealer(db, key)
  return handle(seal, async (_payload, { signal }) => {
    const sealed = await sealRows(signal)
    if (sealed !== null)
      log.info({ seal: sealed.number, rows: sealed.total, mac: sealed.mac }, 'the trail is sealed')
  })
}

export const sealSchedule: Schedule = schedule(seal, '* * * * *', {})
