import { expect, test } from 'vitest'
import { openWorld, run as runAs } from '../../../test/support/world.ts'
import { createLog } from '../../platform/log/log.ts'
import { allowPrivate, importsKit, rss } from './imports.test-kit.ts'
import { runHandler } from './module.ts'
import { runImport } from './run/queue.ts'
import { doRun, giveUpRun } from './run/rules.ts'
import { queueDue, reviveRuns } from './schedule.ts'
import { isCron, nextDue } from './sources/cron.ts'

const world = await openWorld({ env: allowPrivate })
const { db, database } = world
const { admin, at, source, run, dryRun, say, reading, log } = await importsKit(world)
const { signal } = new AbortController()
const hourly = { cron: '0 * * * *' }

const stored = (id: string) =>
  db.selectFrom('import_sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const runsOf = (id: string) =>
  db.selectFrom('import_runs').selectAll().where('source_id', '=', id).orderBy('started_at').execute()
const laterBy = (hours: number) => new Date(Date.now() + hours * 3_600_000)

test.each([
  ['0 6 * * *', '2026-03-28T22:00:00Z', '2026-03-29T04:00:00.000Z'],
  // Clocks skip this hour and repeat that one.
  ['30 2 * * *', '2026-03-28T22:00:00Z', '2026-03-29T01:30:00.000Z'],
  ['30 2 * * *', '2026-10-24T22:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['0 0 29 feb *', '2026-03-28T22:00:00Z', '2028-02-28T23:00:00.000Z'],
  ['*/15 8-18 * * mon-fri', '2026-11-20T18:00:00Z', '2026-11-23T07:00:00.000Z'],
])('interprets the cron %s in Paris time', (cron, after, due) => {
  expect(isCron(cron)).toBe(true)
  expect(nextDue(cron, new Date(after)).toISOString()).toBe(due)
})

test('runs a due source once, whichever instance looks first; missed times count as one', async () => {
  const made = await source(rss({ guid: '1', title: 'Un' }), hourly)
  const other = await source(rss({ guid: '1', title: 'Un' }), { cron: '0 0 1 1 *' })
  const later = laterBy(10)
  await expect(queueDue(world, later, AbortSignal.abort())).rejects.toThrow('aborted')
  expect(await runsOf(made.id)).toEqual([])
  const counts = await Promise.all(Array.from({ length: 4 }, () => queueDue(world, later, signal)))
  // Others skip the locked row.
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
  const [queued] = await runsOf(made.id)
  expect(queued).toMatchObject({ status: 'queued', dry_run: false })
  expect(await runsOf(other.id)).toEqual([])
  expect((await stored(made.id)).next_run_at).toEqual(nextDue(hourly.cron, later))
  // Still running when next due; that run is skipped.
  expect(await queueDue(world, laterBy(20), signal)).toBe(0)
  await doRun(world, queued?.id ?? '', reading)
  expect(await queueDue(world, laterBy(30), signal)).toBe(1)
  expect(await runsOf(made.id)).toHaveLength(2)
})

test('an inactive source, or one without a cron, is not due', async () => {
  const made = [await source('', hourly), await source('', hourly), await source('', hourly)]
  await admin.patch(at(made[0]?.id ?? ''), { actif: false })
  await admin.patch(at(made[1]?.id ?? ''), { cron: null })
  await admin.delete(at(made[2]?.id ?? ''))
  await queueDue(world, laterBy(1_000), signal)
  for (const { id } of made) expect(await runsOf(id)).toEqual([])
})

test('pauses a source after five failures in a row, says why and mails the administrators; it can be resumed', async () => {
  const { id: userId } = await world.user({ roles: ['admin'], email_verified: true })
  const made = await source({ body: '', status: 503 }, hourly)
  for (let failures = 1; failures < 5; failures++) {
    await run(made)
    expect(await stored(made.id)).toMatchObject({ failures, actif: true, paused_reason: null })
  }
  // A dry run does not count, and a success resets the count.
  await dryRun(made)
  say(made, rss({ guid: '1', title: 'Seul' }))
  await run(made)
  expect((await stored(made.id)).failures).toBe(0)
  say(made, { body: '', status: 503 })
  const { version } = await stored(made.id)
  for (let failures = 1; failures <= 5; failures++) await run(made)
  expect((await admin.get(at(made.id))).body.data).toMatchObject({
    actif: false,
    failures: 5,
    paused_reason: 'Failed 5 times in a row. The last time: The server answered 503.',
    version: version + 1,
  })
  expect((await stored(made.id)).next_run_at).toBeNull()
  expect(await admin.post(`${at(made.id)}/run`)).toBeError(409, 'conflict')
  const { rows } = await runAs(
    database.owner,
    `select data from pgboss.job where name = 'users.mail-administrator' and data->>'userId' = '${userId}'`,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].data).toMatchObject({ subject: `Une source d’import est en pause : ${made.nom}` })
  expect(rows[0].data.text).toContain(made.nom)
  expect(rows[0].data.text).not.toContain(made.url)
  const resumed = await admin.patch(at(made.id), { actif: true })
  expect(resumed.body.data).toMatchObject({ actif: true, failures: 0, paused_reason: null })
  expect((await stored(made.id)).next_run_at).toBeInstanceOf(Date)
})

test('resumes a run whose process died, and counts finished work as it was', async () => {
  const made = await source(rss({ guid: '1', title: 'Repris' }))
  const asked = await admin.post(`${at(made.id)}/run`)
  const { id } = asked.body.data
  // The process and the job die between the last batch and the end of the run.
  const dying = {
    ...reading,
    read: (input: Parameters<typeof reading.read>[0]) => thenDie(reading.read(input, signal)),
  }
  await expect(doRun(world, id, dying)).rejects.toThrow('dies')
  await runAs(database.owner, `delete from pgboss.job where name = '${runImport.name}'`)
  const countJobs = async () =>
    (await runAs(database.owner, `select from pgboss.job where name = '${runImport.name}'`)).rowCount
  await reviveRuns(world)
  expect(await countJobs()).toBe(0)
  await db
    .updateTable('import_runs')
    .set({ alive_at: laterBy(-1) })
    .where('id', '=', id)
    .execute()
  await reviveRuns(world)
  await reviveRuns(world)
  expect(await countJobs()).toBe(1)
  await doRun(world, id, reading)
  expect(await runsOf(made.id)).toMatchObject([
    { status: 'succeeded', attempts: 2, fetched: 1, created: 1, lines_total: 1 },
  ])
  expect(await log(made)).toHaveLength(1)
  // A second delivery has nothing left to do.
  await doRun(world, id, reading)
  expect(await runsOf(made.id)).toMatchObject([{ status: 'succeeded', attempts: 2 }])
})

test.each([
  [4, { status: 'succeeded', attempts: 5 }],
  [5, { status: 'failed', error: 'It was interrupted.' }],
])('gives up a run that crashes its process every time: after %i attempts', async (attempts, expected) => {
  const made = await source(rss({ guid: '1', title: 'Mortel' }))
  const { body } = await admin.post(`${at(made.id)}/run`)
  const begun = { attempts, status: 'running' }
  await db.updateTable('import_runs').set(begun).where('id', '=', body.data.id).execute()
  await doRun(world, body.data.id, reading)
  expect(await runsOf(made.id)).toMatchObject([expected])
})

test('ends a run whose job failed for good and frees the source; finished runs stay', async () => {
  const made = await source(rss({ guid: '1', title: 'Perdu' }))
  const { body } = await admin.post(`${at(made.id)}/run`)
  for (let time = 0; time < 2; time++) await giveUpRun(world, body.data.id)
  expect(await runsOf(made.id)).toMatchObject([{ status: 'failed', error: 'It was interrupted.' }])
  expect((await run(made)).status).toBe('succeeded')
})

test('gives up a run when its last attempt fails, and not before', async () => {
  const made = await source(rss({ guid: '1', title: 'Empêché' }))
  const { body } = await admin.post(`${at(made.id)}/run`)
  const lines: Record<string, unknown>[] = []
  const noting = createLog('error', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { perform } = runHandler({ ...world, log: noting } as never)
  const { retries } = runImport.settings
  const fail = (attempt: number, signal: AbortSignal) =>
    perform({ runId: body.data.id }, { id: 'job', attempt, signal })
  // No run can start while this holds.
  await runAs(
    database.owner,
    `alter table import_runs add constraint stuck check (status <> 'running') not valid`,
  )
  await expect(fail(retries, signal)).rejects.toThrow('stuck')
  await expect(fail(retries + 1, AbortSignal.abort())).rejects.toThrow('stuck')
  expect(await runsOf(made.id)).toMatchObject([{ status: 'queued' }])
  expect(lines).toEqual([])
  await fail(retries + 1, signal)
  await runAs(database.owner, 'alter table import_runs drop constraint stuck')
  expect(await runsOf(made.id)).toMatchObject([{ status: 'failed', error: 'It was interrupted.' }])
  expect(lines).toMatchObject([{ run_id: body.data.id, err: { message: expect.stringContaining('stuck') } }])
})

test('a worker whose run was taken over writes nothing more', async () => {
  const made = await source(rss({ guid: '1', title: 'Disputé' }))
  const { body } = await admin.post(`${at(made.id)}/run`)
  const slow = {
    ...reading,
    async *read(input: Parameters<typeof reading.read>[0]) {
      await doRun(world, body.data.id, reading)
      yield* reading.read(input, signal)
    },
  }
  await expect(doRun(world, body.data.id, slow)).rejects.toThrow('taken over')
  expect(await runsOf(made.id)).toMatchObject([{ status: 'succeeded', attempts: 2, fetched: 1, created: 1 }])
})

test('a dry run whose process died blocks its source for a few minutes only', async () => {
  const made = await source(rss({ guid: '1', title: 'Un' }))
  const { id } = await dryRun(made)
  const dead = { status: 'running', finished_at: null, alive_at: laterBy(-1) }
  await db.updateTable('import_runs').set(dead).where('id', '=', id).execute()
  expect(await admin.post(`${at(made.id)}/run`)).toBeError(409, 'import_in_progress')
  await reviveRuns(world)
  expect(await runsOf(made.id)).toMatchObject([{ status: 'failed', error: 'It was interrupted.' }])
  expect((await admin.post(`${at(made.id)}/run`)).status).toBe(202)
})

test('of two concurrent requests for a run one gets 409', async () => {
  const made = await source(rss({ guid: '1', title: 'Un' }))
  const answers = await Promise.all(Array.from({ length: 6 }, () => admin.post(`${at(made.id)}/run`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409])
})

async function* thenDie<T>(batches: AsyncIterable<T>) {
  yield* batches
  throw new Error('the process dies')
}
