import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { operator } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { onConnection } from '../../../platform/database/connections/on-connection.ts'
import { whileConnected } from '../../../platform/database/connections/while-connected.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { sealHandler } from './jobs.ts'
import { findLastSeal, findUnsealedAge } from './queries.ts'
import { createSealer } from './rules.ts'
import { sealKey } from './seal.ts'
import { sealSettings } from './settings.ts'
import { type Anchor, anchorOf, verifyTrail } from './verify.ts'

const { db, database } = await openWorld()
const key = sealKey('the key of the tests: long enough to be one')
const { signal } = new AbortController()
const rounds = process.env.PARVIS_TEST_LONG === '1' ? 40 : 4

const record = (tx: Database = db) =>
  recordAudit(tx, operator, {
    action: 'test.noted',
    kind: { entity: 'test', personal: [] },
    entityId: uuidv7(),
    before: { count: 1, text: 'é "quoted"' },
    after: { count: 2.5, text: null },
  })
/** Other databases of the server have transactions too, which every seal waits for. */
const sealAll = (batch = 4, by = key) => createSealer(db, by, batch)(signal, 120_000)

async function verify(on: Database = db, { keys = [key], anchors = [] as Anchor[] } = {}) {
  const faults: string[] = []
  const result = await verifyTrail(on, keys, anchors, (fault) => faults.push(fault))
  expect(result.faults).toBe(faults.length)
  return faults
}

const rows = async () =>
  (await db.selectFrom('audit_log').select(['id', 'seq']).orderBy('seq').execute()) as unknown as {
    id: string
    seq: number
  }[]
const lastAnchor = async () => {
  const last = await findLastSeal(db)
  return last === null ? [] : [anchorOf(last)]
}

/** What is found when somebody with the owner's rights does this; it is taken back afterwards. */
async function tampered(statement: string, options: Parameters<typeof verify>[1] = {}) {
  const client = new pg.Client(database.owner)
  return whileConnected(client, async () => {
    await client.connect()
    await client.query('begin')
    await client.query(
      'alter table audit_log disable trigger user; alter table audit_seals disable trigger user',
    )
    await client.query(statement)
    const faults = await verify(onConnection(client), options)
    await client.query('rollback')
    return faults
  }).finally(() => client.end())
}

beforeAll(async () => {
  for (let n = 0; n < 10; n++) await record()
  await sealAll()
})

test('each row is sealed once, in order, and the trail is as it was sealed', async () => {
  expect(await verify()).toEqual([])
  expect(await findLastSeal(db)).toMatchObject({ number: 3, total: 10 })
  expect(await findUnsealedAge(db)).toBe(0)
  expect(await sealAll()).toBeNull()
  await record()
  expect(await findUnsealedAge(db)).toBeGreaterThan(0)
  expect(await sealAll()).toMatchObject({ number: 4, total: 11 })
  expect(await verify(db, { anchors: await lastAnchor() })).toEqual([])
})

test.each([
  ['action', "'test.other'"],
  ['user_id', 'gen_random_uuid()'],
  ['entity', "'other'"],
  ['entity_id', "'other'"],
  ['at', "at - interval '1 millisecond'"],
  ['before', `'{"count": 1}'`],
  ['before', 'null'],
  ['after', `'{"count": 2.50, "text": null}'`],
  ['app_source', "'public'"],
  ['request_id', "''"],
])('a row whose %s is edited (%s) is named', async (column, value) => {
  const [, , third] = await rows()
  expect(await tampered(`update audit_log set ${column} = ${value} where seq = ${third?.seq}`)).toEqual([
    `row ${third?.id}: edited (place ${third?.seq})`,
  ])
})

test('each column of the trail is sealed: one that is added to it must be too', async () => {
  const { rows: columns } = await run(
    database.owner,
    "select attname from pg_attribute where attrelid = 'audit_log'::regclass and attnum > 0 and not attisdropped",
  )
  const sealed = [
    'id',
    'at',
    'user_id',
    'action',
    'entity',
    'entity_id',
    'before',
    'after',
    'app_source',
    'request_id',
    'seq',
  ]
  expect(columns.map(({ attname }) => attname).sort()).toEqual(sealed.sort())
})

test('a removed row is named', async () => {
  const [first, , , fourth] = await rows()
  expect(await tampered(`delete from audit_log where id in ('${first?.id}', '${fourth?.id}')`)).toEqual([
    `row ${first?.id}: removed (seal 1)`,
    `row ${fourth?.id}: removed (seal 1)`,
  ])
})

