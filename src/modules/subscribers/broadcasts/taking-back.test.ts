import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'

const world = await openWorld()
const { db } = world
const kit = subscribersKit(world)
const { commune: town, secretary } = await openMairie(world)
const path = `/mairie/communes/${town.id}/alertes`
const neige = { titre: 'Neige', message: 'Prudence.' }

async function create(values: object) {
  const { body } = await secretary.post(path, { ...neige, ...values })
  return { id: body.data.id as string, broadcast: (await kit.broadcastOf(body.data.id, 'alerte'))?.id ?? '' }
}

/** Seconds that the last job of a broadcast waits. */
async function waitOf(broadcastId: string): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select round(extract(epoch from start_after - created_on))::int as wait from pgboss.job
    where name = 'subscribers.expand-broadcast' and data ->> 'broadcastId' = ${broadcastId}
    order by created_on desc limit 1`.execute(db)
  return rows[0]?.wait ?? Number.NaN
}

test.each(['info', 'attention'])(
  'the first message of an alerte of level %s waits ten seconds',
  async (niveau) => {
    expect(await waitOf((await create({ niveau })).broadcast)).toBe(10)
  },
)

test('the messages of an urgent alerte leave at once, also of one that becomes urgent meanwhile', async () => {
  expect(await waitOf((await create({ niveau: 'urgence' })).broadcast)).toBe(0)
  const { id, broadcast } = await create({ niveau: 'info' })
  await secretary.patch(`${path}/${id}`, { niveau: 'urgence' })
  expect(await waitOf(broadcast)).toBe(0)
})

test('an alerte that begins later is told when it begins', async () => {
  const debut = new Date(Date.now() + 3_600_000).toISOString()
  expect(await waitOf((await create({ niveau: 'info', debut })).broadcast)).toBeGreaterThan(3_000)
})

test('an alerte that is deleted before its first message is told to nobody', async () => {
  await kit.subscribe(1, [town.id])
  const { id, broadcast } = await create({ niveau: 'info' })
  await secretary.delete(`${path}/${id}`)
  const driven = kit.mailer()
  await kit.expand(driven, broadcast)
  await kit.send(driven, broadcast)
  expect(driven.accepted).toEqual([])
})

test('a correction before the first message leaves changes what everybody gets, once', async () => {
  const [kept] = await kit.subscribe(1, [town.id], 'all', 'meanwhile')
  const { id, broadcast } = await create({ niveau: 'info' })
  await secretary.patch(`${path}/${id}`, { message: 'Verglas.', notify: true })
  const driven = kit.mailer()
  const correction = (await kit.broadcastOf(id, 'alerte_correction'))?.id ?? ''
  for (const one of [correction, broadcast]) {
    await kit.expand(driven, one)
    await kit.send(driven, one)
  }
  const own = driven.accepted.filter(({ to }) => to === kept?.address)
  expect(own.map(({ text }) => text.includes('Verglas.'))).toEqual([true])
})
