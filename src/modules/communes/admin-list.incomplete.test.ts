import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { type Gap, gapNames } from './gaps.ts'

const { as, commune, acteur, db } = await openWorld()
const admin = await as('admin')
const contact = {
  adresse: '1 place du Marché',
  telephone: '01 99 00 12 34',
  email: 'mairie@example.org',
  site_web: 'https://mairie.example',
}
const elu = { nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }
const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'apport_volontaire' as const }
const infosOf = (values: Record<string, string>) =>
  Object.entries(values).map(([cle, valeur]) => ({ cle, libelle: cle, valeur }))
const allSubsets = Array.from({ length: 16 }, (_, mask) => gapNames.filter((_, bit) => mask & (1 << bit)))

/** Creates a commune with these gaps, in one of two départements, with a mairie that has a part of the contact. */
async function lacking(gaps: readonly Gap[], departement: string, population: number | null) {
  const { site_web, ...most } = contact
  const mairie = gaps.includes('mairie') ? null : (await acteur({ type: 'mairie', ...most })).id
  const { id } = await commune({ departement, population, nom: `Lacune ${departement}` })
  const body = {
    mairie_actor_id: mairie,
    elus: gaps.includes('elus') ? [] : [elu],
    collectes: gaps.includes('collectes') ? [] : [collecte],
    infos: gaps.includes('infos') ? [] : infosOf(mairie === null ? contact : { site_web }),
  }
  const { status } = await admin.patch(`/admin/communes/${id}`, body)
  expect(status).toBe(200)
  return { id, gaps, departement, mairie: mairie !== null, population }
}

const made: Awaited<ReturnType<typeof lacking>>[] = []
for (const departement of ['71', '72'])
  for (const [n, gaps] of allSubsets.entries())
    made.push(await lacking(gaps, departement, n % 3 === 0 ? null : n % 3))
const ours = made.map(({ id }) => id).join(',')

const filters = [
  { query: '', keeps: () => true },
  { query: 'departement=71', keeps: (one: (typeof made)[number]) => one.departement === '71' },
  { query: 'mairie=true', keeps: (one: (typeof made)[number]) => one.mairie },
  { query: 'q=lacune%2072', keeps: (one: (typeof made)[number]) => one.departement === '72' },
]
const sorts = ['', ...['nom', 'population', 'code_insee'].flatMap((key) => [`${key}_asc`, `${key}_desc`])]

test.each(allSubsets.map((asked) => [asked.join(',') || 'nothing', asked] as const))(
  'incomplete=%s returns the communes that lack any of them, with every filter, sort and page',
  async (_, asked) => {
    for (const { query, keeps } of filters) {
      const left = made.filter(keeps)
      const wanted = left.filter(({ gaps }) => asked.length === 0 || gaps.some((gap) => asked.includes(gap)))
      const counts = Object.fromEntries(
        gapNames.map((gap) => [gap, left.filter(({ gaps }) => gaps.includes(gap)).length]),
      )
      for (const sort of sorts) {
        const parts = [
          `ids=${ours}`,
          query,
          sort && `sort=${sort}`,
          asked.length > 0 && `incomplete=${asked}`,
        ]
        const path = `/admin/communes?per_page=20&${parts.filter(Boolean).join('&')}`
        const seen: { id: string; gaps: Gap[] }[] = []
        for (let after = ''; ; ) {
          const { body } = await admin.get(`${path}${after}`)
          expect(body.meta).toMatchObject({ total: wanted.length, incomplete: counts })
          seen.push(...body.data)
          if (body.meta.next === null) break
          after = `&after=${body.meta.next}`
        }
        expect(new Map(seen.map(({ id, gaps }) => [id, gaps]))).toEqual(
          new Map(wanted.map(({ id, gaps }) => [id, gaps])),
        )
        expect(seen).toHaveLength(wanted.length)
      }
    }
  },
  120_000,
)

test('counts the gaps of all communes without other filters', async () => {
  const { body } = await admin.get('/admin/communes?per_page=1')
  expect(body.meta.incomplete).toEqual({ elus: 16, collectes: 16, infos: 16, mairie: 16 })
  expect(body.meta.total).toBe(32)
})

test('returns 422 for an unknown gap, and 403 without the area', async () => {
  expect(await admin.get('/admin/communes?incomplete=maires')).toBeError(422, 'validation_failed')
  const moderator = await as('moderator')
  expect(await moderator.get('/admin/communes?incomplete=elus')).toBeError(403, 'admin_required')
})

test('the CSV has the gaps of each commune', async () => {
  const whole = made.find(({ gaps }) => gaps.length === 0)?.id
  const none = made.find(({ gaps }) => gaps.length === 4)?.id
  const headers = { accept: 'text/csv', 'accept-language': 'fr' }
  const { text } = await admin.get(`/admin/communes?ids=${whole},${none}`, { headers })
  const [head = '', ...rows] = text.trim().split('\r\n')
  const column = head.split(';').indexOf('gaps')
  expect(rows.map((row) => row.split(';')[column]).toSorted()).toEqual(['', 'elus, collectes, infos, mairie'])
  const filtered = await admin.get(`/admin/communes?ids=${whole},${none}&incomplete=mairie`, { headers })
  expect(filtered.text.trim().split('\r\n')).toHaveLength(2)
})

