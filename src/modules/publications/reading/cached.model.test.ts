import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { expect, test, vi } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld } from '../../../../test/support/world.ts'
import type { DB } from '../../../platform/database/types.generated.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication, restrictedSource } from '../publications.test-kit.ts'

const uncached = await openWorld()
const { db, commune, acteur, database } = uncached
const instances = [await openWorld({ keeps: true, database }), await openWorld({ keeps: true, database })]
const heard = () => Promise.all(instances.map(({ changes }) => changes?.arrived()))

const types = await db.selectFrom('publication_types').select('id').limit(2).execute()
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const typeIds = idsOf(types)
const communes = idsOf([await commune(), await commune(), await commune()])
const acteurs = idsOf([await acteur(), await acteur(), await acteur()])
const [merged = ''] = idsOf([await acteur()])
await sql`update acteurs set merged_into = ${acteurs[0]}, merged_at = now() where id = ${merged}`.execute(db)
const sources = ['public', await restrictedSource(uncached, communes.slice(0, 1))]
sources.push(await restrictedSource(uncached, communes.slice(0, 2)))

const after = (interval: string) => sql<Date>`clock_timestamp() + ${interval}::interval`
const shownState = { moderation_status: 'published', valide: true, deleted_at: null }
const pending = { moderation_status: 'pending', valide: false, publie_le: null, deleted_at: null }
const states = [
  { ...shownState, publie_le: after('-1 hour') },
  { ...shownState, publie_le: after('-1 minute') },
  { ...shownState, publie_le: after('0') },
  { ...shownState, publie_le: after('80 milliseconds') },
  { ...shownState, publie_le: after('1 hour') },
  { ...shownState, publie_le: after('-1 hour'), deleted_at: after('0') },
  { moderation_status: 'approved', valide: true, publie_le: null, deleted_at: null },
  pending,
  { moderation_status: 'rejected', valide: false, publie_le: after('-1 hour'), deleted_at: null },
]
const featured = [
  { en_avant: false, featured_until: null },
  { en_avant: true, featured_until: null },
  { en_avant: true, featured_until: after('100 milliseconds') },
]

type Chosen = { which: number; other: number }
type Write = (tx: Transaction<DB>, publication: string, chosen: Chosen) => Promise<unknown>
const at = <T>(values: readonly T[], number: number) => values[number % values.length] as T

const set =
  (valuesOf: (chosen: Chosen) => object): Write =>
  (tx, id, chosen) =>
    tx.updateTable('publications').set(valuesOf(chosen)).where('id', '=', id).execute()

