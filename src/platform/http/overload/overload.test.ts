import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { slowdown } from '../../../../test/processes/service.ts'
import { openWorld } from '../../../../test/support/world.ts'
import * as audiences from '../audiences.ts'
import { defaultAdmissionLimits } from './admission.ts'
import type { Sample } from './overload.test-worker.ts'

const schema = { operationId: 'work', summary: 'work', tags: ['communes'], response: { 200: Type.Unknown() } }
const worker = fileURLToPath(new URL('./overload.test-worker.ts', import.meta.url))

/** Sends this many requests a second from a process of its own and counts the outcomes. */
async function ask(url: string, rate: number, seconds: number): Promise<Sample[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [worker, url, `${rate}`, `${seconds}`], {
    maxBuffer: 1e9,
  })
  return JSON.parse(stdout)
}

const served = (asked: Sample[]) => asked.filter(({ status }) => status === 200)
const refused = (asked: Sample[]) => asked.filter(({ status }) => status === 503)
function percentile(asked: Sample[], share: number): number {
  const sorted = asked.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.floor(asked.length * share)] ?? 0
}

test.runIf(process.env.PARVIS_TEST_LONG)(
  'at five times its capacity it serves nearly as much, refuses the rest quickly and recovers immediately',
  { timeout: 300_000 },
  async () => {
    const { url } = await openWorld({
      timeoutMs: 3_000,
      admissionLimits: defaultAdmissionLimits,
      env: { MAX_CONNECTIONS_PER_ADDRESS: 'off' },
      extraRoutes: (api, deps) =>
        audiences.publicReads(api, deps, (scope) => {
          scope.get('/test/work', { config: { caching: { never: 'test' } }, schema }, async () => {
            await sql`select pg_sleep(0.03)`.execute(deps.reads)
            return {}
          })
        }),
    })
    const address = `${url}/api/v1/test/work`
    let peak = 0
    for (const rate of [50, 200, 300, 400]) {
      peak = Math.max(peak, served(await ask(address, rate, 5)).length / 5)
    }
    const storm = await ask(address, 5 * peak, 15)
    expect(served(storm).length / 15).toBeGreaterThan(0.9 * peak)
    expect(served(storm).length + refused(storm).length).toBe(storm.length)
    expect(percentile(refused(storm), 0.9)).toBeLessThan(100 * slowdown())
    expect(percentile(served(storm), 0.9)).toBeLessThan(300 * slowdown())

    const after = await ask(address, 0.6 * peak, 10)
    const later = after.filter(({ sentMs }) => sentMs > 5_000)
    expect(served(later)).toHaveLength(later.length)
    expect(percentile(later, 0.9)).toBeLessThan(200 * slowdown())
  },
)