test('rows that change places are named, within a seal and across two', async () => {
  const all = await rows()
  const swap = (one: number, other: number) => {
    const [a, b] = [all[one], all[other]]
    return tampered(`update audit_log set seq = -1 where id = '${a?.id}';
      update audit_log set seq = ${a?.seq} where id = '${b?.id}'; update audit_log set seq = ${b?.seq} where id = '${a?.id}'`)
  }
  expect(await swap(1, 2)).toEqual([
    `row ${all[2]?.id}: reordered (seal 1)`,
    `row ${all[1]?.id}: reordered (seal 1)`,
  ])
  expect(await swap(1, 5)).toEqual([
    `row ${all[5]?.id}: inserted (place ${all[1]?.seq})`,
    `row ${all[1]?.id}: removed (seal 1)`,
    `row ${all[1]?.id}: inserted (place ${all[5]?.seq})`,
    `row ${all[5]?.id}: removed (seal 2)`,
  ])
})

test.each([
  [
    'between two rows',
    '(select (seq + 1)::text from one)',
    'delete from audit_log where seq = (select seq + 1 from one)',
  ],
  ['before the first', "'-5'", ''],
  ['in no place', 'null', 'alter table audit_log alter seq drop not null'],
])('a row that is inserted %s is named', async (_where, place, before) => {
  const id = uuidv7()
  const [, second] = await rows()
  const faults =
    await tampered(`create temp table one on commit drop as select seq from audit_log where id = '${second?.id}';
    ${before}; insert into audit_log (id, seq, action, entity, entity_id)
    values ('${id}', (${place})::bigint, 'test.made-up', 'test', 'x')`)
  expect(faults).toContainEqual(expect.stringMatching(`row ${id}: inserted`))
})

test('a second row of the same id is named, where somebody made that possible', async () => {
  const [first] = await rows()
  const faults =
    await tampered(`alter table audit_log drop constraint audit_log_pkey; drop index audit_log_by_seq;
    insert into audit_log select * from audit_log where id = '${first?.id}'`)
  expect(faults).toEqual([`row ${first?.id}: inserted (place ${first?.seq})`])
})

test('seals that are edited, removed, or begin anew are named', async () => {
  const seals = 'update audit_seals set'
  expect(await tampered(`${seals} sealed_at = now() where number = 2`)).toEqual([
    expect.stringMatching(/^seal 2: edited; what lies in places \d+ to \d+ cannot be vouched for$/),
  ])
  expect(await tampered(`${seals} mac = sha256('') where number = 2`)).toEqual([
    expect.stringMatching(/^seal 2: edited/),
    'seal 3: does not follow from the one before it',
  ])
  const [first] = await rows()
  const forgetRow = `delete from audit_log where id = '${first?.id}';
    ${seals} entries = substring(entries from 33) where number = 1`
  expect(await tampered(forgetRow)).toEqual([expect.stringMatching(/^seal 1: edited/)])
  expect(await tampered('delete from audit_seals where number = 2')).toEqual([
    expect.stringMatching(/^seal 2: removed, with rows of place \d+ to \d+$/),
  ])
  expect(await tampered('delete from audit_seals where number = 1')).toEqual([
    expect.stringMatching(/^seal 1: removed/),
  ])
})

test('a tail that is cut off is found by the anchor, with its rows or without them', async () => {
  const anchors = await lastAnchor()
  const cut = 'delete from audit_seals where number > 2'
  const rowsToo = `delete from audit_log where seq > (select last_seq from audit_seals where number = 2); ${cut}`
  expect(await tampered(rowsToo)).toEqual([])
  expect(await tampered(rowsToo, { anchors })).toEqual([
    expect.stringMatching(/^seals 3 to 4: cut off; of the 3 rows .*, in places \d+ to \d+, 0 are there/),
  ])
  expect(await tampered(cut, { anchors })).toEqual([
    expect.stringMatching(/, 3 are there, and nothing vouches/),
  ])
  expect(await tampered('delete from audit_log; delete from audit_seals', { anchors })).toHaveLength(1)
})

test('what was sealed anew after tampering is found by the anchor', async () => {
  const anchors = await lastAnchor()
  const client = new pg.Client(database.owner)
  await whileConnected(client, async () => {
    await client.connect()
    await client.query(
      'begin; alter table audit_log disable trigger user; alter table audit_seals disable trigger user',
    )
    await client.query(
      "delete from audit_seals where number > 2; update audit_log set action = 'test.forged' where seq = (select max(seq) from audit_log)",
    )
    await client.query(
      'alter table audit_log enable trigger user; alter table audit_seals enable trigger user; commit',
    )
  }).finally(() => client.end())
  // As the service does, which cannot know better.
  await sealAll(100)
  expect(await verify()).toEqual([])
  expect(await verify(db, { anchors })).toEqual([
    'seal 4: cut off; what is there was sealed anew since the anchor',
  ])
  await record()
  await sealAll(100)
  expect(await verify(db, { anchors })).toEqual([
    "seal 4: another than the anchor's; what it covers was sealed again since",
  ])
})

