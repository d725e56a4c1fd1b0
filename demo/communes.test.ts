import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadAddresses } from '../src/loaders/addresses/load.ts'
import { loadCommunes } from '../src/loaders/communes/load.ts'
import { loadElus } from '../src/loaders/elus/load.ts'
import { loadMairies } from '../src/loaders/mairies/load.ts'
import { createRun } from '../src/loaders/run.ts'
import { locatePlace } from '../src/modules/addresses/locating.ts'
import type { CommuneUpdate } from '../src/modules/communes/editing/schema.ts'
import { cloneWithCommunes } from '../test/support/many/communes.ts'
import { openWorld } from '../test/support/world.ts'
import { insertDemoCommunes } from './communes.ts'
import { mapCommuneIds, openData, readData } from './data.ts'

const { db, as, get, url } = await openWorld({ database: await cloneWithCommunes() })
const pictures = 'http://localhost:3000/demo'
const undone = db.transaction().execute(async (tx) => {
  await insertDemoCommunes(tx, pictures, new Date())
  throw new Error('undone')
})
await expect(undone).rejects.toThrow('undone')
const left = await db.selectFrom('acteurs').select('id').execute()
await db.transaction().execute((tx) => insertDemoCommunes(tx, pictures, new Date()))
const codes = (await readData<{ code: string }[]>('communes/communes.json')).map(({ code }) => code)
const ids = await mapCommuneIds(db, codes)

test('is committed or rolled back with the given transaction', () => {
  expect(left).toEqual([])
})

test('the loaders accept every row of the files and find nothing to change afterwards', async () => {
  expect(ids.size).toBe(codes.length)
  const mairies = await readData<{ service: object[] }>('communes/mairies.json')
  const [, ...elus] = readFileSync('demo/communes/elus.csv', 'utf8').trim().split('\n')
  const addresses = readFileSync('demo/communes/adresses.csv', 'utf8').match(/^73065_xxxx_(?!99999)/gm) ?? []
  const loads = [
    [loadCommunes, 'communes/communes.json', codes.length],
    [loadMairies, 'communes/mairies.json', mairies.service.length],
    [loadElus, 'communes/elus.csv', elus.length],
    [loadAddresses, 'communes/adresses.csv', addresses.length],
  ] as const
  for (const [load, file, rows] of loads) {
    const run = createRun()
    await load(db, openData(file), run)
    expect(run.refusals, file).toEqual([])
    expect(run.counts, file).toMatchObject({ unchanged: rows, created: 0, updated: 0, setAside: 0 })
  }
})

test('addresses of Chambéry are found', async () => {
  for (const typed of ['12 rue croix d’or, chambéry', '12 bis r. croix d or'])
    expect(await locatePlace(db, typed, null)).toMatchObject({
      nom: expect.stringMatching(/^12( bis)? Rue Croix d’Or, Chambéry$/),
    })
})

test('the sub-lists are valid bodies of PATCH /admin/communes/{id}', async () => {
  const admin = await as('admin')
  const lists = {
    collectes: await readData<Record<string, CommuneUpdate['collectes']>>('communes/collectes.json'),
    infos: await readData<Record<string, CommuneUpdate['infos']>>('communes/infos.json'),
  }
  for (const [name, byCode] of Object.entries(lists)) {
    for (const [code, list] of Object.entries(byCode)) {
      const { status, body } = await admin.patch(`/admin/communes/${ids.get(code)}`, { [name]: list })
      expect(status, `${name} of ${code}: ${JSON.stringify(body)}`).toBe(200)
    }
  }
})

test('an address of Chambéry leads to the days of its secteur', async () => {
  const secteur = async (adresse: string) => {
    const search = new URLSearchParams({ adresse })
    const response = await fetch(`${url}/communes/chambery/collectes?${search}`, { redirect: 'manual' })
    return new URL(response.headers.get('location') ?? '', url).searchParams.get('secteur')
  }
  expect(await secteur('12 rue croix d’or')).toBe('Centre et Biollay')
  expect(await secteur('8 av. du comte vert')).toBe('Centre et Biollay')
  expect(await secteur('120 av. du comte vert')).toBe('Chambéry-le-Vieux')
})

test('councils are in order, and the maire of a métropole has a photo', async () => {
  const { body } = await get(`/communes/${ids.get('75056')}/elus`)
  expect(body.data.map(({ fonction }: { fonction: string }) => fonction.split(',')[0])).toEqual([
    'Maire',
    'Premier adjoint',
    'Deuxième adjointe',
    'Troisième adjoint',
    'Quatrième adjointe',
    'Cinquième adjoint',
    'Sixième adjointe',
    expect.stringMatching(/^Conseill.* délégué/),
    ...Array(4).fill(expect.stringMatching(/^Conseill\S+ municipale?$/)),
  ])
  expect(body.data[0]).toMatchObject({
    ...{ nom: 'Carpentier-Diallo', prenom: 'Inès' },
    photo: { alt: 'Portrait', width: 800, height: 800 },
  })
  expect(
    body.data.map(({ photo_url }: { photo_url: string | null }) => photo_url !== null).indexOf(false),
  ).toBe(1)
})
