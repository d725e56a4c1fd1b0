import { expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { type Area, isInArea } from '../../../platform/formats/area.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertAddresses } from '../../addresses/addresses.test-kit.ts'

const world = await openWorld()
const { commune, as, db, get } = world
const admin = await as('admin')
const { commune: town, secretary, publisher, clubOwner } = await openMairie(world)
const path = `/mairie/communes/${town.id}/secteurs`
const weekly = { libelle: 'Bac', mode: 'porte_a_porte', jours: ['mardi'] } as const
const street = { rue: 'Rue Haute', de: 1, a: 25, cote: 'impair' }
const square = [[5, 45], [6, 45], [6, 46], [5, 45]] // biome-ignore format: a ring
const zone = { type: 'Polygon', coordinates: [square] }

const list = async () => (await secretary.get(path)).body.data
const named = async (nom: string) => (await list()).find((one: { nom: string }) => one.nom === nom)
async function collect(rows: [type: string, secteur: string | null][]) {
  const collectes = rows.map(([type_dechet, secteur]) => ({ ...weekly, type_dechet, secteur }))
  const { status, body } = await secretary.patch(`/mairie/communes/${town.id}`, { collectes })
  expect(status).toBe(200)
  return body.data
}
const secteursOf = async () =>
  (await get(`/communes/${town.id}/collectes`)).body.data.map(({ secteur }: { secteur: string }) => secteur)

test('secteurs of collections are records, with streets and an area that the public reads', async () => {
  await collect([
    ['verre', 'Centre'],
    ['emballages', 'Centre'],
    ['verre', 'Hauts'],
  ])
  expect(await list()).toMatchObject([
    { nom: 'Centre', collectes: 2, rues: [], zone: null, can: ['edit'], version: 1 },
    { nom: 'Hauts', collectes: 1 },
  ])
  const { id } = await named('Hauts')
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  const { status, body, headers } = await secretary.patch(`${path}/${id}`, {
    rues: [street, { rue: 'Place du Four' }],
    zone,
  })
  expect(status).toBe(200)
  const rues = [street, { rue: 'Place du Four', de: null, a: null, cote: null }]
  expect(body.data).toMatchObject({ nom: 'Hauts', rues, zone, version: 2 })
  expect(headers.get('etag')).toBe('"2"')
  const shown = (await get(`/communes/${town.id}/secteurs`)).body.data
  expect(shown).toEqual([
    expect.objectContaining({ nom: 'Centre' }),
    { id, nom: 'Hauts', anciens_noms: [], rues, zone },
  ])
})

test('a new name is that of its collections, and the former one leads there', async () => {
  await collect([
    ['verre', 'Centre'],
    ['emballages', 'centre'],
    ['verre', 'Hauts'],
    ['papier', null],
  ])
  const { id } = await named('Centre')
  const before = (await secretary.get(`/mairie/communes/${town.id}`)).body.data.version
  expect((await secretary.patch(`${path}/${id}`, { nom: 'Cœur' })).body.data).toMatchObject({
    ...{ nom: 'Cœur', anciens_noms: ['Centre'], collectes: 2 },
  })
  expect(await secteursOf()).toEqual(['Cœur', 'Cœur', 'Hauts', null])
  expect((await secretary.get(`/mairie/communes/${town.id}`)).body.data.version).toBe(before + 1)
  const calendar = await get(`/communes/${town.slug}/collectes.ics?secteur=Centre`)
  expect(await calendar.text).not.toContain('Secteur renommé')
  for (const nom of ['hauts', 'HAUTS !'])
    expect(await secretary.patch(`${path}/${id}`, { nom })).toBeError(409, 'secteur_exists')
  expect((await secretary.patch(`${path}/${id}`, { nom: 'CŒUR' })).status).toBe(200)
})

test('streets stay when no collection names their secteur, and come with it when it is renamed or merged', async () => {
  await collect([
    ['verre', 'Nord'],
    ['verre', 'Sud'],
  ])
  for (const nom of ['Nord', 'Sud'])
    await secretary.patch(`${path}/${(await named(nom)).id}`, { rues: [{ rue: `Rue du ${nom}` }], zone })
  const { id } = await named('Nord')
  await collect([])
  expect(await named('Nord')).toMatchObject({ id, collectes: 0, can: ['edit', 'delete'] })
  const { collectes } = await collect([
    ['verre', 'nord'],
    ['verre', 'Sud'],
  ])
  expect(await named('nord')).toMatchObject({ id, rues: [{ rue: 'Rue du Nord' }] })
  const both = collectes.map(({ id, type_dechet }: { id: string; type_dechet: string }) => ({
    ...weekly,
    ...{ id, type_dechet, secteur: 'Sud' },
  }))
  await secretary.patch(`/mairie/communes/${town.id}`, { collectes: both })
  expect(await named('Sud')).toMatchObject({
    rues: [{ rue: 'Rue du Sud' }, { rue: 'Rue du Nord' }],
    zone: { type: 'MultiPolygon', coordinates: [[square], [square]] },
  })
  expect(await named('nord')).toBeUndefined()
})

test('POST creates a secteur before its collections, DELETE removes one that none names', async () => {
  const { status, body } = await secretary.post(path, { nom: ' Les  Îles', rues: [street] })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ nom: 'Les Îles', collectes: 0, version: 1, can: ['edit', 'delete'] })
  expect(await secretary.post(path, { nom: 'les iles' })).toBeError(409, 'secteur_exists')
  await collect([['verre', 'Les Îles']])
  const one = `${path}/${body.data.id}`
  expect(await secretary.delete(one)).toBeError(409, 'secteur_in_use')
  await collect([])
  expect((await secretary.delete(one)).body.data).toMatchObject({ nom: 'Les Îles', can: [] })
  expect(await secretary.delete(one)).toBeError(404, 'not_found')
})

