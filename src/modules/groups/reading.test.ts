import { beforeAll, expect, test } from 'vitest'
import { cloneWithCommunes } from '../../../test/support/many/communes.ts'
import { explain, gatherStatistics, readWhole, visitedBy } from '../../../test/support/plans.ts'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const database = await cloneWithCommunes()
const { as, get, pool } = await openWorld({ database })
const admin = await as('admin')

/** Three groups of 28 communes for each commune of the register, as if each were in three. */
beforeAll(async () => {
  await run(
    database.owner,
    `insert into groups (id, slug, nom, kind, siren)
     select gen_random_uuid(), 'groupe-' || n, 'Communauté ' || n, case when n % 3 = 0 then 'epci' else 'syndicat' end,
       (200000000 + n)::text from generate_series(1, 3747) n;
     insert into group_communes (group_id, commune_id)
     select g.id, c.id from (select id, row_number() over (order by id) as at from communes) c
     cross join generate_series(0, 2) n
     join groups g on g.siren = (200000001 + n * 1249 + c.at / 28)::text`,
  )
  await gatherStatistics(database, ['groups', 'group_communes', 'communes'])
}, 120_000)

async function groupOf(siren: string) {
  const [found] = (await get(`/groups?q=${siren}`)).body.data
  return found
}

test('GET /groups returns 200 with a page by name, filtered by q, kind and commune_id', async () => {
  const { status, body } = await get('/groups?per_page=2')
  expect(status).toBe(200)
  expect(body.meta).toEqual({ current_page: 1, last_page: 1_874, per_page: 2, total: 3_747 })
  expect(body.data[0]).toEqual({
    id: expect.any(String),
    slug: 'groupe-1',
    nom: 'Communauté 1',
    kind: 'syndicat',
    siren: '200000001',
    acteur: null,
    communes_count: 27,
  })
  expect((await get('/groups?kind=epci&q=communaute%203')).body.data[0].nom).toBe('Communauté 3')
  const { id } = (await get('/communes?per_page=1&departement=73')).body.data[0]
  const groups = (await get(`/groups?commune_id=${id}`)).body
  expect(groups.meta.total).toBe(3)
  expect((await get(`/groups?commune_id=${id}&kind=epci`)).body.meta.total).toBe(1)
  expect((await get(`/groups?commune_id=${uuidv7()}`)).body.data).toEqual([])
  for (const wrong of ['kind=canton', 'commune_id=x', 'page=0'])
    expect(await get(`/groups?${wrong}`)).toBeError(422, 'validation_failed')
})

test('GET /groups/{id or slug} returns 200 with the members by name, 304 on a match, and 404', async () => {
  const group = await groupOf('200000002')
  for (const name of [group.slug, group.id, group.id.toUpperCase()]) {
    const { status, body, headers } = await get(`/groups/${name}`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ ...group, communes_count: 28 })
    expect(body.data.communes).toHaveLength(28)
    const match = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    expect((await get(`/groups/${name}`, match)).status).toBe(304)
  }
  const { communes } = (await get(`/groups/${group.slug}`)).body.data
  const listed = (await get(`/communes?group_id=${group.id}&per_page=100`)).body.data
  expect(communes).toEqual(listed)
  for (const unknown of [uuidv7(), 'inconnu'])
    expect(await get(`/groups/${unknown}`)).toBeError(404, 'not_found')
})

test('GET /communes returns the members of a group with group_id, with the other filters', async () => {
  const group = await groupOf('200000003')
  const all = (await get(`/communes?group_id=${group.id}&per_page=100`)).body.data
  expect(all).toHaveLength(28)
  const [one] = all
  const narrowed = await get(`/communes?group_id=${group.id}&code_insee=${one.code_insee}`)
  expect(narrowed.body.data).toEqual([one])
  const found = await admin.get(`/admin/communes?group_id=${group.id}`)
  expect(found.body.meta.total).toBe(28)
  expect((await get(`/communes?group_id=${uuidv7()}`)).body.data).toEqual([])
  expect(await get('/communes?group_id=x')).toBeError(422, 'validation_failed')
})

test('lists of groups and of their members read a page by indexes', async () => {
  const { id } = await groupOf('200000004')
  const [town] = (await get(`/communes?group_id=${id}`)).body.data
  for (const [path, most] of [
    [`/communes?group_id=${id}`, 200],
    [`/groups/${id}`, 200],
    [`/groups?commune_id=${town.id}`, 200],
    ['/groups?q=communaute%2012', 2_000],
    ['/admin/groups?kind=epci', 2_000],
    [`/admin/groups?commune_id=${town.id}&sort=created_at_desc`, 200],
  ] as const) {
    const client = path.startsWith('/admin/') ? admin.get : get
    const sent = await statementsAbout(/from groups|group_communes/, () => client(path))
    // Applications are a few rows, read whole.
    const pages = sent.filter(({ sql }) => !/^\s*select \(|from "?app_sources/.test(sql))
    expect(pages.length, path).toBeGreaterThan(0)
    for (const one of pages) {
      const steps = await explain(pool, one)
      expect(readWhole(steps), path).toEqual([])
      expect(Math.max(...steps.map(visitedBy)), path).toBeLessThanOrEqual(most)
    }
  }
})
