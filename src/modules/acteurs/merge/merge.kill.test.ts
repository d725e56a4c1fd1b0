import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { startWorker, until } from '../../../platform/jobs/jobs.test-kit.ts'
import { copyPublication, insertPublication } from '../../publications/publications.test-kit.ts'
import { mergeKit } from './merge.test-kit.ts'

const script = new URL('./merge.test-worker.ts', import.meta.url)
const kills = process.env.PARVIS_TEST_LONG ? 20 : 2

test('after kill -9 of the process that merges, the next one moves the rest: nothing is lost or refers to the old acteur', {
  timeout: (1 + kills) * 60_000,
}, async () => {
  const world = await openWorld()
  const { db, database, acteur } = world
  const { fill, references } = mergeKit(world)
  const admin = await world.as('admin')
  const [old, target] = [await acteur({ type: 'mairie' }), await acteur({ type: 'mairie' })]
  await fill(old)
  const publication = await insertPublication(world, { acteur_id: old.id })
  // Each batch takes 200: a killed process leaves several for the next ones.
  await copyPublication(world, publication.id, kills * 1_500)
  const before = await references(old)
  const left = async () => (await references(old))['publications.acteur_id'] ?? 0
  expect((await admin.post(`/admin/acteurs/${old.id}/merge`, { into: target.id })).status).toBe(202)

  for (let kill = 0; kill < kills; kill++) {
    const atStart = await left()
    const victim = await startWorker(script, database.service)
    await until('it moves publications', async () => (await left()) < atStart)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    expect(await left()).toBeGreaterThan(0)
    // pg-boss itself waits at least ten seconds before it considers a worker dead.
    await run(database.owner, 'update pgboss.job set heartbeat_seconds = 3, retry_delay = 1')
  }
  await startWorker(script, database.service)
  const isMerged = async () =>
    (await db.selectFrom('acteurs').select('deleted_at').where('id', '=', old.id).executeTakeFirstOrThrow())
      .deleted_at !== null
  await until('the merge has ended', isMerged, 60_000)
  expect(new Set(Object.values(await references(old)))).toEqual(new Set([0]))
  expect(await references(target)).toEqual(before)
  const { rows } = await sql`
    select from audit_log where action = 'acteur.merge_end' and entity_id = ${old.id}`.execute(db)
  expect(rows).toHaveLength(1)
})
