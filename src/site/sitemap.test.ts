import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { addressesOfCommunes } from '../modules/communes/reading.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'
import { listAddresses, listPieces } from '../platform/http/listing/addresses.ts'

const { url, db, ...world } = await openWorld()

const read = async (path: string) => {
  const response = await fetch(`${url}${path}`)
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  return [...(await response.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)
}

test('the sitemap lists communes, acteurs and visible publications, of the communes of the site alone', async () => {
  const chambery = await world.commune({ slug: 'chambery' })
  await insertPublication({ db }, { slug: 'fete', commune_id: chambery.id })
  await insertPublication({ db }, { slug: 'ancienne', publie_le: new Date('2019-01-01') })
  await world.acteur({ slug: 'club', valide: true, commune_id: chambery.id })
  for (const [at, values] of [{ valide: false }, { active: false }, { deleted_at: new Date() }].entries())
    await world.acteur({ slug: `cache-${at}`, valide: true, ...values })
  await insertPublication({ db }, { slug: 'secrete', moderation_status: 'pending', valide: false })
  const rest = Array.from({ length: 1_500 }, (_, at) => ({
    ...{ id: uuidv7(), slug: `c-${at}`, nom: `C ${at}`, code_insee: `8${String(at).padStart(4, '0')}` },
    ...{ codes_postaux: [], departement: '80', region: '32' },
  }))
  await db.insertInto('communes').values(rest).execute()
  const origin = 'http://localhost:3000'
  expect(await read('/sitemap.xml')).toEqual([
    `${origin}/sitemap/communes.xml`,
    `${origin}/sitemap/acteurs.xml`,
    `${origin}/sitemap/publications.xml`,
    `${origin}/sitemap/actes.xml`,
    `${origin}/sitemap/groupes.xml`,
    `${origin}/sitemap/pages.xml`,
  ])
  const communes = await read('/sitemap/communes.xml')
  expect(new Set(communes).size).toBe(1_501)
  expect(communes).toContain(`${origin}/communes/chambery`)
  expect(await read('/sitemap/publications.xml')).toEqual([
    `${origin}/publications/ancienne`,
    `${origin}/publications/fete`,
  ])
  expect(await read('/sitemap/acteurs.xml')).toEqual([`${origin}/acteurs/club`])
  const commune_ids = [rest[0]?.id ?? '']
  await db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  expect(await read('/sitemap/communes.xml')).toEqual([`${origin}/communes/c-0`])
  for (const name of ['acteurs', 'publications', 'actes'])
    expect(await read(`/sitemap/${name}.xml`)).toEqual([])
})

test('long lists are cut into pieces that leave out and repeat nothing', async () => {
  await db.updateTable('app_sources').set({ commune_ids: null }).where('code', '=', 'site').execute()
  const list = addressesOfCommunes(null)
  const all = await listAddresses(db, list, null, 2_000)
  for (const size of [500, all.length - 1, all.length, all.length + 1]) {
    const starts = [null, ...(await listPieces(db, list, size))]
    expect(starts).toHaveLength(Math.ceil(all.length / size))
    const pieces = await Promise.all(starts.map((after) => listAddresses(db, list, after, size)))
    expect(pieces.flat()).toEqual(all)
  }
  for (const path of ['/sitemap/communes.xml?page=2', '/sitemap/users.xml'])
    expect((await fetch(`${url}${path}`)).status).toBe(404)
})
