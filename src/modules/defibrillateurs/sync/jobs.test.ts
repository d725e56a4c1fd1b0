import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { device, openRegistry } from './registry.test-kit.ts'

const registry = await openRegistry()
afterAll(registry.close)
const { as, get, runJobs } = await openWorld({ env: { GEODAE_CSV_URL: registry.csvUrl } })

test('a requested sync runs as a job, and the response does not wait for it', async () => {
  registry.has([device(1)])
  const admin = await as('admin')
  const { body } = await admin.post('/admin/defibrillateurs-france/sync')
  expect(body.data.status).toBe('queued')
  await runJobs()
  const meta = async () => (await admin.get('/admin/defibrillateurs-france')).body.meta
  await expect.poll(async () => (await meta()).sync_status, { timeout: 60_000 }).toBe('succeeded')
  expect((await get('/defibrillateurs')).body.meta.total).toBe(1)
}, 90_000)
