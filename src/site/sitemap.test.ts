import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const { url, db, ...world } = await openWorld()

const read = async (path: string) => {
  const response = await fetch(`${url}${path}`)
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  return [...(await response.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)
}

test('the sitemap lists communes and visible publications, of the communes of the site alone', async () => {
  const chambery = await world.commune({ slug: 'chambery' })
  await insertPublication({ db }, { slug: 'fete', commune_id: chambery.id })
  await insertPublication({ db }, { slug: 'secrete', moderation_status: 'pending', valide: false })
  const rest = Array.from({ length: 1_500 }, (_, at) => ({
    ...{ id: uuidv7(), slug: `c-${at}`, nom: `C ${at}`, code_insee: `8${String(at).padStart(4, '0')}` },
    ...{ codes_postaux: [], departement: '80', region: '32' },
  }))
  await db.insertInto('communes').values(rest).execute()
  const origin = 'http://localhost:3000'
  expect(await read('/sitemap.xml')).toEqual([
    `${origin}/sitemap/communes.xml`,
    `${origin}/sitemap/publications.xml`,
  ])
  const communes = await read('/sitemap/communes.xml')
  expect(new Set(communes).size).toBe(1_501)
  expect(communes).toContain(`${origin}/communes/chambery`)
  expect(await read('/sitemap/publications.xml')).toEqual([`${origin}/publications/fete`])
  const commune_ids = [rest[0]?.id ?? '']
  await db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  expect(await read('/sitemap/communes.xml')).toEqual([`${origin}/communes/c-0`])
  expect(await read('/sitemap/publications.xml')).toEqual([])
})
