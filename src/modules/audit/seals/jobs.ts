import Type from 'typebox'
import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { notifyAdministrators } from '../../users/administrators.ts'
import { sealNotice } from './mail.ts'
import { createSealer } from './rules.ts'
import { sealSettings } from './settings.ts'

const seal = defineJob('audit.seal', Type.Object({}), { timeoutSeconds: 3_600 })

/**
 * Seals the audit log. An instance without a key runs no sealing jobs. Logs each seal with its mac, so that a
 * log collector keeps a copy that an attacker on the database cannot change.
 */
export function sealHandlers({
  db,
  log,
  config,
  jobs,
}: Pick<Deps, 'db' | 'log' | 'config' | 'jobs'>): Handler[] {
  const { keys } = settingsOf(config, sealSettings)
  if (keys.length === 0) return []
  const sealRows = createSealer(db, keys, {
    report: async (tx, faults) => {
      log.error({ faults }, 'seals of the audit log were altered in the table audit_seals')
      await notifyAdministrators(tx, { jobs }, sealNotice(faults))
    },
  })
  const handler = handle(seal, async (_payload, { signal }) => {
    const sealed = await sealRows(signal)
    if (sealed !== null)
      log.info({ seal: sealed.number, rows: sealed.total, mac: sealed.mac }, 'the audit log is sealed')
  })
  return [handler]
}

const everyMinute: Schedule = schedule(seal, '* * * * *', {})

/** Only instances with a key run the schedule; one without a key leaves it to the others. */
export const sealSchedules = (config: Config): Schedule[] =>
  settingsOf(config, sealSettings).keys.length > 0 ? [everyMinute] : [{ ...everyMinute, ofOthers: true }]