const writes: Record<string, Write> = {
  create: (tx, _id, { which, other }) =>
    insertPublication(
      { db: tx },
      {
        ...at(states, which),
        acteur_id: at([...acteurs, merged, null], other),
        type_id: at(typeIds, other),
        commune_id: at(communes, which),
        commune_ids: communes.slice(0, other % 3),
        date_debut: '2026-12-01',
      },
    ),
  'create in one statement': (tx, _id, { which, other }) =>
    sql`with made as (
        insert into publications (id, slug, title, body, acteur_id, moderation_status, valide, publie_le, duplicate_key)
        values (${uuidv7()}, 'une', 'Une', 'Texte', ${at(acteurs, other)}, 'published', true, ${after('0')},
          ${`s:${'0'.repeat(32)}`}) returning id)
      insert into publication_communes (publication_id, commune_id) select id, ${at(communes, which)} from made`.execute(
      tx,
    ),
  edit: set(({ other }) => ({ title: `Titre ${other}` })),
  decide: set(({ which }) => at(states, which)),
  feature: set(({ which }) => at(featured, which)),
  pin: set(({ which }) => ({ epingle: which % 2 === 0 })),
  'another acteur': set(({ which }) => ({ acteur_id: at([...acteurs, merged, null], which) })),
  'another type': set(({ which }) => ({ type_id: at([...typeIds, null], which) })),
  'another first commune': set(({ which }) => ({ commune_id: at(communes, which) })),
  'edit all': (tx, _id, { other }) =>
    tx
      .updateTable('publications')
      .set({ body: `Texte ${other}` })
      .execute(),
  'hide all of an acteur': (tx, _id, { which }) =>
    tx
      .updateTable('publications')
      .set({ valide: false })
      .where('acteur_id', '=', at(acteurs, which))
      .execute(),
  join: (tx, id, { which }) =>
    sql`insert into publication_communes (publication_id, commune_id)
      select id, ${at(communes, which)} from publications where id = ${id} on conflict do nothing`.execute(
      tx,
    ),
  leave: (tx, id, { which }) =>
    tx
      .deleteFrom('publication_communes')
      .where('publication_id', '=', id)
      .where('commune_id', '=', at(communes, which))
      .execute(),
  'hide and leave in one statement': (tx, id) =>
    sql`with hidden as (update publications set valide = false where id = ${id})
      delete from publication_communes where publication_id = ${id}`.execute(tx),
  'show and join in one statement': (tx, id, { which }) =>
    sql`with shown as (
        update publications set valide = true, moderation_status = 'approved', deleted_at = null, publie_le = ${after('0')}
        where id = ${id} returning id)
      insert into publication_communes (publication_id, commune_id) select id, ${at(communes, which)} from shown
      on conflict do nothing`.execute(tx),
  delete: (tx, id) => tx.deleteFrom('publications').where('id', '=', id).execute(),
  'rename an acteur': (tx, _id, { which, other }) =>
    change(tx, 'acteurs', at(acteurs, which), sql`nom = ${`A ${other}`}`),
  'hide or show an acteur': (tx, _id, { which }) =>
    change(tx, 'acteurs', at(acteurs, which), sql`active = not active`),
  'rename a commune': (tx, _id, { which, other }) =>
    change(tx, 'communes', at(communes, which), sql`nom = ${`C ${other}`}`),
  'rename a type': (tx, _id, { which, other }) =>
    change(tx, 'publication_types', at(typeIds, which), sql`libelle = ${`T ${other}`}`),
}

const change = (tx: Transaction<DB>, table: string, id: string, values: RawBuilder<unknown>) =>
  sql`update ${sql.table(table)} set ${values} where id = ${id}`.execute(tx)

const lists = [
  '/publications',
  '/publications?per_page=2&page=2',
  `/publications?type_id=${typeIds[0]}`,
  '/publications?q=titre',
  '/publications?sort=date_debut_asc&date_fin_min=2026-11-01',
  '/publications?updated_since=2020-01-01T00:00:00Z',
  ...communes.flatMap((id) => [
    `/publications?commune_id=${id}`,
    `/communes/${id}/publications`,
    `/communes/${id}/publications?per_page=2`,
    `/communes/${id}/publications?q=texte&type_id=${typeIds[1]}`,
    `/communes/${id}/publications?acteur_id=${acteurs[1]}`,
    `/communes/${id}/publications?updated_since=2020-01-01T00:00:00Z`,
  ]),
  ...[...acteurs, merged].flatMap((id) => [
    `/publications?acteur_id=${id}`,
    `/publications?acteur_id=${id.toUpperCase()}&commune_id=${communes[0]?.toUpperCase()}`,
    `/acteurs/${id}/publications`,
    `/acteurs/${id}/publications?type_id=${typeIds[0]}`,
  ]),
]

const numbers = { which: fc.nat(1_000), other: fc.nat(1_000) }
const transaction = fc.array(
  fc.record({ write: fc.constantFrom(...Object.keys(writes)), row: fc.nat(100), ...numbers }),
  { minLength: 1, maxLength: 3 },
)
const step = fc.record({ transaction, reads: fc.array(fc.record(numbers), { minLength: 8, maxLength: 8 }) })

