import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { cursorAfter } from '../modules/publications/reading/pages.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
world.setClock('2026-11-20T10:00:00Z')
const { id: commune_id } = await world.commune({ slug: 'cadre' })
for (let number = 0; number < 25; number++)
  await insertPublication(world, { title: `N ${number}`, commune_id })
for (const [position, secteur] of ['Nord', 'Sud', 'Est'].entries())
  await db
    .insertInto('collectes')
    .values({
      ...{ id: uuidv7(), commune_id, type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', secteur },
      ...{ jours: ['mardi'], toutes_les_semaines: 1, dates: [], exceptions: '[]', position },
    } as never)
    .execute()

const linksOf = async (path: string) => {
  const text = await (await fetch(`${url}/communes/cadre/${path}`)).text()
  return [...text.matchAll(/<a [^>]*>/g)].map(([link]) => link)
}

const pageFrom = (day: string) =>
  `publications?embed=1&after=${cursorAfter({ publie_le: new Date(day), id: uuidv7(), en_avant: false })}`

test.each([
  ['agenda?embed=1', 17],
  ['agenda?embed=1&mois=2027-01', 17],
  ['agenda?embed=1&quand=week-end', 17],
  ['publications?embed=1', 1],
  [pageFrom('2040-01-01'), 2],
  [pageFrom('2000-01-01'), 1],
  ['collectes?embed=1', 4],
  ['collectes?embed=1&annee=1', 4],
])('%s keeps its own links in the frame, and opens all others on top', async (path, count) => {
  const links = await linksOf(path)
  const inner = links.filter((link) => /href="[^"]*(embed=1|#)/.test(link))
  expect(inner).toHaveLength(count)
  for (const link of links) expect(link.includes('target="_self"'), link).toBe(inner.includes(link))
})

test.each(['agenda', 'publications', 'alertes', 'collectes'])(
  '%s in a frame of another site has no script, so that nothing is kept there',
  async (sub) => {
    const response = await fetch(`${url}/communes/cadre/${sub}?embed=1`)
    expect(response.headers.get('content-security-policy')).not.toContain('script-src')
    expect(await response.text()).not.toContain('<script type="module"')
  },
)

test('links of a whole page have no target', async () => {
  for (const sub of ['agenda', 'publications', 'collectes'])
    for (const link of await linksOf(sub)) expect(link).not.toContain('target')
})

test.each(['agenda?embed=1', 'publications?embed=1'])(
  '%s keeps the secteur that was chosen',
  async (path) => {
    const links = (await linksOf(`${path}&secteur=Nord`)).filter((link) => !link.includes('href="#'))
    expect(links.length).toBeGreaterThan(1)
    for (const link of links) expect(link).toContain('secteur=Nord')
  },
)
