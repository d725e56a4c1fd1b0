import { Counter, Gauge, type Registry } from 'prom-client'
import type { Deps } from '../../platform/module.ts'
import { countActiveSessions } from './sessions/queries.ts'

const signIns = new Counter({
  name: 'sign_ins_total',
  help: 'Completed sign-ins, by method',
  labelNames: ['method'],
  registers: [],
})
const refusals = new Counter({
  name: 'sign_in_refusals_total',
  help: 'Refused tokens, codes and second factors, by what was refused',
  labelNames: ['what'],
  registers: [],
})

/** They count in this process, whether or not anybody scrapes the metrics. */
export const signInCounters: readonly Counter[] = [signIns, refusals]

export const countSignIn = (method: 'email' | 'passkey' | 'oidc'): void => signIns.inc({ method })
export const countRefusal = (what: 'email' | 'second_factor' | 'passkey' | 'confirmation' | 'oidc'): void =>
  refusals.inc({ what })

export function watchSignIns(registry: Registry, { reads }: Pick<Deps, 'reads'>): void {
  new Gauge({
    name: 'sessions_active',
    help: 'Sessions that are neither ended nor expired, on all instances',
    registers: [registry],
    async collect() {
      const count = await countActiveSessions(reads).catch(() => null)
      if (count === null) this.reset()
      else this.set(count)
    },
  })
}