test('nothing is sealed above a transaction that runs, and its rows keep their place', async () => {
  await sealAll()
  const before = await findLastSeal(db)
  const held = await db.startTransaction().execute()
  await record(held)
  await record()
  const seal = createSealer(db, key)
  expect(await seal(signal, 0)).toBeNull()
  expect(await seal(signal, 200)).toBeNull()
  expect(await findLastSeal(db)).toEqual(before)
  await held.commit().execute()
  expect(await seal(signal, 120_000)).toMatchObject({ total: (before?.total ?? 0) + 2 })
  expect(await verify()).toEqual([])
})

test('while several write and several seal, each row is sealed, and once', async () => {
  for (let round = 0; round < rounds; round++) {
    const writers = Array.from({ length: 3 }, async () => {
      for (let n = 0; n < 10; n++) {
        await db
          .transaction()
          .execute(async (tx) => {
            for (let row = 0; row <= n % 3; row++) await record(tx)
            if (n % 4 === 3) throw new Error('rolled back')
          })
          .catch((error) => expect(error.message).toBe('rolled back'))
      }
    })
    const sealers = Array.from({ length: 2 }, async () => {
      const seal = createSealer(db, key, 3)
      for (let n = 0; n < 5; n++) await seal(signal, 1_000)
    })
    await Promise.all([...writers, ...sealers])
    await sealAll()
    expect(await verify()).toEqual([])
    const { rows: count } = await run(database.owner, 'select count(*)::int as n from audit_log')
    expect((await findLastSeal(db))?.total).toBe(count[0].n)
  }
})

test('a new key seals from then on, and the old one verifies what it sealed; going back is named', async () => {
  const newer = sealKey('another key of the tests, as long as it must be')
  await record()
  await sealAll(4, newer)
  expect(await verify(db, { keys: [newer, key] })).toEqual([])
  const last = await findLastSeal(db)
  expect(await verify(db, { keys: [key] })).toEqual([
    `seal ${last?.number}: AUDIT_KEY does not name its key, ${newer.id}`,
  ])
  await record()
  await sealAll(4, key)
  expect(await verify(db, { keys: [newer, key] })).toEqual([
    `seal ${(last?.number ?? 0) + 1}: made with an older key than the one before it`,
  ])
  const wrong = { ...key, ofRows: newer.ofRows, ofSeals: newer.ofSeals }
  expect((await verify(db, { keys: [newer, wrong] })).length).toBeGreaterThan(10)
})

test.each([
  ['update audit_seals set total = 0', 'service'],
  ['delete from audit_seals', 'service'],
  ['truncate audit_seals', 'service'],
  ["select setval('audit_log_seq', 1)", 'service'],
  ['update audit_seals set total = 0', 'owner'],
  ['delete from audit_seals', 'owner'],
  ['truncate audit_seals', 'owner'],
] as const)('seals are append-only: %s, as %s', async (statement, role) => {
  await expect(run(database[role], statement)).rejects.toThrow(/permission denied|append-only/)
})

test('a row takes the place that PostgreSQL gives it, whoever adds it', async () => {
  for (const connection of [database.service, database.owner]) {
    const id = uuidv7()
    await run(
      connection,
      `insert into audit_log (id, seq, action, entity, entity_id) values ('${id}', 1, 'test.placed', 'test', 'x')`,
    )
    expect((await rows()).at(-1)?.id).toBe(id)
  }
})

test('the job seals and tells the log of it; without a key it does nothing', async () => {
  const said: object[] = []
  const log = { info: (about: object) => said.push(about) }
  const perform = (keys: unknown[]) => {
    const config = { modules: new Map([[sealSettings.name, { keys }]]) }
    return sealHandler({ db, log, config } as never).perform({}, { id: 'job', attempt: 1, signal })
  }
  await record()
  await perform([])
  expect(said).toEqual([])
  await vi.waitFor(async () => {
    await perform([key])
    expect(said).toMatchObject([{ seal: (await findLastSeal(db))?.number, mac: expect.any(String) }])
  }, 120_000)
})
