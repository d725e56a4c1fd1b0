import { expect, test } from 'vitest'
import {
  explain,
  gatherStatistics,
  readWhole,
  visitedBy,
  watch,
  withParts,
} from '../../../test/support/plans.ts'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { giveUpMails } from '../../platform/mail/row-mails.ts'
import { countUncertain } from '../mails/queries.ts'
import { replyMails } from './replying/jobs.ts'

const world = await openWorld()
const { as, database } = world
const support = await as('support')
const count = process.env.PARVIS_TEST_LONG ? 200_000 : 40_000
const big = '0199c9a3-0000-7000-8000-000000000001'
const handler = (await world.user({ roles: ['support'] })).id
await insertMany()
await gatherStatistics(database, ['support_threads', 'support_messages'])

/** One in forty is unread, one in a hundred flagged, one in twenty open; one has a thousand messages. */
async function insertMany() {
  await run(
    database.owner,
    `insert into support_threads (id, subject, nom, email, status, closed_at, unread, flag, assignee_id, said, last_message_at, created_at)
     select ('0199c9a3-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Demande ' || n, 'Odile ' || n,
       'p' || n || '@example.org', case when n % 20 = 0 then 'open' else 'closed' end,
       case when n % 20 <> 0 then now() end, n % 40 = 0,
       case when n % 100 = 0 then (array['red', 'blue'])[1 + n % 200 / 100] end,
       case when n % 30 = 0 then '${handler}'::uuid end,
       to_tsvector('simple', 'bonjour mot' || n), now() - n * interval '1 minute', now() - n * interval '2 minutes'
     from generate_series(1, ${count}) n;
     insert into support_messages (id, thread_id, direction, body, message_id, created_at)
     select gen_random_uuid(), case when n % 40 = 0 then '${big}'::uuid
         else ('0199c9a3-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid end,
       'inbound', 'Bonjour', '<x@y>', now() - n * interval '1 minute'
     from generate_series(1, ${count}) n;`,
  )
}

const statementsOf = (path: string) =>
  statementsAbout(/support_/, async () => {
    expect((await support.get(`/admin/messages/threads${path}`)).status).toBe(200)
  })

test.each([
  '',
  'page=400',
  'status=open',
  'status=closed',
  'status=open,closed',
  'unread=true',
  'unread=false&status=open',
  'flag=red',
  'flag=red,blue',
  'flag=none',
  'flag=red,none',
  `assignee=${handler}`,
  `assignee=none,${handler}`,
  'assignee=none',
  `assignee=${handler}&status=open`,
  `about=${handler}`,
  'q=odile%20777',
  'q=mot77',
  'q=bonjour',
  'q=p1234@',
  'q=nowhere',
  `ids=${big}`,
  ...['last_message_at_asc', 'created_at_desc', 'created_at_asc'].map((sort) => `sort=${sort}`),
  'sort=created_at_asc&status=open',
  'sort=created_at_desc&flag=blue',
  'sort=last_message_at_asc&unread=true',
])('the list of threads reads indexes, never all threads: %s', async (query) => {
  const statements = await statementsOf(`?${query}`)
  expect(statements).toHaveLength(3)
  for (const statement of statements) expect(readWhole(await explain(world.pool, statement))).toEqual([])
})

test('a page of a long thread reads only its own rows and those before it', async () => {
  for (const page of [1, 3]) {
    const statements = await statementsOf(`/${big}/messages?per_page=20&page=${page}`)
    expect(statements).toHaveLength(2)
    const [list] = statements.filter(({ sql }) => sql.includes('limit'))
    const steps = await explain(world.pool, list ?? expect.fail('it reads no messages'))
    expect(readWhole(steps)).not.toContain('support_messages')
    expect(Math.max(...steps.map(visitedBy))).toBeLessThanOrEqual(20 * page + 1)
  }
})

test('finds unfinished mails by an index among many messages', async () => {
  const { db, statements } = watch(world.pool)
  await giveUpMails(db, replyMails)
  await countUncertain(db, [replyMails])
  expect(statements).toHaveLength(2)
  for (const { sql, parameters } of statements) {
    const { rows } = await world.pool.query(`explain (format json) ${sql}`, [...parameters])
    expect(readWhole(withParts(rows[0]['QUERY PLAN'][0].Plan)), sql).toEqual([])
  }
})

test('a page of a hundred threads needs as many statements as a page of one', async () => {
  for (const query of ['per_page=1', 'per_page=100']) expect(await statementsOf(`?${query}`)).toHaveLength(3)
})
