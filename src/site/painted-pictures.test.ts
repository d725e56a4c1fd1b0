import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { pictureOf } from './look/painter.ts'
import { landOf } from './look/relief.ts'

const world = await openWorld()
const { url, db } = world
const town = await world.commune({ nom: 'Rocamadour', slug: 'rocamadour', code_insee: '46240' })
const open = async (path: string) => {
  const response = await fetch(`${url}${path}`)
  return { response, content: Buffer.from(await response.arrayBuffer()) }
}

test.each([
  ['partage.png', 1_200, 630],
  ['icone-180.png', 180, 180],
  ['icone-192.png', 192, 192],
  ['icone-512.png', 512, 512],
] as const)('%s is a picture of %d × %d', async (file, width, height) => {
  const { response, content } = await open(`/communes/rocamadour/${file}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width, height })
  expect(content.length).toBeLessThan(60_000)
})

test('a page without a picture is shared with that of its commune, whose shield is its icon', async () => {
  const page = (await open('/communes/rocamadour/alertes')).content.toString()
  expect(page).toMatch(/<meta property="og:image" content="[^"]*\/communes\/rocamadour\/partage\.png">/)
  expect(page).toContain('<link rel="apple-touch-icon" href="/communes/rocamadour/icone-180.png">')
  const manifest = (await open('/communes/rocamadour/manifest.webmanifest')).content.toString()
  expect(JSON.parse(manifest).icons.map(({ src }: { src: string }) => src)).toEqual([
    '/communes/rocamadour/icone-192.png',
    '/communes/rocamadour/icone-512.png',
  ])
})

test('the picture follows the colour of the commune', async () => {
  const before = (await open('/communes/rocamadour/partage.png')).content
  await db.updateTable('communes').set({ couleur: '#1f6f78' }).where('id', '=', town.id).execute()
  await expect
    .poll(async () => (await open('/communes/rocamadour/partage.png')).content.equals(before))
    .toBe(false)
})

test('another commune, size or name is a 404', async () => {
  for (const path of ['/communes/nulle/partage.png', '/communes/rocamadour/icone-64.png'])
    expect((await open(path)).response.status, path).toBe(404)
})

test('the file names no colour of a stylesheet', () => {
  const land = landOf({ code_insee: '73065', nom: 'Chambéry' })
  expect(pictureOf(land, '#1f6f78', 'partage.png')).not.toMatch(/class=|var\(|undefined|NaN/)
})
