import { Gauge, type Registry } from 'prom-client'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Deps } from '../../../platform/module.ts'
import { countFaults, findUnsealedAge } from './queries.ts'
import { sealSettings } from './settings.ts'

/** Omits the metrics if sealing is off or the database is unavailable. */
export function watchSeals(
  registry: Registry,
  { reads, config, log }: Pick<Deps, 'reads' | 'config' | 'log'>,
): void {
  const { keys } = settingsOf(config, sealSettings)
  if (keys.length === 0) {
    log.warn('the audit log is not sealed: set AUDIT_KEY')
    return
  }
  new Gauge({
    name: 'audit_unsealed_seconds',
    help: 'Age of the oldest audit entry that no seal covers yet; 0: all are covered',
    registers: [registry],
    async collect() {
      this.reset()
      const age = await findUnsealedAge(
        reads,
        keys.map(({ id }) => id),
      ).catch(() => null)
      if (age === null) this.remove()
      else this.set(age)
    },
  })
  new Gauge({
    name: 'audit_seal_faults',
    help: 'Seals of the audit log that were found forged or altered when the next one was made; must stay as it is',
    registers: [registry],
    async collect() {
      this.reset()
      const count = await countFaults(reads).catch(() => null)
      if (count === null) this.remove()
      else this.set(count)
    },
  })
}
