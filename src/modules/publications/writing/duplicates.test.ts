import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../publications.test-kit.ts'
import { duplicateKey, normaliseUrl } from './duplicates.ts'

const world = await openWorld()

const base = {
  source_url: null,
  acteur_id: 'a',
  type_id: 't',
  title: 'Fête de la pomme',
  body: '<p>Un texte</p>',
  date_debut: '2026-10-03',
}

test('duplicateKey includes its reason and has the form the database requires', () => {
  expect(duplicateKey(base)).toMatch(/^s:[0-9a-f]{32}$/)
  expect(duplicateKey({ ...base, source_url: 'https://e.fr/a' })).toMatch(/^u:[0-9a-f]{32}$/)
})

test('the hours that an import puts first in the text are ignored', () => {
  const body = '<p>Le samedi 3 octobre, de 9 h à 12 h</p><p>Un texte</p>'
  expect(duplicateKey({ ...base, body })).toBe(duplicateKey(base))
  expect(duplicateKey({ ...base, body: '<p>Le samedi</p><p>Un texte</p>' })).not.toBe(duplicateKey(base))
})

test.each([
  'https://exemple.fr/a/?b=2&a=1',
  'http://www.exemple.fr/a?a=1&b=2',
  'HTTPS://EXEMPLE.fr:443/a?a=1&b=2#c',
  'https://exemple.fr./a?a=1&b=2',
  'https://exemple.fr:80/a?b=2&a=1',
  'http://exemple.fr:443/a?a=1&b=2',
  'http://exemple.fr:80/a?a=1&utm_source=x&b=2&fbclid=y&gclid=z&UTM_Medium=w',
])('same URL: %s', (url) => {
  expect(normaliseUrl(url)).toBe('exemple.fr/a?a=1&b=2')
})

test.each([
  'https://exemple.fr/A?a=1&b=2',
  'https://exemple.fr:8080/a?a=1&b=2',
  'https://autre.fr/a?a=1&b=2',
  'https://exemple.fr/a?a=2&b=2',
  'https://exemple.fr/a?b=2&a=1&a=0',
])('different URL: %s', (url) => expect(normaliseUrl(url)).not.toBe('exemple.fr/a?a=1&b=2'))

test.each([
  ['case and accents', { title: 'FETE DE LA POMME' }],
  ['punctuation and space', { title: '« Fête »  de la pomme !' }],
  ['markup', { body: 'Un <strong>texte</strong>' }],
  ['blocks', { body: 'Un<br />texte' }],
])('the signature is the same regardless of %s', (_name, values) => {
  expect(duplicateKey({ ...base, ...values })).toBe(duplicateKey(base))
})

test.each([
  ['acteur', { acteur_id: 'b' }],
  ['type', { type_id: null }],
  ['title', { title: 'Fête de la poire' }],
  ['first day', { date_debut: null }],
  ['body', { body: 'Un autre' }],
])('different signature with another %s', (_name, values) => {
  expect(duplicateKey({ ...base, ...values })).not.toBe(duplicateKey(base))
})

test('parameters with the same name keep their order, also with others between them', () => {
  expect(normaliseUrl('https://e.fr/?b=2&c=0&b=1')).toBe('e.fr?b=2&b=1&c=0')
  expect(normaliseUrl('https://e.fr/?b=1&b=2&c=0')).toBe('e.fr?b=1&b=2&c=0')
})

test('the 200th character of a body counts, the 201st does not', () => {
  const key = (body: string) => duplicateKey({ ...base, body })
  const beginning = 'é'.repeat(199)
  expect(key(`${beginning}a`)).not.toBe(key(`${beginning}b`))
  expect(key(`${beginning}ca`)).toBe(key(`${beginning}cb`))
})

test('the first 200 characters of a body count, without markup', () => {
  const long = 'mot '.repeat(60)
  expect(duplicateKey({ ...base, body: `${long} fin` })).toBe(
    duplicateKey({ ...base, body: `<p>${long}</p> autre` }),
  )
})

const groups = (...keys: string[]) =>
  world.db
    .selectFrom('duplicate_groups')
    .select(['duplicate_key', 'members'])
    .where('duplicate_key', 'in', keys)
    .orderBy('duplicate_key')
    .execute()

