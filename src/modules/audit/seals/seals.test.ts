import { sql } from 'kysely'
import pg from 'pg'
import { Registry } from 'prom-client'
import { beforeAll, expect, test, vi } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { operator } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { onConnection } from '../../../platform/database/connections/on-connection.ts'
import { whileConnected } from '../../../platform/database/connections/while-connected.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { sealHandlers, sealSchedules } from './jobs.ts'
import { watchSeals } from './metrics.ts'
import { findLastSeal, findUnsealedAge } from './queries.ts'
import { createSealer } from './rules.ts'
import { sealKey } from './seal.ts'
import { sealSettings } from './settings.ts'
import { type Anchor, anchorOf, verifyAuditLog } from './verify.ts'

const { db, database, jobs, user } = await openWorld()
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
/** Every seal waits for transactions of other databases on the server too. */
const sealAll = (batch = 4, by: typeof key | (typeof key)[] = key) =>
  createSealer(db, [by].flat(), { batch })(signal, 120_000)

async function verify(on: Database = db, { keys = [key], anchors = [] as Anchor[] } = {}) {
  const faults: string[] = []
  const result = await verifyAuditLog(on, keys, anchors, (fault) => faults.push(fault))
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

/** Returns the faults found after the owner role runs this statement, then rolls it back. */
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

test('seals each entry once, in order, and verifies the log', async () => {
  expect(await verify()).toEqual([])
  expect(await findLastSeal(db)).toMatchObject({ number: 3, total: 10 })
  expect(await findUnsealedAge(db, [key.id])).toBe(0)
  expect(await sealAll()).toBeNull()
  await record()
  // The time of an entry is rounded to the millisecond, so it may lie just ahead.
  await vi.waitFor(async () => expect(await findUnsealedAge(db, [key.id])).toBeGreaterThan(0), 60_000)
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
  ['acteur_id', 'gen_random_uuid()'],
])('reports an entry whose %s was edited (%s)', async (column, value) => {
  const [, , third] = await rows()
  expect(await tampered(`update audit_log set ${column} = ${value} where seq = ${third?.seq}`)).toEqual([
    `row ${third?.id}: edited (position ${third?.seq})`,
  ])
})

test('each column of the audit log is sealed, so a new column must be sealed too', async () => {
  const { rows: columns } = await run(
    database.owner,
    "select attname from pg_attribute where attrelid = 'audit_log'::regclass and attnum > 0 and not attisdropped",
  )
  const sealed = [
    ...[
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
    ],
    ...['acteur_id', 'seq'],
  ]
  expect(columns.map(({ attname }) => attname).sort()).toEqual(sealed.sort())
})

test('reports a deleted entry', async () => {
  const [first, , , fourth] = await rows()
  expect(await tampered(`delete from audit_log where id in ('${first?.id}', '${fourth?.id}')`)).toEqual([
    `row ${first?.id}: removed (seal 1)`,
    `row ${fourth?.id}: removed (seal 1)`,
  ])
})

test('reports entries that swapped positions, within a seal and across two', async () => {
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
    `row ${all[5]?.id}: inserted (position ${all[1]?.seq})`,
    `row ${all[1]?.id}: removed (seal 1)`,
    `row ${all[1]?.id}: inserted (position ${all[5]?.seq})`,
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
])('reports a row that is inserted %s', async (_where, position, before) => {
  const id = uuidv7()
  const [, second] = await rows()
  const faults =
    await tampered(`create temp table one on commit drop as select seq from audit_log where id = '${second?.id}';
    ${before}; insert into audit_log (id, seq, action, entity, entity_id)
    values ('${id}', (${position})::bigint, 'test.made-up', 'test', 'x')`)
  expect(faults).toContainEqual(expect.stringMatching(`row ${id}: inserted`))
})

test('reports a second entry with the same id', async () => {
  const [first] = await rows()
  const faults =
    await tampered(`alter table audit_log drop constraint audit_log_pkey; drop index audit_log_by_seq;
    insert into audit_log select * from audit_log where id = '${first?.id}'`)
  expect(faults).toEqual([`row ${first?.id}: inserted (position ${first?.seq})`])
})

test('reports seals that were edited, deleted or restarted', async () => {
  const seals = 'update audit_seals set'
  expect(await tampered(`${seals} sealed_at = now() where number = 2`)).toEqual([
    expect.stringMatching(
      /^seal 2: edited or forged; the entries at positions \d+ to \d+ cannot be verified$/,
    ),
  ])
  expect(await tampered(`${seals} mac = sha256('') where number = 2`)).toEqual([
    expect.stringMatching(/^seal 2: edited or forged/),
    'seal 3: does not follow from the one before it',
  ])
  const [first] = await rows()
  const forgetRow = `delete from audit_log where id = '${first?.id}';
    ${seals} entries = substring(entries from 33) where number = 1`
  expect(await tampered(forgetRow)).toEqual([expect.stringMatching(/^seal 1: edited or forged/)])
  expect(await tampered('delete from audit_seals where number = 2')).toEqual([
    expect.stringMatching(/^seal 2: removed, with rows of position \d+ to \d+$/),
  ])
  expect(await tampered('delete from audit_seals where number = 1')).toEqual([
    expect.stringMatching(/^seal 1: removed/),
  ])
})

test('the anchor reveals a truncated log, with or without its entries', async () => {
  const anchors = await lastAnchor()
  const cut = 'delete from audit_seals where number > 2'
  const rowsToo = `delete from audit_log where seq > (select last_seq from audit_seals where number = 2); ${cut}`
  expect(await tampered(rowsToo)).toEqual([])
  expect(await tampered(rowsToo, { anchors })).toEqual([
    expect.stringMatching(/^seals 3 to 4: truncated; 0 of 3 entries at positions \d+ to \d+ still exist/),
  ])
  expect(await tampered(cut, { anchors })).toEqual([
    expect.stringMatching(/; 3 of 3 entries at .* still exist, but no seal covers them$/),
  ])
  expect(await tampered('delete from audit_log; delete from audit_seals', { anchors })).toHaveLength(1)
})

test('the anchor reveals a log that was sealed again after tampering', async () => {
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
  // Done by the service, which cannot detect it.
  await sealAll(100)
  expect(await verify()).toEqual([])
  expect(await verify(db, { anchors })).toEqual([
    'seal 4: truncated; its entries were sealed again after the anchor',
  ])
  await record()
  await sealAll(100)
  expect(await verify(db, { anchors })).toEqual([
    'seal 4: differs from the anchor; its entries were sealed again later',
  ])
})

test('seals nothing above a running transaction, and its entries keep their position', async () => {
  await sealAll()
  const before = await findLastSeal(db)
  const held = await db.startTransaction().execute()
  await record(held)
  // An entry is sent without waiting for PostgreSQL; this statement waits for it.
  await sql`select`.execute(held)
  await record()
  const seal = createSealer(db, [key])
  expect(await seal(signal, 0)).toBeNull()
  expect(await seal(signal, 200)).toBeNull()
  expect(await findLastSeal(db)).toEqual(before)
  await held.commit().execute()
  expect(await seal(signal, 120_000)).toMatchObject({ total: (before?.total ?? 0) + 2 })
  expect(await verify()).toEqual([])
})

test('with concurrent writers and sealers each entry is sealed exactly once', async () => {
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
      const seal = createSealer(db, [key], { batch: 3 })
      for (let n = 0; n < 5; n++) await seal(signal, 1_000)
    })
    await Promise.all([...writers, ...sealers])
    await sealAll()
    expect(await verify()).toEqual([])
    const { rows: count } = await run(database.owner, 'select count(*)::int as n from audit_log')
    expect((await findLastSeal(db))?.total).toBe(count[0].n)
  }
})

