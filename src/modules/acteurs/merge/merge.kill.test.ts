import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { hurry, until } from '../../../platform/jobs/jobs.test-kit.ts'
import { insertPublication } from '../../publications/publications.test-kit.ts'
import { mergeKit } from './merge.test-kit.ts'

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
  const { rows: columns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'publications'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> 'id'`.execute(db)
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  await sql`
    insert into publications (id, ${names})
    select gen_random_uuid(), ${names} from publications, generate_series(1, ${kills * 1_500})
    where id = ${publication.id}`.execute(db)
  const before = await references(old)
  const left = async () => (await references(old))['publications.acteur_id'] ?? 0
  expect((await admin.post(`/admin/acteurs/${old.id}/merge`, { into: target.id })).status).toBe(202)

  for (let kill = 0; kill < kills; kill++) {
    const atStart = await left()
    const victim = await startWorker(database.service)
    await until('it moves publications', async () => (await left()) < atStart)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    expect(await left()).toBeGreaterThan(0)
    // pg-boss itself waits at least ten seconds before it considers a worker dead.
    await run(database.owner, 'update pgboss.job set heartbeat_seconds = 3, retry_delay = 1')
  }
  await startWorker(database.service)
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

async function startWorker(service: object): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./merge.test-worker.ts', import.meta.url))
  const words = [JSON.stringify(service), JSON.stringify(hurry)]
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  return child
}