test('a group begins with its second member, and ends when one is left', async () => {
  const duplicate_key = `s:${'1'.repeat(32)}`
  await insertPublication(world, { duplicate_key })
  expect(await groups(duplicate_key)).toEqual([])
  const { id } = await insertPublication(world, { duplicate_key })
  const set = (deleted_at: Date | null) =>
    world.db.updateTable('publications').set({ deleted_at }).where('id', '=', id).execute()
  expect(await groups(duplicate_key)).toEqual([{ duplicate_key, members: 2 }])
  await set(new Date())
  expect(await groups(duplicate_key)).toEqual([])
  await set(null)
  expect(await groups(duplicate_key)).toEqual([{ duplicate_key, members: 2 }])
  await world.db.deleteFrom('publications').where('id', '=', id).execute()
  expect(await groups(duplicate_key)).toEqual([])
})

test('publications that are created concurrently find each other', async () => {
  const keys = Array.from({ length: 10 }, (_, n) => `s:${n.toString(16).repeat(31)}a`)
  await Promise.all(
    [...keys, ...keys, ...keys].map((duplicate_key) => insertPublication(world, { duplicate_key })),
  )
  expect(await groups(...keys)).toEqual(keys.map((duplicate_key) => ({ duplicate_key, members: 3 })))
})

test('one statement changes more groups than a transaction can lock one by one', async () => {
  const key = (n: number) => `s:${'d'.repeat(28)}${n.toString(16).padStart(4, '0')}`
  const rows = Array.from({ length: 1_100 }, (_, n) => ({
    id: uuidv7(),
    slug: `many-${n}`,
    title: 'Une',
    body: 'Texte',
    duplicate_key: key(n >> 1),
  }))
  const inserted = sql`
    insert into publications (id, slug, title, body, duplicate_key)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, slug text, title text, body text, duplicate_key text)`
  await inserted.execute(world.db)
  expect(await groups(key(0), key(549))).toHaveLength(2)
  await sql`update publications set deleted_at = now() where slug like 'many-%' and duplicate_key <> ${key(7)}`.execute(
    world.db,
  )
  expect(await groups(key(0), key(7), key(549))).toEqual([{ duplicate_key: key(7), members: 2 }])
})

test('a statement with more than a thousand keys makes those wait that change the same groups, and nobody else', async () => {
  const key = (n: number) => `s:${'e'.repeat(28)}${n.toString(16).padStart(4, '0')}`
  const client = new pg.Client(world.database.service)
  await client.connect()
  onTestFinished(async () => client.end())
  await client.query('begin')
  await client.query(
    `insert into publications (id, slug, title, body, duplicate_key)
     select gen_random_uuid(), 'locking-' || n, 'Une', 'Texte', 's:' || repeat('e', 28) || lpad(to_hex(n), 4, '0')
     from generate_series(0, 1499) n`,
  )
  // Would wait for the other transaction.
  for (let n = 1_500; n < 1_516; n++) await insertPublication(world, { duplicate_key: key(n) })
  const same = insertPublication(world, { duplicate_key: key(7) })
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const isWaiting = async () => ((await run(world.database.superuser, waiting)).rowCount ?? 0) > 0
  await vi.waitUntil(isWaiting, { timeout: 60_000 })
  await client.query('commit')
  await same
  expect(await groups(key(6), key(7), key(1_501))).toEqual([{ duplicate_key: key(7), members: 2 }])
})

test('with concurrent joins and leaves groups count their members, and none has one', async () => {
  const keys = ['2', '3'].map((digit) => `s:${digit.repeat(32)}`)
  const made = []
  for (let n = 0; n < 6; n++) made.push(await insertPublication(world, { duplicate_key: keys[n % 2] ?? '' }))
  const rounds = process.env.PARVIS_TEST_LONG ? 200 : 20
  for (let round = 0; round < rounds; round++) {
    // Each is moved to the other group, deleted or restored; all of one group leave it concurrently.
    await Promise.all(
      made.map(({ id }, n) =>
        world.db
          .updateTable('publications')
          .set({
            duplicate_key: keys[(n + round) % 2] ?? '',
            deleted_at: round % 3 === n % 3 ? new Date() : null,
          })
          .where('id', '=', id)
          .execute(),
      ),
    )
    const { rows } = await sql`
      select duplicate_key, count(*)::int as members from publications
      where deleted_at is null and duplicate_key = any(${keys})
      group by duplicate_key having count(*) > 1 order by 1`.execute(world.db)
    expect(await groups(...keys)).toEqual(rows)
  }
})
