import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { startWorker, until } from '../../platform/jobs/jobs.test-kit.ts'
import { copyPublication, insertPublication } from '../publications/publications.test-kit.ts'

const script = new URL('./refresh-lists.test-worker.ts', import.meta.url)
const kills = process.env.PARVIS_TEST_LONG ? 10 : 2

test('after kill -9 of the process that refreshes lists, the next one goes on where it ended', {
  timeout: (1 + kills) * 60_000,
}, async () => {
  const world = await openWorld()
  const { db, database, acteur, get } = world
  const admin = await world.as('admin')
  const { id: club } = await acteur({ valide: true })
  const publication = await insertPublication(world, { acteur_id: club })
  const many = 1 + kills * 5_000
  await copyPublication(world, publication.id, many - 1)
  const total = async () => (await get(`/publications?acteur_id=${club}`)).body.meta.total
  expect((await admin.patch(`/admin/acteurs/${club}/active`, { active: false })).status).toBe(200)
  const done = async () =>
    (await admin.get(`/admin/acteurs/${club}`)).body.data.refreshing?.done ?? Number.POSITIVE_INFINITY

  for (let kill = 0; kill < kills; kill++) {
    const atStart = await done()
    const victim = await startWorker(script, database.service)
    await until('it refreshes lists', async () => (await done()) > atStart)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    expect(await done()).toBeLessThan(many)
    expect(await total()).toBe(0)
    // pg-boss itself waits at least ten seconds before it considers a worker dead.
    await run(database.owner, 'update pgboss.job set heartbeat_seconds = 3, retry_delay = 1')
  }
  await startWorker(script, database.service)
  await until('the refresh has ended', async () => (await done()) === Number.POSITIVE_INFINITY)
  expect(await total()).toBe(0)
  const left = await db
    .selectFrom('publication_listings')
    .select('publication_id')
    .where('acteur_id', '=', club)
    .execute()
  expect(left).toEqual([])
})