test('of two that create the same name, or change one version, one succeeds', async () => {
  const made = await Promise.all(['Ouest', 'ouest'].map((nom) => secretary.post(path, { nom })))
  expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const { id, version } = await named(made.find(({ status }) => status === 201)?.body.data.nom)
  const as = { headers: { 'if-match': `"${version}"` } }
  const changed = await Promise.all(
    [1, 2].map((de) => secretary.patch(`${path}/${id}`, { rues: [{ rue: 'Rue A', de }] }, as)),
  )
  expect(changed.map(({ status }) => status).toSorted()).toEqual([200, 412])
  expect(await secretary.delete(`${path}/${id}`, as)).toBeError(412, 'precondition_failed')
})

test('403 and 404 as for the commune, 422 for what is no street or area', async () => {
  await collect([['verre', 'Est']])
  const { id } = await named('Est')
  const one = `${path}/${id}`
  for (const [method, at, body] of [
    ['post', path, { nom: 'Neuf' }],
    ['patch', one, { nom: 'Neuf' }],
    ['delete', one, undefined],
  ] as const) {
    expect(await publisher[method](at, body as never)).toBeError(403, 'forbidden')
    expect(await clubOwner[method](at, body as never)).toBeError(403, 'scope_violation')
  }
  expect((await publisher.get(path)).body.data.find((row: { id: string }) => row.id === id).can).toEqual([])
  expect(await clubOwner.get(path)).toBeError(403, 'scope_violation')
  const other = await commune()
  expect(await admin.patch(`/mairie/communes/${other.id}/secteurs/${id}`, { nom: 'X' })).toBeError(
    404,
    'not_found',
  )
  for (const body of [
    {},
    { nom: ' ' },
    { rues: [{ rue: 'Rue A', de: 9, a: 3 }] },
    { rues: [{ rue: 'Rue A', de: 0 }] },
    { rues: [{ rue: 'Rue A', cote: 'gauche' }] },
    { zone: { type: 'Point', coordinates: [5, 45] } },
    { zone: { type: 'Polygon', coordinates: [[...square.slice(0, 3), [5, 44]]] } },
  ])
    expect(await secretary.patch(one, body), JSON.stringify(body)).toBeError(422, 'validation_failed')
})

const counted = (body: object, by = secretary) => by.post(`${path}/addresses`, body)
const polygon = (...coordinates: number[][][]) => ({ type: 'Polygon', coordinates })
const box = (west: number, south: number, size: number) => {
  const [east, north] = [west + size, south + size]
  return [[west, south], [east, south], [east, north], [west, north], [west, south]] // biome-ignore format: a ring
}

