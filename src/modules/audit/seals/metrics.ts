import { Gauge, type Registry } from 'prom-client'
import { settingsOf } from '../../../platform/config.ts'
import type { Deps } from '../../../platform/module.ts'
import { findUnsealedAge } from './queries.ts'
import { sealSettings } from './settings.ts'

/** Not told where nothing is sealed, nor while the database is away. */
export function watchSeals(
  registry: Registry,
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
): void {
  if (settingsOf(config, sealSettings).keys.length === 0) {
    log.warn('the trail is not sealed: set AUDIT_KEY')
    return
  }
  new Gauge({
    name: 'audit_unsealed_seconds',
    help: 'Age of the oldest row of the trail that no seal covers yet; 0: each is covered',
    registers: [registry],
    async collect() {
      this.reset()
      const age = await findUnsealedAge(db).catch(() => null)
      if (age === null) this.remove()
      else this.set(age)
    },
  })
}
