import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import type { Database } from '../../platform/database/connect.ts'
import { insertAct, insertPublished } from './acts.test-kit.ts'
import { appendSeal, recordOf } from './chain.ts'
import { type ActRow, getPublisher, updateAct } from './queries.ts'
import { listNewSeals } from './timestamps/queries.ts'

/** Plays a service that was taken over: SQL of its own role. */
const world = await openWorld()
const { db, database } = world
const { hall } = await openMairie(world)
const stranger = await world.acteur({ type: 'mairie', valide: true })
const draft = (values: object = {}) => insertAct(db, { acteur_id: hall.id, ...values })
const transaction = (work: (tx: Database) => Promise<unknown>) => db.transaction().execute(work)
const refused = /with its seal|sets the moment/

/** Seals a record of a draft as somebody who computes the seal, with another moment. */
async function sealAt(tx: Database, act: ActRow, moment: RawBuilder<unknown>, fields: object = {}) {
  const publisher = await getPublisher(tx, hall.id)
  const record = JSON.parse(recordOf(act, { ...publisher, typedText: null }))
  const { rows } = await sql<{ at: Date }>`
    with last as (
      select coalesce(max(number), 0) as number,
        coalesce((select seal from act_seals order by number desc limit 1), decode(repeat('00', 32), 'hex')) as previous
      from act_seals),
    moment as (select (${moment})::timestamptz(3) as at),
    made as (select at, (${JSON.stringify({ ...record, ...fields })}::jsonb || jsonb_build_object('published_at',
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text as record from moment)
    insert into act_seals (number, act_id, sealed_at, record, digest, previous, seal)
    select number + 1, ${act.id}, at, record, sha256(convert_to(record, 'UTF8')), previous,
      sha256(previous || sha256(convert_to(record, 'UTF8')))
    from last, made returning sealed_at as at`.execute(tx)
  const at = rows[0]?.at ?? new Date(0)
  const publication = { state: 'published' as const, published_at: at, published_by: hall.id }
  return { ...publication, commune_ids: publisher.communes.map(({ id }) => id) }
}

const monthsAgo = new Date(Date.now() - 93 * 86_400_000)
/** The last seal, until an act is published now. */
const old = await insertPublished(db, { acteur_id: hall.id, title: 'Ancien' }, monthsAgo)

test.each([
  ['five days ago', sql`now() - interval '5 days'`],
  ['at the moment of the last seal', sql`(select max(sealed_at) from act_seals)`],
  ['in the future', sql`now() + interval '1 day'`],
])('the service’s role publishes no act %s', async (_name, moment) => {
  await expect(
    transaction(async (tx) => {
      const act = await insertAct(tx, { acteur_id: hall.id })
      await updateAct(tx, act.id, await sealAt(tx, act, moment))
    }),
  ).rejects.toThrow(refused)
})

