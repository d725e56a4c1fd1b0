import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const { get, as, acteur, commune } = await openWorld()
const shown = { valide: true }
const names = (rows: { nom: string }[]) => rows.map(({ nom }) => nom)

const contact = {
  description: 'Ouvert à tous.',
  adresse: '12 rue des Alpes',
  telephone: '04 65 71 73 12',
  email: 'contact@petanque.example',
  site_web: 'https://petanque.example',
  horaires: 'We 14:00-18:00; PH off',
  siret: '21860194600013',
}

test('GET /acteurs/{idOrSlug} returns 200 with the public fields, by id and by slug, and 304 on a match', async () => {
  const town = await commune({ nom: 'Chambéry' })
  const { id, slug } = await acteur({
    ...contact,
    nom: 'Pétanque',
    badge: 'Or',
    commune_id: town.id,
    ...shown,
  })
  const answer = await get(`/acteurs/${id}`)
  expect(answer.status).toBe(200)
  expect(answer.body.data).toEqual({
    id,
    slug,
    nom: 'Pétanque',
    type: 'association',
    badge: 'Or',
    ...contact,
    logo: null,
    commune: { id: town.id, slug: town.slug, nom: 'Chambéry' },
  })
  for (const other of [id.toUpperCase(), slug])
    expect((await get(`/acteurs/${other}`)).text).toBe(answer.text)
  const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
  expect((await get(`/acteurs/${slug}`, { headers })).status).toBe(304)
})

test('an acteur without a commune or contacts has null for them', async () => {
  const { id } = await acteur(shown)
  expect((await get(`/acteurs/${id}`)).body.data).toMatchObject({ commune: null, email: null, badge: null })
})

test('GET /acteurs/{idOrSlug} returns the same 404 for unknown and non-public acteurs', async () => {
  const hidden = [
    await acteur({ valide: false }),
    await acteur({ ...shown, active: false }),
    await acteur({ ...shown, deleted_at: new Date() }),
  ]
  const texts = new Set<string>()
  const paths = hidden.flatMap(({ id, slug }) => [id, slug])
  for (const path of [...paths, uuidv7(), 'nowhere', 'a%00b', '%ff', 'A-B', 'x'.repeat(300)]) {
    const answer = await get(`/acteurs/${path}`)
    expect(answer, path).toBeError(404, 'not_found')
    texts.add(answer.text)
  }
  expect(texts.size).toBe(1)
})

test('an administrator publishes an acteur by validating it and hides it by revoking that', async () => {
  const { id } = await acteur()
  const admin = await as('admin')
  await admin.patch(`/admin/acteurs/${id}/validate`)
  expect((await get(`/acteurs/${id}`)).status).toBe(200)
  await admin.patch(`/admin/acteurs/${id}/active`, { active: false })
  expect(await get(`/acteurs/${id}`)).toBeError(404, 'not_found')
})

test('GET /communes/{communeId}/acteurs returns 200 by name, 15 a page, public ones only', async () => {
  const { id: commune_id } = await commune()
  const here = { commune_id, ...shown }
  await acteur({ ...here, nom: 'Théâtre' })
  await acteur({ ...here, nom: 'École Jean-Moulin', type: 'ecole' })
  await acteur({ ...here, nom: 'Amis du Château' })
  await acteur({ ...here, nom: 'Boulangerie du château', type: 'commerce' })
  await acteur({ ...here, valide: false })
  await acteur({ ...here, active: false })
  await acteur({ ...here, deleted_at: new Date() })
  await acteur(shown)
  const list = async (query = '') => {
    const { status, body } = await get(`/communes/${commune_id}/acteurs?${query}`)
    expect(status).toBe(200)
    return body
  }
  const all = ['Amis du Château', 'Boulangerie du château', 'École Jean-Moulin', 'Théâtre']
  const { data, meta } = await list()
  expect(names(data)).toEqual(all)
  expect(meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 4 })
  expect(data[0].commune.id).toBe(commune_id)
  expect(names((await list('q=CHATEAU')).data)).toEqual(all.slice(0, 2))
  expect(names((await list('type=ecole')).data)).toEqual(['École Jean-Moulin'])
  expect(names((await list('type=ecole,commerce')).data)).toEqual([
    'Boulangerie du château',
    'École Jean-Moulin',
  ])
  expect(names((await list('q=chateau&type=commerce')).data)).toEqual(['Boulangerie du château'])
  expect(names((await list('per_page=3&page=2')).data)).toEqual(['Théâtre'])
  expect((await list('utm_source=x')).meta.total).toBe(4)
  const path = `/communes/${commune_id}/acteurs`
  const headers = { 'if-none-match': (await get(path)).headers.get('etag') ?? '' }
  expect((await get(path, { headers })).status).toBe(304)
})

test('GET /communes/{communeId}/acteurs returns 200 and an empty list for a commune without acteurs', async () => {
  const { body } = await get(`/communes/${(await commune()).id}/acteurs`)
  expect(body).toEqual({ data: [], meta: { current_page: 1, last_page: 1, per_page: 15, total: 0 } })
})

test('GET /communes/{communeId}/acteurs returns 404 for an unknown commune', async () => {
  for (const id of [uuidv7(), '12', 'chambery'])
    expect(await get(`/communes/${id}/acteurs`)).toBeError(404, 'not_found')
})

test.each(['type=club', 'type=', 'page=0', 'q=a%00b'])(
  'GET /communes/{communeId}/acteurs returns 422 for %s',
  async (query) => {
    const answer = await get(`/communes/${(await commune()).id}/acteurs?${query}`)
    expect(answer).toBeError(422, 'validation_failed')
  },
)
