import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'

const { as, url, commune, setClock } = await openWorld()
setClock('2026-11-20T10:00:00.000Z')
const admin = await as('admin')
const weekly = { libelle: 'Bac', mode: 'porte_a_porte', jours: ['mardi'] } as const
type Row = { id?: string; type_dechet: string; secteur: string | null }

/** A commune whose collections can be replaced. */
async function town(slug: string, rows: Row[]) {
  const { id, code_insee } = await commune({ slug, departement: '73' })
  const replace = async (collectes: Row[]): Promise<(Row & { id: string })[]> => {
    const { status, body } = await admin.patch(`/admin/communes/${id}`, {
      collectes: collectes.map(({ id, type_dechet, secteur }) => ({
        ...(id && { id }),
        ...{ ...weekly, type_dechet, secteur },
      })),
    })
    expect(status).toBe(200)
    return body.data.collectes
  }
  return { slug, code_insee, replace, rows: await replace(rows) }
}

async function entries(slug: string, secteur: string) {
  const response = await fetch(`${url}/communes/${slug}/collectes.ics?secteur=${encodeURIComponent(secteur)}`)
  expect(response.status).toBe(200)
  const events = new ICAL.Component(ICAL.parse(await response.text())).getAllSubcomponents('vevent')
  return events.map((raw) => new ICAL.Event(raw))
}
const uids = async (slug: string, secteur: string) => (await entries(slug, secteur)).map(({ uid }) => uid)
const notices = async (slug: string, secteur: string) =>
  (await entries(slug, secteur)).filter(({ summary }) => summary.startsWith('Secteur renommé'))
const renamed = <R extends Row>(rows: R[], from: string, to: string | null) =>
  rows.map((row) => (row.secteur === from ? { ...row, secteur: to } : row))

const two: Row[] = [
  { type_dechet: 'verre', secteur: 'Centre' },
  { type_dechet: 'emballages', secteur: 'Centre' },
  { type_dechet: 'verre', secteur: 'Hauts' },
]

test.each([
  ['with ids', (rows: (Row & { id: string })[]) => rows],
  ['without ids', (rows: (Row & { id: string })[]) => rows.map(({ id: _id, ...row }) => row)],
])('a calendar of a secteur keeps its entries when the secteur is renamed %s', async (words, given) => {
  const { slug, rows, replace } = await town(`renomme-${words.replace(' ', '-')}`, two)
  const before = await uids(slug, 'Centre')
  expect(before.length).toBeGreaterThan(100)
  const once = await replace(given(renamed(rows, 'Centre', 'Centre-ville')))
  expect(await uids(slug, 'Centre')).toEqual(before)
  const twice = await replace(given(renamed(once, 'Centre-ville', 'Cœur')))
  for (const name of ['Centre', 'Centre-ville', 'Cœur', 'coeur'])
    expect(await uids(slug, name)).toEqual(before)
  await replace(renamed(twice, 'Cœur', 'Centre'))
  expect(await uids(slug, 'centre ville')).toEqual(before)
})

test('case and accents of a secteur do not matter', async () => {
  const { slug } = await town('accents', [
    { type_dechet: 'verre', secteur: 'Évêché' },
    { type_dechet: 'verre', secteur: 'Hauts' },
  ])
  const exact = await uids(slug, 'Évêché')
  expect(exact.length).toBeGreaterThan(50)
  expect(await uids(slug, 'EVECHE')).toEqual(exact)
  expect(await notices(slug, 'eveche')).toEqual([])
})

test('an unknown secteur gives all collections, with an entry that says that it was renamed', async () => {
  const { slug, rows, replace, code_insee } = await town('inconnu', two)
  const all = await uids(slug, '')
  const [notice, ...others] = await notices(slug, 'Le Lac')
  expect(others).toEqual([])
  expect(notice?.summary).toBe('Secteur renommé : Le Lac')
  expect(notice?.startDate.toString()).toBe('2026-11-20')
  expect(notice?.description).toContain(`/communes/${slug}/suivre`)
  expect(notice?.uid).toBe(`${code_insee}-secteur-Le%20Lac@collectes.parvis`)
  const found = await uids(slug, 'Le Lac')
  expect(found.filter((uid) => uid !== notice?.uid)).toEqual(all)
  // Split in two, nobody knows which part is whose.
  const [first, second, third] = rows
  if (!first || !second || !third) expect.fail()
  await replace([{ ...first, secteur: 'Nord' }, { ...second, secteur: 'Sud' }, third])
  expect(await notices(slug, 'Centre')).toHaveLength(1)
})

test('a secteur that is moved into another leads there, which keeps its entries', async () => {
  const { slug, rows, replace } = await town('fusion', two)
  const hauts = await uids(slug, 'Hauts')
  await replace(renamed(rows, 'Centre', 'Hauts'))
  const merged = await uids(slug, 'Centre')
  expect(merged).toEqual(await uids(slug, 'Hauts'))
  expect(merged).toEqual(expect.arrayContaining(hauts))
  expect(await notices(slug, 'Centre')).toEqual([])
})

test('a new secteur may have a former name: it is the one that this name finds', async () => {
  const { slug, rows, replace } = await town('repris', two)
  const before = await uids(slug, 'Centre')
  const after = await replace(renamed(rows, 'Centre', 'Vieille ville'))
  await replace([...after, { type_dechet: 'papier', secteur: 'Centre' }])
  expect(await uids(slug, 'Vieille ville')).toEqual(before)
  const own = await uids(slug, 'Centre')
  expect(own.every((uid) => uid.includes('papier'))).toBe(true)
  const all = await uids(slug, '')
  expect(new Set(all).size).toBe(all.length)
})
