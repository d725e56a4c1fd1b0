import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { hiddenStates, insertPublication } from '../modules/publications/publications.test-kit.ts'

const world = await openWorld()
const { url, db } = world
const commune = await world.commune({ slug: 'saint-jean' })
const acteur = await world.acteur({ slug: 'boules', valide: true, commune_id: commune.id })
const values = { acteur_id: acteur.id, commune_id: commune.id }

const open = async (path: string) => {
  const { status, headers } = await fetch(`${url}${path}`, { redirect: 'manual' })
  return [status, headers.get('location')]
}
type Named = 'publications' | 'acteurs' | 'communes' | 'groups'
const rename = (table: Named, id: string, slug: string) =>
  db.updateTable(table).set({ slug }).where('id', '=', id).execute()

test.each([
  ['communes', '/agenda?page=2'],
  ['communes', '/collectes'],
  ['acteurs', '?page=2'],
  ['acteurs', '/revendiquer'],
  ['publications', '?de=lettre'],
  ['publications', '/signaler'],
] as const)('a former slug below /%s leads on, with %s', async (table, rest) => {
  const rows = {
    communes: () => world.commune(),
    acteurs: () => world.acteur({ valide: true }),
    publications: () => insertPublication(world),
  }
  const { id, slug } = await rows[table]()
  await rename(table, id, `${slug}-b`)
  await rename(table, id, `${slug}-c`)
  for (const former of [slug, `${slug}-b`])
    expect(await open(`/${table}/${former}${rest}`)).toEqual([301, `/${table}/${slug}-c${rest}`])
  expect((await open(`/${table}/${slug}-c${rest}`))[0]).toBe(200)
})

test('an administrator gives a commune another slug, and the former one leads on, in the API too', async () => {
  const { id } = await world.commune({ slug: 'bourg' })
  const admin = await world.as('admin')
  expect((await admin.patch(`/admin/communes/${id}`, { slug: 'bourg-en-bresse' })).status).toBe(200)
  expect(await open('/communes/bourg/elus')).toEqual([301, '/communes/bourg-en-bresse/elus'])
  expect((await world.get('/communes/bourg')).body.data).toMatchObject({ id, slug: 'bourg-en-bresse' })
})

test('a former slug of a group leads on, in the API too', async () => {
  const admin = await world.as('admin')
  const { id, slug } = (await admin.post('/admin/groups', { nom: 'CC du Bourg', kind: 'epci' })).body.data
  await rename('groups', id, 'cc-des-bourgs')
  expect(await open(`/groupes/${slug}?de=lettre`)).toEqual([301, '/groupes/cc-des-bourgs?de=lettre'])
  expect(await open(`/groupes/${id}`)).toEqual([301, '/groupes/cc-des-bourgs'])
  expect((await world.get(`/groups/${slug}`)).body.data).toMatchObject({ id, slug: 'cc-des-bourgs' })
  // The group that takes it has it.
  expect((await admin.post('/admin/groups', { nom: 'CC du Bourg', kind: 'epci' })).body.data.slug).toBe(slug)
  expect((await open(`/groupes/${slug}`))[0]).toBe(200)
})

test('a record that takes a former slug has it', async () => {
  for (const table of ['communes', 'acteurs', 'publications'] as const) {
    const make = (slug: string) =>
      table === 'communes'
        ? world.commune({ slug })
        : table === 'acteurs'
          ? world.acteur({ slug, valide: true })
          : insertPublication(world, { slug })
    const { id } = await make('reprise')
    await rename(table, id, 'reprise-2')
    await make('reprise')
    expect(await open(`/${table}/reprise`)).toEqual([200, null])
    // The record that has it again is the one that it leads to.
    await rename(table, id, 'reprise-3')
    expect(await open(`/${table}/reprise-2`)).toEqual([301, `/${table}/reprise-3`])
  }
})

test('a record that the public does not see does not take a former slug from one that it sees', async () => {
  const shown = await world.acteur({ slug: 'jumeau', valide: true, commune_id: commune.id })
  await rename('acteurs', shown.id, 'jumeau-2')
  const hidden = await world.acteur({ slug: 'jumeau', valide: false, commune_id: commune.id })
  expect(await open('/acteurs/jumeau')).toEqual([301, '/acteurs/jumeau-2'])
  expect((await world.get('/acteurs/jumeau')).body.data.id).toBe(shown.id)
  await db.updateTable('acteurs').set({ valide: true }).where('id', '=', hidden.id).execute()
  expect(await open('/acteurs/jumeau')).toEqual([200, null])
  for (const [name, state] of Object.entries(hiddenStates)) {
    const slug = `jumelle-${name.replaceAll(' ', '-')}`
    const { id } = await insertPublication(world, { slug, ...values })
    await rename('publications', id, `${slug}-2`)
    await insertPublication(world, { slug, ...values, ...state })
    expect(await open(`/publications/${slug}`), name).toEqual([301, `/publications/${slug}-2`])
  }
})

test('a former slug of a merged acteur leads to the target', async () => {
  const gone = { active: false, deleted_at: new Date(), merged_into: acteur.id, merged_at: new Date() }
  const merged = await world.acteur({ slug: 'petanque', ...gone })
  await rename('acteurs', merged.id, 'petanque-ancienne')
  for (const slug of ['petanque', 'petanque-ancienne'])
    expect(await open(`/acteurs/${slug}`)).toEqual([301, '/acteurs/boules'])
  expect((await world.get('/acteurs/petanque')).body.data.id).toBe(acteur.id)
})

test.each(Object.entries(hiddenStates))(
  'a former slug of a publication that is %s does not exist',
  async (name, state) => {
    const slug = `cachee-${name.replaceAll(' ', '-')}`
    const { id } = await insertPublication(world, { slug, ...values, ...state })
    await rename('publications', id, `${slug}-2`)
    for (const path of ['', '/signaler']) expect((await open(`/publications/${slug}${path}`))[0]).toBe(404)
  },
)

test('a former slug leads nowhere outside the communes of the site', async () => {
  const elsewhere = await world.commune({ slug: 'ailleurs' })
  const stranger = await world.acteur({ slug: 'etranger', valide: true, commune_id: elsewhere.id })
  const far = await insertPublication(world, { slug: 'loin', commune_id: elsewhere.id })
  await rename('communes', elsewhere.id, 'ailleurs-2')
  await rename('acteurs', stranger.id, 'etranger-2')
  await rename('publications', far.id, 'loin-2')
  const set = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await set([commune.id])
  try {
    for (const path of ['/communes/ailleurs', '/acteurs/etranger', '/publications/loin'])
      expect((await open(path))[0]).toBe(404)
  } finally {
    await set(null)
  }
})

test('former slugs go with their record', async () => {
  const { id, slug } = await insertPublication(world)
  await rename('publications', id, `${slug}-2`)
  await db.deleteFrom('publications').where('id', '=', id).execute()
  const rest = await db
    .selectFrom('publication_former_slugs')
    .select('slug')
    .where('slug', '=', slug)
    .execute()
  expect(rest).toEqual([])
})