/** Returns the gaps of the list, after a check that the complete record has the same. */
async function gapsOf(id: string): Promise<Gap[]> {
  const { body } = await admin.get(`/admin/communes?ids=${id}`)
  expect((await admin.get(`/admin/communes/${id}/full`)).body.data.gaps).toEqual(body.data[0].gaps)
  return body.data[0].gaps
}

test.each(['', ' ', '\t\n', '\u00a0', '\u2009\u202f', '\ufeff\u3000'])(
  'a blank value is missing, as for the public: %j',
  async (blank) => {
    const { id } = await commune()
    const values = { ...contact, telephone: blank }
    await admin.patch(`/admin/communes/${id}`, { infos: infosOf(values) })
    expect(await gapsOf(id)).toContain('infos')
    const { id: mairie } = await acteur({ type: 'mairie', telephone: blank })
    await admin.patch(`/admin/communes/${id}`, { mairie_actor_id: mairie })
    expect(await gapsOf(id)).toEqual(['elus', 'collectes', 'infos'])
    await db.updateTable('acteurs').set({ telephone: '\u00a0 3' }).where('id', '=', mairie).execute()
    expect(await gapsOf(id)).toEqual(['elus', 'collectes'])
  },
)

test('follows the mairie: hidden, shown, emptied, deleted, replaced', async () => {
  const { id: mairie } = await acteur({ type: 'mairie', ...contact })
  const { id } = await commune({ mairie_actor_id: mairie })
  const set = (values: object) => db.updateTable('acteurs').set(values).where('id', '=', mairie).execute()
  expect(await gapsOf(id)).toEqual(['elus', 'collectes'])
  await set({ active: false })
  expect(await gapsOf(id)).toEqual(['elus', 'collectes', 'infos', 'mairie'])
  await set({ active: true, email: null })
  expect(await gapsOf(id)).toEqual(['elus', 'collectes', 'infos'])
  await set({ email: 'mairie@example.org', deleted_at: new Date() })
  expect(await gapsOf(id)).toEqual(['elus', 'collectes', 'infos', 'mairie'])
  const other = await acteur({ type: 'mairie', ...contact })
  await admin.patch(`/admin/communes/${id}`, { mairie_actor_id: other.id })
  expect(await gapsOf(id)).toEqual(['elus', 'collectes'])
  await admin.patch(`/admin/communes/${id}`, { mairie_actor_id: null, elus: [elu], collectes: [collecte] })
  expect(await gapsOf(id)).toEqual(['infos', 'mairie'])
})

test('follows rows that move to another commune', async () => {
  const [one, other] = [await commune(), await commune()]
  await db
    .insertInto('elus')
    .values({ id: uuidv7(), commune_id: one.id, ...elu, ordre: 1 })
    .execute()
  expect(await gapsOf(one.id)).not.toContain('elus')
  await db.updateTable('elus').set({ commune_id: other.id }).where('commune_id', '=', one.id).execute()
  expect(await gapsOf(one.id)).toContain('elus')
  expect(await gapsOf(other.id)).not.toContain('elus')
})

test('a change of gaps changes neither the version nor the time of the commune', async () => {
  const { id: mairie } = await acteur({ type: 'mairie', ...contact })
  const { id, version, updated_at } = await commune({ mairie_actor_id: mairie })
  await db.updateTable('acteurs').set({ email: null }).where('id', '=', mairie).execute()
  const { body } = await admin.get(`/admin/communes/${id}/full`)
  expect(body.data).toMatchObject({ version, updated_at: updated_at.toISOString() })
})

test.each(['the mairie is hidden first', 'the commune is written first'])(
  'a mairie that is hidden while a commune names it is missing afterwards: %s',
  async (order) => {
    const { id: mairie } = await acteur({ type: 'mairie', ...contact })
    const { id } = await commune()
    const hide = (tx: typeof db) =>
      tx.updateTable('acteurs').set({ active: false }).where('id', '=', mairie).execute()
    const name = (tx: typeof db) =>
      tx.updateTable('communes').set({ mairie_actor_id: mairie }).where('id', '=', id).execute()
    const [first, second] = order.startsWith('the mairie') ? [hide, name] : [name, hide]
    let later: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (tx) => {
      await first(tx)
      later = second(db)
      await untilWaiting(db)
    })
    await later
    expect(await gapsOf(id)).toContain('mairie')
  },
)

test('of the contact and the infos, changed at the same time, each counts what the other did', async () => {
  for (let round = 0; round < 10; round++) {
    const { id: mairie } = await acteur({ type: 'mairie', ...contact })
    const { id } = await commune({ mairie_actor_id: mairie })
    await Promise.all([
      db.updateTable('acteurs').set({ email: null }).where('id', '=', mairie).execute(),
      admin.patch(`/admin/communes/${id}`, { infos: infosOf({ email: contact.email }) }),
      admin.patch(`/admin/communes/${id}`, { elus: [elu], collectes: [collecte] }),
    ])
    expect(await gapsOf(id)).toEqual([])
  }
})

test('a deleted commune leaves no gaps behind, and none exceeds the known ones', async () => {
  const { id } = await commune()
  await db.deleteFrom('communes').where('id', '=', id).execute()
  const { rows } = await sql`select from commune_gaps where commune_id = ${id}`.execute(db)
  expect(rows).toEqual([])
  await expect(sql`update commune_gaps set gaps = 16`.execute(db)).rejects.toThrow('commune_gaps_known')
})
