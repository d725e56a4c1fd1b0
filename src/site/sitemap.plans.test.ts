import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../test/support/many/publications.ts'
import { explain, readWhole } from '../../test/support/plans.ts'
import { statementsAbout } from '../../test/support/statements.ts'
import { openWorld, run } from '../../test/support/world.ts'

const many = await cloneManyPublications(manyRows)
const world = await openWorld({ database: many.database })
const { url, db } = world
const start = Date.now()

async function read(path: string) {
  const response = await fetch(`${url}${path}`)
  expect(response.status).toBe(200)
  const text = await response.text()
  return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) =>
    address.replace('http://localhost:3000', ''),
  )
}
/** The statements of a build, an hour after the last one. */
let hours = 0
const planOf = async (path: string, about = /publication_listings/) => {
  world.setClock(new Date(start + ++hours * 3_600_000).toISOString())
  const sent = await statementsAbout(about, () => read(path))
  return { sent, steps: (await Promise.all(sent.map((one) => explain(world.pool, one)))).flat() }
}

test('the pieces together name each visible publication once, at most 50 000 in one', async () => {
  const pieces = (await read('/sitemap.xml')).filter((path) => path.includes('/publications.xml'))
  const found = await Promise.all(pieces.map(read))
  expect(pieces.length).toBeGreaterThan(1)
  expect(found.slice(0, -1).map(({ length }) => length)).toEqual(pieces.slice(1).map(() => 50_000))
  const { rows } = await run(
    world.database.owner,
    `select count(*)::int as visible from publications p left join acteurs a on a.id = p.acteur_id
     where p.valide and p.deleted_at is null and p.publie_le <= now()
       and p.moderation_status in ('approved', 'published') and coalesce(a.active and a.deleted_at is null, true)`,
  )
  expect(new Set(found.flat()).size).toBe(rows[0].visible)
  expect(found.flat().length).toBe(rows[0].visible)
})

test('the index reads one index in its order, and a piece one batch after the other', async () => {
  const index = await planOf('/sitemap.xml')
  expect(index.sent).toHaveLength(1)
  expect(readWhole(index.steps)).toEqual([])
  expect(index.steps.map((step) => step['Node Type'])).not.toContain('Sort')
  const [last = ''] = (await read('/sitemap.xml')).filter((path) => path.includes('publications.xml?page='))
  for (const path of ['/sitemap/publications.xml', last]) {
    const { sent, steps } = await planOf(path, /picked/)
    expect(sent.length).toBeLessThanOrEqual(51)
    expect(readWhole(steps)).toEqual([])
    const rows = steps.map((step) => step['Actual Rows'] * step['Actual Loops'])
    expect(Math.max(...rows)).toBeLessThanOrEqual(1_001)
  }
})

test('restricted to communes, a piece does not read the publications of others', async () => {
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  for (const communes of [[many.smallCommune], [many.smallCommune, many.bigCommune]]) {
    await restrict(communes)
    const expected = new Set<string>()
    for (const id of communes)
      for (let page = 1, last = 1; page <= last; page++) {
        const { body } = await world.get(`/communes/${id}/publications?per_page=100&page=${page}`)
        last = body.meta.last_page
        for (const { slug } of body.data) expected.add(`/publications/${slug}`)
      }
    const { steps } = await planOf('/sitemap/publications.xml')
    expect(new Set(await read('/sitemap/publications.xml'))).toEqual(expected)
    expect(readWhole(steps)).toEqual([])
  }
  await restrict(null)
})