test('a write invalidates what shows its publication, and nothing if that is not public', async () => {
  const [first, second] = [await commune(), await commune()]
  const [theirs, ours] = [await acteur(), await acteur()]
  const one = await insertPublication(uncached, { commune_id: first.id, acteur_id: theirs.id })
  const two = await insertPublication(uncached, { commune_id: second.id, acteur_id: ours.id })
  const restricted = await restrictedSource(uncached, [first.id])
  const reads: Record<string, [path: string, source?: string]> = {
    country: ['/publications'],
    'first commune': [`/communes/${first.id}/publications`],
    'second commune': [`/communes/${second.id}/publications`],
    'second commune by filter': [`/publications?commune_id=${second.id.toUpperCase()}`],
    'first acteur': [`/acteurs/${theirs.id}/publications`],
    'second acteur': [`/publications?acteur_id=${ours.id}`],
    one: [`/publications/${one.id}`],
    two: [`/publications/${two.id}`],
    'restricted application': ['/publications', restricted],
  }
  const [{ get, app }] = instances as [(typeof instances)[number]]
  /** Names what is no longer cached, and has it cached again. */
  async function invalidated(): Promise<string[]> {
    await heard()
    const found: string[] = []
    for (const [name, [path, source = 'public']] of Object.entries(reads)) {
      const before = app.cache?.hits
      await get(path, { source })
      if (app.cache?.hits !== before) continue
      found.push(name)
      await vi.waitFor(async () => {
        await get(path, { source })
        expect(app.cache?.hits).not.toBe(before)
      }, 30_000)
    }
    return found
  }
  const update = (id: string, values: object) =>
    db.updateTable('publications').set(values).where('id', '=', id).execute()
  await invalidated()
  expect(await invalidated()).toEqual([])
  const ofSecond = ['country', 'second commune', 'second commune by filter', 'second acteur', 'two']
  await update(two.id, { title: 'Autre' })
  expect(await invalidated()).toEqual(ofSecond)
  const hidden = await insertPublication(uncached, { ...pending, commune_id: first.id, acteur_id: theirs.id })
  await update(hidden.id, { title: 'Autre' })
  await update(two.id, { title: 'Autre' })
  expect(await invalidated(), 'nothing changed').toEqual([])
  await update(hidden.id, { ...shownState, publie_le: after('-1 hour') })
  expect(await invalidated()).toEqual(['country', 'first commune', 'first acteur', 'restricted application'])
  await update(two.id, { acteur_id: theirs.id })
  expect(await invalidated()).toEqual([
    'country',
    'second commune',
    'second commune by filter',
    'first acteur',
    'second acteur',
    'two',
  ])
  await db
    .insertInto('publication_communes')
    .values({ publication_id: two.id, commune_id: first.id })
    .execute()
  expect(await invalidated()).toEqual(
    Object.keys(reads).filter((name) => name !== 'one' && name !== 'second acteur'),
  )
  for (let n = 0; n < 60; n++) await insertPublication(uncached, { acteur_id: ours.id })
  await invalidated()
  await db.updateTable('publications').set({ body: 'Autre' }).where('acteur_id', '=', ours.id).execute()
  expect(await invalidated()).toEqual(Object.keys(reads))
})

test('after any writes, cached responses of two instances equal uncached ones', async () => {
  const long = process.env.PARVIS_TEST_LONG
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: long ? 40 : 15 }), async (steps) => {
      for (const { transaction, reads } of steps) {
        const rows = await db.selectFrom('publications').select('id').orderBy('id').execute()
        const all = [...lists, ...rows.map(({ id }) => `/publications/${id}`)]
        const calls = reads.map(({ which, other }) => [at(all, which), at(sources, other)] as const)
        const read = () =>
          calls.flatMap(([path, source]) => instances.map(({ get }) => get(path, { source })))
        await Promise.all(read())
        // Uncached responses are computed during the transaction.
        const during = read()
        await db.transaction().execute(async (tx) => {
          for (const { write, row, ...chosen } of transaction)
            await writes[write]?.(tx, at(rows, row)?.id ?? uuidv7(), chosen)
        })
        await Promise.all(during)
        await heard()
        for (const [path, source] of calls) await expectSame(path, source)
      }
    }),
    // The rows stay between runs, so a failure is not made smaller.
    { numRuns: propertyRuns(1 / 20), endOnFailure: true },
  )
  // Most reads here follow a change of what they show.
  for (const { app } of instances) expect(app.cache?.hits).toBeGreaterThan(long ? 1_000 : 20)
}, 1_200_000)

/** Repeats the comparison, because a publication may become due in between; a stale response stays stale. */
async function expectSame(path: string, source: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const [expected, ...cached] = await Promise.all(
      [uncached, ...instances].map(async ({ get }) => {
        const { status, text } = await get(path, { source })
        return status === 200 ? text : status
      }),
    )
    if (attempt === 4 || cached.every((each) => each === expected)) {
      expect(cached, `${path} for ${source}`).toEqual([expected, expected])
      return
    }
    await sleep(10)
  }
}
