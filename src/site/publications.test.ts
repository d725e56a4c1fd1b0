import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../test/support/many/publications.ts'
import { explain, visitedBy } from '../../test/support/plans.ts'
import { statementsAbout } from '../../test/support/statements.ts'
import { openWorld, run } from '../../test/support/world.ts'
import { insertPublication, insertPublications } from '../modules/publications/publications.test-kit.ts'
import { cursorAfter } from '../modules/publications/reading/pages.ts'

const { database, bigCommune } = await cloneManyPublications(manyRows)
const world = await openWorld({ database })
const { url } = world

const open = async (path: string) => {
  const response = await fetch(`${url}${path}`)
  return { status: response.status, text: await response.text() }
}
const slugsOf = (text: string) =>
  [...text.matchAll(/href="\/publications\/([^"/]+)"/g)].map(([, slug]) => slug ?? '')
const nextOf = (text: string) => /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&')

/** Follows the links from page to page, at most this many, and returns what each page shows. */
async function walk(path: string, pages = 1_000) {
  const shown: string[][] = []
  let next: string | undefined = path
  while (next !== undefined && shown.length < pages) {
    const { status, text } = await open(next)
    expect(status).toBe(200)
    shown.push(slugsOf(text))
    next = nextOf(text)
  }
  return shown
}

/** What a commune shows, computed without an index: featured first, then newest. */
async function expected(communeId: string, condition = 'true') {
  const { rows }: { rows: { slug: string }[] } = await run(
    world.database.owner,
    `select p.slug from publications p left join acteurs a on a.id = p.acteur_id
     left join publication_types t on t.id = p.type_id
     where p.id in (select publication_id from publication_communes where commune_id = '${communeId}')
       and p.valide and p.deleted_at is null and p.publie_le <= now() and ${condition}
       and p.moderation_status in ('approved', 'published') and (a.id is null or a.active and a.deleted_at is null)
     order by p.en_avant and coalesce(p.featured_until > now(), true) desc, p.publie_le desc, p.id desc`,
  )
  return rows.map(({ slug }) => slug)
}

test.each([
  ['', undefined],
  ['?type=evenement', "t.slug = 'evenement'"],
  ['?q=samedi', "p.body like '%samedi%'"],
  ['?q=samedi&type=evenement', "p.body like '%samedi%' and t.slug = 'evenement'"],
])('the pages of a large commune continue without gap or repetition: %s', async (search, condition) => {
  const all = await expected(bigCommune, condition)
  expect(all.length).toBeGreaterThan(200)
  const shown = await walk(`/communes/many-0/publications${search}`, 10)
  expect(shown.flat()).toEqual(all.slice(0, 200))
})

test.each(['', '?type=evenement'])('a distant page reads few rows of the list: %s', async (search) => {
  const all = await expected(bigCommune, search === '' ? undefined : "t.slug = 'evenement'")
  const { publie_le, id } = await world.db
    .selectFrom('publications')
    .select(['publie_le', 'id'])
    .where('slug', '=', all[Math.floor(all.length * 0.9)] ?? '')
    .executeTakeFirstOrThrow()
  const after = cursorAfter({ publie_le, id, en_avant: false })
  const path = `/communes/many-0/publications${search}${search === '' ? '?' : '&'}after=${after}`
  expect(await mostVisited(path)).toBeLessThan(300)
})

test.each(['/', '/communes/many-0', '/communes/many-0/ecran', '/communes/many-0/publications.atom'])(
  '%s reads the newest publications without counting the others',
  async (path) => {
    expect(await mostVisited(path)).toBeLessThan(300)
  },
)

/** Returns how many rows of lists the step that visits most of them visits, when a page reads a list, newest first. */
async function mostVisited(path: string): Promise<number> {
  const sent = await statementsAbout(/with first as/, () => open(path))
  // Its own list, and the first row for the menu.
  expect(sent.length).toBeLessThanOrEqual(2)
  const steps = (await Promise.all(sent.map((statement) => explain(world.pool, statement)))).flat()
  const ofList = steps.filter((step) => step['Relation Name'] === 'publication_listings')
  expect(ofList.length).toBeGreaterThan(0)
  return Math.max(...ofList.map(visitedBy))
}

test('every publication is on one page, in order, although others appear meanwhile', async () => {
  const commune = await world.commune({ slug: 'pages' })
  const commune_id = commune.id
  const moments = Array.from({ length: 12 }, (_, n) => new Date(Date.UTC(2026, 1, 1 + n)))
  // Five share each moment, and more are featured than a page has room for.
  const values = Array.from({ length: 60 }, (_, n) => ({
    ...{ commune_id, publie_le: moments[n % 12], body: n % 2 ? 'Le pressoir tourne' : 'Autre chose' },
    ...(n < 27 && { en_avant: true }),
  }))
  await insertPublications(world, values as never)
  const all = await expected(commune_id)
  const first = await open('/communes/pages/publications')
  const second = await open(nextOf(first.text) ?? '')
  await insertPublication(world, { commune_id, slug: 'nouvelle' })
  const third = await walk(nextOf(second.text) ?? '')
  expect([slugsOf(first.text), slugsOf(second.text), ...third].map(({ length }) => length)).toEqual([
    20, 20, 20,
  ])
  expect([...slugsOf(first.text), ...slugsOf(second.text), ...third.flat()]).toEqual(all)
  const withWord = await walk('/communes/pages/publications?q=pressoir')
  expect(withWord.flat()).toEqual(await expected(commune_id, "p.body like '%pressoir%'"))
})

test('the filters of publications are folded until one is set', async () => {
  const filters = async (query: string) =>
    /<details class="filters"( open)?><summary>[^<]+<\/summary>\s*<form/.exec(
      (await open(`/communes/many-0/publications${query}`)).text,
    )
  for (const query of ['', '?q=&type=']) expect((await filters(query))?.[0], query).not.toContain(' open')
  for (const query of ['?q=x', '?type=evenement']) expect((await filters(query))?.[1], query).toBe(' open')
})

test('a cursor that is not one of ours leads nowhere', async () => {
  for (const after of ['x', 'MjAyNi0wMS0wMQ', '%00', '🜁'])
    expect((await open(`/communes/pages/publications?after=${encodeURIComponent(after)}`)).status).toBe(404)
})
