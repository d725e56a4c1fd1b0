import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { addUpChanges } from './changes.ts'
import { subscribersKit } from './subscribers.test-kit.ts'
import { askToSubscribe, confirmChoice, deleteUnconfirmed, leave, saveChoices } from './subscribing.ts'

const world = await openWorld()
const { db, jobs } = world
const { addresses, subscribe } = subscribersKit(world)
const tools = { db, jobs, addresses }
const choice = { alertes: 'all', collectes_hour: null, collectes_secteur: null, actualites: false } as const

async function countsOf(communeId: string) {
  const { rows } = await sql<{ gained: number; lost: number }>`
    select coalesce(sum(gained), 0)::int as gained, coalesce(sum(lost), 0)::int as lost
    from subscriber_changes where commune_id = ${communeId}`.execute(db)
  return [rows[0]?.gained, rows[0]?.lost]
}
const reached = async (communeId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from resident_choices ch join resident_subscribers s on s.id = ch.subscriber_id
    where ch.commune_id = ${communeId} and ch.confirmed_at is not null and s.is_proven`.execute(db)
  return rows[0]?.count
}

test('who confirms is gained once, who leaves is lost, and who only asks or changes is neither', async () => {
  const { id } = await world.commune()
  const [kept] = await subscribe(1, [(await world.commune()).id], 'all', 'lea')
  const token = kept?.token ?? ''
  await askToSubscribe(tools, 'lea-0@example.org', { id, isGroup: false }, choice)
  expect(await countsOf(id)).toEqual([0, 0])
  await confirmChoice(db, addresses, token, id)
  await confirmChoice(db, addresses, token, id)
  await saveChoices(db, kept?.id ?? '', [{ ...choice, place_id: id, alertes: 'urgent' }])
  await askToSubscribe(tools, 'lea-0@example.org', { id, isGroup: false }, choice)
  expect(await countsOf(id)).toEqual([1, 0])
  await leave(db, addresses, token, [id])
  expect(await countsOf(id)).toEqual([1, 1])
})

test('who never confirms is neither gained nor lost', async () => {
  const { id } = await world.commune()
  await askToSubscribe(tools, 'never@example.org', { id, isGroup: false }, choice)
  await sql`update resident_choices set asked_at = now() - interval '3 days' where commune_id = ${id}`.execute(
    db,
  )
  await deleteUnconfirmed(db, 100)
  expect(await countsOf(id)).toEqual([0, 0])
})

test('a browser counts from its proof on, for each of its communes', async () => {
  const communes = [(await world.commune()).id, (await world.commune()).id]
  const kept = await subscribe(2, [], 'all', 'browser')
  await sql`update resident_subscribers set is_proven = false where id = any(${kept.map(({ id }) => id)})`.execute(
    db,
  )
  await sql`
    insert into resident_choices (subscriber_id, commune_id, alertes, confirmed_at)
    select s, c, 'all', now() from unnest(${kept.map(({ id }) => id)}::uuid[]) s, unnest(${communes}::uuid[]) c`.execute(
    db,
  )
  await sql`update resident_subscribers set is_proven = true where id = ${kept[0]?.id}`.execute(db)
  await sql`update resident_subscribers set is_proven = true where id = ${kept[0]?.id}`.execute(db)
  await sql`delete from resident_subscribers where id = ${kept[1]?.id}`.execute(db)
  for (const id of communes) expect(await countsOf(id)).toEqual([1, 0])
})

test('whoever is deleted is lost once for each commune, whether choices or the address go first', async () => {
  const [one, other] = [await world.commune(), await world.commune()]
  const kept = await subscribe(5, [one.id, other.id], 'all', 'gone')
  await sql`delete from resident_subscribers where id = any(${kept.slice(0, 2).map(({ id }) => id)})`.execute(
    db,
  )
  await leave(db, addresses, kept[2]?.token ?? '', null)
  await leave(db, addresses, kept[3]?.token ?? '', [one.id])
  expect(await countsOf(one.id)).toEqual([5, 4])
  expect(await countsOf(other.id)).toEqual([5, 3])
  expect([await reached(one.id), await reached(other.id)]).toEqual([1, 2])
})

test('a commune with subscribers can be deleted', async () => {
  const { id } = await world.commune()
  await subscribe(2, [id], 'all', 'moved')
  await sql`delete from communes where id = ${id}`.execute(db)
  expect(await reached(id)).toBe(0)
})

test('a change waits for no other of the same commune and month', async () => {
  const { id } = await world.commune()
  const kept = await subscribe(2, [id], 'all', 'both')
  const first = await db.startTransaction().execute()
  await sql`delete from resident_subscribers where id = ${kept[0]?.id}`.execute(first)
  // Ends although the other has not committed.
  await leave(db, addresses, kept[1]?.token ?? '', null)
  expect(await countsOf(id)).toEqual([2, 1])
  await first.commit().execute()
  expect(await countsOf(id)).toEqual([2, 2])
})

test('adding up leaves one row of a month with the same numbers, and rows of others alone', async () => {
  const { id } = await world.commune()
  const kept = await subscribe(3, [id], 'all', 'sum')
  for (const { token } of kept) await leave(db, addresses, token, null)
  await sql`
    insert into subscriber_changes (commune_id, month, gained) values (${id}, '2026-01-01', 7)`.execute(db)
  while ((await addUpChanges(db, 2)) === 2);
  expect(await countsOf(id)).toEqual([10, 3])
  const { rows } = await sql`
    select gained, lost from subscriber_changes where commune_id = ${id} order by month`.execute(db)
  expect(rows).toEqual([
    { gained: 7, lost: 0 },
    { gained: 3, lost: 3 },
  ])
  expect(await addUpChanges(db, 2)).toBe(0)
})

test('GET /mairie/communes/{communeId}/reach returns 200 with the months since the counting began, at most twelve', async () => {
  const { commune, secretary } = await openMairie(world)
  const changes = async () => (await secretary.get(`/mairie/communes/${commune.id}/reach`)).body.data.changes
  const monthsOf = async () => (await changes()).months.map(({ month }: { month: string }) => month)
  await subscribe(2, [commune.id], 'all', 'months')
  const { rows } = await sql<{ present: string; before: string; last: string }>`
    select to_char(at, 'YYYY-MM') as present, to_char(at - interval '1 month', 'YYYY-MM') as before,
      to_char(at - interval '11 months', 'YYYY-MM') as last
    from (select date_trunc('month', now() at time zone 'Europe/Paris') as at) m`.execute(db)
  const { present = '', before = '', last = '' } = rows[0] ?? {}
  await sql`
    insert into subscriber_changes (commune_id, month, gained, lost)
    values (${commune.id}, ${`${before}-01`}, 5, 1)`.execute(db)
  // Before the counting: unknown.
  expect(await changes()).toMatchObject({ months: [{ month: present, gained: 2, lost: 0 }] })
  await sql`update subscriber_counting set since = ${`${before}-15T12:00:00Z`}`.execute(db)
  expect(await changes()).toEqual({
    since: `${before}-15`,
    months: [
      { month: present, gained: 2, lost: 0 },
      { month: before, gained: 5, lost: 1 },
    ],
  })
  await sql`update subscriber_counting set since = '2020-01-01'`.execute(db)
  expect([(await monthsOf()).length, (await monthsOf()).at(-1)]).toEqual([12, last])
})
