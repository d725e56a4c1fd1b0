import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertEvent, newEvent } from '../modules/payments/inbox/rules.ts'
import { applyNow, event, subscriptionObject } from '../modules/payments/payments.test-kit.ts'
import { until } from '../platform/jobs/jobs.test-kit.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './payments.ts'

const world = await openWorld()
const { db, config, url, acteur, as } = world
const { call, env, named, refusal } = await openCommandWorld(world, run)
await world.runJobs()
const served = { ...env, PAYMENT_SIGNING_SECRETS: 'whsec_a_secret_of_the_tests' }

const eventOf = (id: string) =>
  db.selectFrom('payment_events').selectAll().where('id', '=', id).executeTakeFirst()
const statusOf = async (id: string) => (await eventOf(id))?.status
const auditEntries = (id: string) =>
  db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('entity_id', '=', id)
    .orderBy('at')
    .execute()

/** Creates an event that failed for a reason that no longer applies. */
async function failed(): Promise<string> {
  const body = event('customer.subscription.updated', subscriptionObject())
  await applyNow(db, body)
  await db
    .updateTable('payment_events')
    .set({ status: 'failed', error: 'the database refused', tries: 9 })
    .where('id', '=', body.id)
    .execute()
  return body.id
}

test('replay --id re-enqueues a failed event and audits it', async () => {
  const id = await failed()
  expect(await call(`replay --id ${id}`)).toEqual({
    code: 0,
    stdout: `${id} is enqueued again.\n`,
    stderr: named,
  })
  await until('it is processed', async () => (await statusOf(id)) === 'processed')
  expect(await eventOf(id)).toMatchObject({ tries: 1, error: null })
  const change = { before: { status: 'failed' }, after: { status: 'received' } }
  expect(await auditEntries(id)).toEqual([{ action: 'payment_event.replay', ...change }])
  expect(await call(`replay --id ${id}`)).toMatchObject({
    code: 2,
    stderr: `${named}${id} was already applied: there is nothing to replay.\n`,
  })
})

test('replay --failed re-enqueues all failed events', async () => {
  const ids = [await failed(), await failed(), await failed()]
  expect(await call('replay --failed')).toMatchObject({ code: 0, stdout: 'Enqueued again: 3.\n' })
  for (const id of ids) await until('it is processed', async () => (await statusOf(id)) === 'processed')
  expect(await call('replay --failed')).toMatchObject({ code: 0, stdout: 'None has failed.\n' })
})

test('ignore --id closes a failed event, which can still be replayed', async () => {
  const id = await failed()
  expect(await call(`ignore --id ${id}`)).toMatchObject({ code: 0, stdout: `${id} is ignored.\n` })
  expect(await eventOf(id)).toMatchObject({ status: 'ignored', error: 'the database refused' })
  expect(await auditEntries(id)).toMatchObject([{ action: 'payment_event.ignore' }])
  expect((await call(`replay --id ${id}`)).code).toBe(0)
  await until('it is processed', async () => (await statusOf(id)) === 'processed')
  expect((await call(`ignore --id ${id}`)).stderr).toContain('was already applied')
})

test('an event without effect, or emptied by retention, cannot be replayed', async () => {
  const unknown = event('customer.updated')
  await applyNow(db, unknown)
  const emptied = await failed()
  await db.updateTable('payment_events').set({ fields: null }).where('id', '=', emptied).execute()
  for (const id of [unknown.id, emptied])
    expect((await call(`replay --id ${id}`)).stderr).toContain(`${id} cannot be replayed`)
  expect((await call('replay --failed')).stdout).toBe('None has failed.\n')
})

test('a waiting event can be neither replayed nor ignored', async () => {
  const body = event('customer.subscription.updated', subscriptionObject())
  await insertEvent(db, newEvent(body, new Date()))
  for (const command of ['replay', 'ignore'])
    expect(await refusal(`${command} --id ${body.id}`)).toBe(`${body.id} is already queued.`)
  expect(await statusOf(body.id)).toBe('received')
})

test('sample sends a signed event to the running service: a log row or a subscription', async () => {
  const first = await call(['sample', '--url', url], served)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const [, id = ''] =
    /^(evt_sample_\w+) \(invoice\.paid\): \{"data":\{"received":true\}\}\n$/.exec(first.stdout) ?? []
  expect(await eventOf(id)).toMatchObject({ type: 'invoice.paid' })
  const club = await acteur()
  const second = await call(['sample', '--url', url, '--acteur', club.id], served)
  const [made = ''] = second.stdout.split(' ')
  await until('it has its effect', async () => (await statusOf(made)) === 'processed')
  const admin = await as('admin')
  expect((await admin.get(`/admin/acteurs/${club.id}`)).body.data.subscription).toMatchObject({
    status: 'active',
  })
})

test('sample reports an unreachable service, its response, and a missing secret', async () => {
  const { code, stderr } = await call(['sample', '--url', 'http://127.0.0.1:1'], served)
  expect([code, stderr]).toEqual([
    2,
    'No service responds at http://127.0.0.1:1: start Parvis, or give its address with --url.\n',
  ])
  const other = { ...env, PAYMENT_SIGNING_SECRETS: 'whsec_of_somebody_else' }
  expect((await call(['sample', '--url', url], other)).stderr).toContain('answered 400')
  expect((await call(['sample', '--url', url])).stderr).toMatch(/^Set PAYMENT_SIGNING_SECRETS/)
  expect(config.databaseUrl).toBeNull()
})

test.each([
  ['', 'Name what to do: replay, ignore or sample.'],
  ['replay now', 'Name what to do: replay, ignore or sample.'],
  ['replay', 'Name the event: --id <event>, or --failed for all.'],
  ['replay --id evt_1 --failed', 'Name the event: --id <event>, or --failed for all.'],
  ['replay --failed --url http://x', '--acteur and --url go with sample.'],
  ['ignore', 'Name the event: --id <event>.'],
  ['ignore --id evt_1 --failed', 'Name the event: --id <event>.'],
  ['sample --failed', 'sample needs --acteur and --url.'],
  ['sample --acteur club', '--acteur is the id of an acteur.'],
  ['replay --id evt_nowhere', 'There is no event evt_nowhere.'],
  ['ignore --id evt_nowhere', 'There is no event evt_nowhere.'],
])('%j exits with 2 and one sentence', async (args, sentence) => {
  expect(await refusal(args)).toBe(sentence)
})

test('--help prints the usage', async () => {
  expect(await call('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('npm run payments --'),
  })
})
