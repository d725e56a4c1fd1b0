import Type from 'typebox'
import { type Config, settingsOf } from '../../../platform/config.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { notifyAdministrators } from '../../users/administrators/jobs.ts'
import { createSealer, type SealFault } from './rules.ts'
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
      log.error({ faults }, 'seals of the audit log are not as they were made: somebody wrote to audit_seals')
      await notifyAdministrators(tx, { jobs }, noticeOf(faults))
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

function noticeOf(faults: SealFault[]) {
  const numbers = faults.map(({ number }) => number)
  return {
    key: `audit-seal-${Math.max(...numbers)}`,
    subject: 'Alerte : le journal d’audit porte un scellé falsifié',
    text: `Ces scellés du journal d’audit ne sont pas tels que le service les a faits : ${numbers.join(', ')}.

Quelqu’un a écrit dans la table audit_seals. Les entrées concernées sont scellées à nouveau, à partir du dernier scellé valable.

Vérifiez le journal avec « npm run audit -- verify --anchor … », puis changez le mot de passe du rôle de la base de données qu’utilise le service.
`,
  }
}