test('after a rotation the new key seals and the old one verifies; a return to it is reported', async () => {
  const newer = sealKey('another key of the tests, as long as it must be')
  await record()
  await sealAll(4, [newer, key])
  expect(await verify(db, { keys: [newer, key] })).toEqual([])
  const last = await findLastSeal(db)
  expect(await verify(db, { keys: [key] })).toEqual([
    `seal ${last?.number}: AUDIT_KEY does not name its key, ${newer.id}`,
  ])
  await record()
  // As on an instance with its keys in the wrong order.
  await sealAll(4, [key, newer])
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

test('an entry takes the position PostgreSQL assigns, whichever role inserts it', async () => {
  for (const connection of [database.service, database.owner]) {
    const id = uuidv7()
    await run(
      connection,
      `insert into audit_log (id, seq, action, entity, entity_id) values ('${id}', 1, 'test.placed', 'test', 'x')`,
    )
    expect((await rows()).at(-1)?.id).toBe(id)
  }
})

test('the job seals and logs it; an instance without a key takes no seal jobs and keeps the schedule', async () => {
  const logged: object[] = []
  const log = { info: (about: object) => logged.push(about) }
  const configOf = (keys: unknown[]) => ({ modules: new Map([[sealSettings.name, { keys }]]) }) as never
  const handlers = (keys: unknown[]) => sealHandlers({ db, log, jobs, config: configOf(keys) } as never)
  const perform = async (keys: unknown[]) => {
    for (const handler of handlers(keys)) await handler.perform({}, { id: 'job', attempt: 1, signal })
  }
  await record()
  expect(handlers([])).toEqual([])
  expect(sealSchedules(configOf([]))).toMatchObject([{ ofOthers: true }])
  expect(sealSchedules(configOf([key]))[0]).not.toHaveProperty('ofOthers')
  await vi.waitFor(async () => {
    await perform([key])
    expect(logged).toMatchObject([{ seal: (await findLastSeal(db))?.number, mac: expect.any(String) }])
  }, 120_000)
})

/** A seal that the service role can forge: a valid form with a wrong MAC. */
const forge = (values: Record<string, string> = {}) => {
  const seal = {
    number: '(select max(number) + 1 from audit_seals)',
    last_seq: '(select max(seq) from audit_log)',
    key_id: `'${key.id}'`,
    ...values,
  }
  return run(
    database.service,
    `insert into audit_seals (number, sealed_at, key_id, after_seq, last_seq, total, entries, previous, mac)
     select ${seal.number}, now(), ${seal.key_id}, (select max(last_seq) from audit_seals), ${seal.last_seq}, 1,
       decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')`,
  )
}

test.each([
  ['beyond the log', { last_seq: '9000000000000' }, /a seal ends within the audit log/],
  ['with a number far ahead', { number: '9223372036854775807' }, /a seal takes the next number/],
])('a seal %s is refused by the database', async (_where, values, refusal) => {
  await record()
  await expect(forge(values)).rejects.toThrow(refusal)
})

test('a forged seal is detected before the next one: it is reported once, and its entries are sealed again', async () => {
  await user({ roles: ['admin'], email: 'chef@example.org', issuer: 'parvis' })
  // With all keys of the previous tests: their seals are valid.
  const keys = [key, sealKey('another key of the tests, as long as it must be')]
  const config = { modules: new Map([[sealSettings.name, { keys }]]) }
  const errors: object[] = []
  const log = { info: () => {}, error: (about: object) => errors.push(about) }
  const perform = async () => {
    for (const handler of sealHandlers({ db, log, jobs, config } as never))
      await handler.perform({}, { id: 'job', attempt: 1, signal })
  }
  const noted = async () =>
    (await db.selectFrom('audit_seal_faults').select(['number', 'reason']).execute()) as object[]
  const mails = async () =>
    (await sql`select from pgboss.job where name = 'users.mail-administrator'`.execute(db)).rows.length
  const isSealed = async () =>
    expect(
      await findUnsealedAge(
        db,
        keys.map(({ id }) => id),
      ),
    ).toBe(0)
  const sealAgain = async () => {
    await perform()
    await isSealed()
  }
  await vi.waitFor(sealAgain, 120_000)
  const before = await verify(db, { keys })
  const good = await findLastSeal(db)
  await record()
  await forge()
  const forged = (good?.number ?? 0) + 1
  await vi.waitFor(sealAgain, 120_000)
  expect(await noted()).toEqual([{ number: forged, reason: 'altered' }])
  expect(errors).toEqual([{ faults: [{ number: forged, reason: 'altered' }] }])
  expect(await mails()).toBe(1)
  expect(await findLastSeal(db)).toMatchObject({ number: forged + 1, after_seq: good?.last_seq })
  await record()
  await vi.waitFor(sealAgain, 120_000)
  expect(errors).toHaveLength(1)
  expect((await verify(db, { keys })).filter((fault) => !before.includes(fault))).toEqual([
    `seal ${forged}: does not follow from the one before it`,
    expect.stringMatching(
      `^seal ${forged}: edited or forged; seal ${forged + 1} covers the entries at positions \\d+ to \\d+$`,
    ),
  ])
  const registry = new Registry()
  watchSeals(registry, { reads: db, config, log } as never)
  expect(await registry.metrics()).toContain('audit_seal_faults 1')
})

test('a seal with an unknown key is skipped, later reported, and its entries are sealed again', async () => {
  const keys = [key, sealKey('another key of the tests, as long as it must be')]
  const found: object[] = []
  const seal = createSealer(db, keys, { report: async (_tx, faults) => void found.push(...faults) })
  await record()
  const good = await findLastSeal(db)
  await forge({ key_id: "'00000000'" })
  // It may come from another instance with a newer key.
  expect(await seal(signal, 120_000)).toBeNull()
  expect(found).toEqual([])
  const owner = (set: string) =>
    run(
      database.owner,
      `begin; alter table audit_log disable trigger user; ${set}; alter table audit_log enable trigger user; commit`,
    )
  await owner(`update audit_log set at = at - interval '16 minutes' where seq > ${good?.last_seq}`)
  expect(await seal(signal, 120_000)).toMatchObject({ number: (good?.number ?? 0) + 2 })
  expect(found).toEqual([{ number: (good?.number ?? 0) + 1, reason: 'unknown_key' }])
})