test('a moment that it states for a seal of the database is not kept, nor another one in the record', async () => {
  const act = await draft()
  const record = recordOf(act, { ...(await getPublisher(db, hall.id)), typedText: null })
  const rolledBack = transaction(async (tx) => {
    const { at } = await appendSeal(tx, { actId: act.id, record, at: monthsAgo })
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(600_000)
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  const dated = record.replace('"published_at":null', `"published_at":"${monthsAgo.toISOString()}"`)
  await expect(appendSeal(db, { actId: act.id, record: dated })).rejects.toThrow('names the moment')
})

test('nothing is sealed as a draft, to be published later', async () => {
  const act = await draft()
  const record = recordOf(act, { ...(await getPublisher(db, hall.id)), typedText: null })
  await expect(appendSeal(db, { actId: act.id, record })).rejects.toThrow('published with its seal')
})

test.each([
  ['title', { title: 'Autre' }],
  ['mairie', { acteur: { id: stranger.id, nom: 'x' } }],
  ['communes', { communes: [] }],
  ['file', { sha256: '0'.repeat(64) }],
  ['author', { author_name: 'Autre' }],
  ['text', { text_sha256: '0'.repeat(64) }],
])('an act is published with its own record: not with another %s', async (_name, fields) => {
  await expect(
    transaction(async (tx) => {
      const act = await insertAct(tx, { acteur_id: hall.id })
      await updateAct(tx, act.id, await sealAt(tx, act, sql`clock_timestamp()`, fields))
    }),
  ).rejects.toThrow('published with its seal')
})

test('an instance of the version before, which states the moment and the seal, publishes', async () => {
  const act = await draft({ title: 'Version d’avant' })
  await transaction(async (tx) => {
    await updateAct(tx, act.id, await sealAt(tx, act, sql`date_trunc('milliseconds', clock_timestamp())`))
  })
  const { rows } = await sql<{ state: string }>`select state from acts where id = ${act.id}`.execute(db)
  expect(rows).toEqual([{ state: 'published' }])
})

test('the chain only grows in time', async () => {
  const { rows } = await sql<{ inOrder: boolean }>`
    select bool_and(sealed_at >= before) as "inOrder" from (
      select sealed_at, lag(sealed_at, 1, '-infinity') over (order by number) as before from act_seals) links`.execute(
    db,
  )
  expect(rows).toEqual([{ inOrder: true }])
})

const young = await insertPublished(
  db,
  { acteur_id: hall.id, title: 'Récent' },
  new Date(monthsAgo.getTime() + 1_000),
)
const is = (act: ActRow) => `where id = '${act.id}'`

test.each<[string, string]>([
  [
    'that begins as published',
    `insert into acts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'sha256', repeat('0', 64)))).* from acts a ${is(old)}`,
  ],
  ['superseded by itself', `update acts set state = 'superseded', superseded_by = id ${is(old)}`],
  [
    'superseded by another one',
    `update acts set state = 'superseded', superseded_by = '${young.id}' ${is(old)}`,
  ],
  [
    'archived with a successor',
    `update acts set state = 'archived', archived_at = now(), superseded_by = '${young.id}' ${is(old)}`,
  ],
  [
    'occulted as archived',
    `update acts set state = 'occulted', occulted_at = now(), occulted_reason = 'x', archived_at = now() ${is(old)}`,
  ],
  [
    'moved by a temporary table',
    `create temp table acteurs (id uuid, merged_into uuid);
    insert into pg_temp.acteurs values ('${hall.id}', '${stranger.id}');
    update acts set acteur_id = '${stranger.id}' ${is(old)}`,
  ],
])('the service’s role makes no act %s', async (_name, statement) => {
  await expect(run(database.service, statement)).rejects.toThrow(
    /with its seal|does not change|superseded by|stays/,
  )
})

test('the database sets when an act was archived or occulted', async () => {
  await run(
    database.service,
    `update acts set state = 'archived', archived_at = now() + interval '9 years' ${is(old)}`,
  )
  await run(
    database.service,
    `update acts set state = 'occulted', occulted_reason = 'x', occulted_at = now() - interval '9 years' ${is(young)}`,
  )
  const { rows } = await run(
    database.service,
    `select max(abs(extract(epoch from coalesce(archived_at, occulted_at) - now())))::float8 as seconds
     from acts where id in ('${old.id}', '${young.id}')`,
  )
  expect(rows[0].seconds).toBeLessThan(600)
})

test('the service’s role deletes, replaces and invents no timestamp', async () => {
  await listNewSeals(db, new Date())
  const one = (sealed: string, at: string) =>
    `with pem as (insert into act_authorities values (sha256('x'), 'x') on conflict do nothing)
     update act_timestamps t set reply = ${sealed}, at = ${at}, authority = 'x', authority_digest = sha256('x')
     from act_seals s where s.number = t.number`
  for (const statement of [
    one(`'x'`, 'now()'),
    one('s.seal', `now() + interval '1 day'`),
    one('s.seal', `s.sealed_at - interval '1 day'`),
    `update act_timestamps set next_at = now() + interval '1 year'`,
    `insert into act_timestamps (number, next_at) values (1, now() + interval '1 year')`,
    'delete from act_timestamps',
  ])
    await expect(run(database.service, statement)).rejects.toThrow(/timestamp|permission denied/)
  await run(database.service, one('s.seal', 'now()'))
  for (const statement of ['delete from act_timestamps', one('s.seal', 'now()')])
    await expect(run(database.service, statement)).rejects.toThrow(/timestamp|permission denied/)
})

test('the service’s role has no right to delete timestamps or to change authorities, even without triggers', async () => {
  const { rows } = await run(
    database.service,
    `select has_table_privilege('act_timestamps', 'delete') as delete_timestamp,
      has_table_privilege('act_authorities', 'update') as update_authority,
      has_table_privilege('act_authorities', 'delete') as delete_authority`,
  )
  expect(rows).toEqual([{ delete_timestamp: false, update_authority: false, delete_authority: false }])
})
