import { Gauge, type Registry } from 'prom-client'
import { settingsOf } from '../../../platform/config.ts'
import type { Deps } from '../../../platform/module.ts'
import { findUnsealedAge } from './queries.ts'
import { sealSettings } from './settings.ts'

/** Not told where nothing is sealed, nor while the database is away. */
export function watchSeals(registry: Registry, { db, config }: Pick<Deps, 'db' | 'config'>): void {
  if (settingsOf(config, sealSettings).keys.length === 0) return
  new Gauge({
    name: 'audit_unsealed_seconds',
    help: 'Age of the oldest row of the trail that no seal covers yet; 0: each is covered',
    registers: [registry],
    async collect() {
      this.reset()
      const age = await findUnsealedAge(db).catch(() => null)
      if (age !== null) this.set(age)
      else this.remove()
    },
  })
}