test('counts the addresses of a commune in an area that is drawn, before it is saved', async () => {
  expect((await counted({ zone })).body).toEqual({ data: { inside: 0, known: 0 } })
  const far = await commune()
  const at = (places: [number, number][], { code_insee }: typeof far) =>
    places.map(([x, y], n) => `${code_insee};Rue Haute;${n + 1};;${x};${y}`)
  const here = [[5.1, 45.1], [5.5, 45.5], [5.9, 45.9], [6.5, 45.5]] satisfies [number, number][] // biome-ignore format: places
  await insertAddresses(db, ...at(here, town), ...at([[5.5, 45.5]], far))
  const [whole, hole] = [box(5, 45, 1), box(5.4, 45.4, 0.2)]
  for (const [drawn, inside] of [
    [polygon(whole), 3],
    [polygon(whole, hole), 2],
    [polygon(box(0, 0, 1)), 0],
    // Parts that overlap: each address counts once.
    [{ type: 'MultiPolygon', coordinates: [[whole], [box(5.4, 45.4, 2)]] }, 4],
    [{ type: 'MultiPolygon', coordinates: [[whole, hole], [box(5.45, 45.45, 0.1)]] }, 3],
  ] as const) {
    const { status, body } = await counted({ zone: drawn })
    expect([status, body]).toEqual([200, { data: { inside, known: 4 } }])
  }
  expect((await counted({ zone }, admin)).body.data.known).toBe(4)
})

test('counts as an address is looked up: in the edge of a part, and in none of its holes', async () => {
  const other = await commune()
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  const places = Array.from({ length: 400 }, () => ({ lat: 45 + random(), lon: 5 + random() }))
  const rows = places.map(({ lat, lon }, n) => `${other.code_insee};Rue A;${n + 1};;${lon};${lat}`)
  await insertAddresses(db, ...rows)
  const star = (x: number, y: number) => {
    const turns = Array.from({ length: 7 + Math.floor(random() * 30) }, () => random() * 2 * Math.PI)
    const corners = turns
      .sort((a, b) => a - b)
      .map((turn): [number, number] => {
        const reach = 0.05 + random() / 2
        return [x + reach * Math.cos(turn), y + reach * Math.sin(turn)]
      })
    return [...corners, corners[0] ?? []]
  }
  for (let n = 0; n < 40; n++) {
    const parts = Array.from({ length: 1 + (n % 3) }, () => [star(5 + random(), 45 + random())])
    parts[0]?.push(star(5.5, 45.5))
    const drawn: Area = { type: 'MultiPolygon', coordinates: parts }
    const answer = await admin.post(`/mairie/communes/${other.id}/secteurs/addresses`, { zone: drawn })
    // A hole reaches beyond the edge here: what lies in the hole alone is in no part.
    const inside = places.filter((place) => isInArea(place, drawn)).length
    expect(answer.body.data.inside).toBe(inside)
  }
})

test('refuses to count in what is no area, in a large one, and for others', async () => {
  const dense = Array.from({ length: 2_000 }, (_, n) => [5 + n / 10_000, 45])
  for (const [body, message] of [
    [{}, ''],
    [{ zone: null }, ''],
    [{ zone: { type: 'Point', coordinates: [5, 45] } }, ''],
    [{ zone: polygon([...square.slice(0, 3), [5, 44]]) }, 'end where they begin'],
    [{ zone: polygon([...dense.slice(1), [5.0001, 45]], square) }, '2000 points'],
  ] as const) {
    const answer = await counted(body)
    expect(answer, message).toBeError(422, 'validation_failed')
    expect(answer.text).toContain(message)
  }
  expect(await counted({ zone }, publisher)).toBeError(403, 'forbidden')
  expect(await counted({ zone }, clubOwner)).toBeError(403, 'scope_violation')
  expect(await admin.post(`/mairie/communes/${uuidv7()}/secteurs/addresses`, { zone })).toBeError(
    404,
    'not_found',
  )
})

test('the former version of the service still writes secteurs without their new columns', async () => {
  const { id } = await commune()
  await db
    .insertInto('secteurs')
    .values({ commune_id: id, nom: 'Bourg', nom_initial: 'Bourg' } as never)
    .execute()
  expect((await get(`/communes/${id}/secteurs`)).body.data).toMatchObject([{ nom: 'Bourg', rues: [] }])
})
