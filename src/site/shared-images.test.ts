import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { formOf, png } from '../modules/media/media.test-kit.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'

const world = await openWorld()
const { url, db } = world
const admin = await world.as('admin')
const commune = await world.commune({ nom: 'Chambéry', slug: 'chambery' })
const send = async (file: Buffer, alt: string) =>
  (await admin.post('/media', formOf(file, { alt }))).body.data.id as string
const open = (path: string) => fetch(`${url}${path}`)
const read = async (path: string) => (await open(path)).text()
const imageOf = (text: string) =>
  /property="og:image" content="http:\/\/localhost:3000([^"]+)"/.exec(text)?.[1]
const contentOf = async (path: string) => Buffer.from(await (await open(path)).arrayBuffer())

/** Grey, with a strong spot at the right. */
const spotted = await sharp({ create: { width: 1_000, height: 1_000, channels: 3, background: '#999' } })
  .composite([{ input: await png('#f00', { width: 300, height: 300 }), left: 350, top: 680 }])
  .png()
  .toBuffer()
const stalls = await send(spotted, 'Un "point" rouge')
await insertPublication(world, {
  ...{ slug: 'marche', title: 'Marché', commune_id: commune.id, images: [stalls] },
})

test('other sites show the picture of a page as 1200 × 630, cut to what draws the eye', async () => {
  const text = await read('/publications/marche')
  expect(imageOf(text)).toBe(`/media/${stalls}/partage.jpg`)
  expect(text).toContain('<meta property="og:image:width" content="1200">')
  expect(text).toContain('<meta property="og:image:height" content="630">')
  expect(text).toContain('<meta property="og:image:alt" content="Un &quot;point&quot; rouge">')
  const response = await open(`/media/${stalls}/partage.jpg`)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  expect(response.headers.get('cache-control')).toContain('immutable')
  const content = Buffer.from(await response.arrayBuffer())
  expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width: 1_200, height: 630 })
  // The middle alone would show the half of the spot: it is 360 px high here.
  const { data } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
  const red = data.reduce((sum, value, at) => sum + Number(at % 3 === 0 && value > 200), 0)
  expect(red).toBeGreaterThan(330 * 330)
})

test('a picture that nobody sees has no other shape either', async () => {
  const secret = await send(await png('#123456'), 'Secret')
  for (const file of ['partage.jpg', 'partage-entier.jpg', 'icone-192.png'])
    expect((await open(`/media/${secret}/${file}`)).status, file).toBe(404)
  expect((await open(`/media/${stalls}/icone-193.png`)).status).not.toBe(200)
  await db.updateTable('publications').set({ deleted_at: new Date() }).where('slug', '=', 'marche').execute()
  await expect.poll(async () => (await open(`/media/${stalls}/partage.jpg`)).status).toBe(404)
})

test('a commune is shared with its arms, whole, as long as it has no photo', async () => {
  expect(imageOf(await read('/communes/chambery'))).toBe('/communes/chambery/partage.png')
  const blason = await send(await png('#00f', { width: 300, height: 400 }), 'Armes')
  await admin.patch(`/admin/communes/${commune.id}`, { blason })
  await expect
    .poll(async () => imageOf(await read('/communes/chambery')))
    .toBe(`/media/${blason}/partage-entier.jpg`)
  const { data, info } = await sharp(await contentOf(`/media/${blason}/partage-entier.jpg`))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([1_200, 630])
  // A white ground.
  expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])
  const photo = await send(await png('#0a0', { width: 1_600, height: 900 }), 'La place')
  await admin.patch(`/admin/communes/${commune.id}`, { photo })
  await expect.poll(async () => imageOf(await read('/communes/chambery'))).toBe(`/media/${photo}/partage.jpg`)
})

test('the icons of a commune with arms are its arms, on its pages and where it is installed', async () => {
  const other = await world.commune({ slug: 'barby' })
  const blason = await send(await png('#a0a', { width: 300, height: 400 }), 'Armes')
  expect(await read(`/communes/barby/agenda`)).toContain(
    '<link rel="icon" href="/communes/barby/icone-192.png"',
  )
  await admin.patch(`/admin/communes/${other.id}`, { blason })
  const icon = `<link rel="icon" href="/media/${blason}/icone-192.png" type="image/png" sizes="192x192">`
  await expect.poll(() => read('/communes/barby/agenda')).toContain(icon)
  const text = await read('/communes/barby/agenda')
  expect(text).toContain(`<link rel="apple-touch-icon" href="/media/${blason}/icone-180.png">`)
  const { icons } = JSON.parse(await read('/communes/barby/manifest.webmanifest'))
  expect(icons.map(({ src }: { src: string }) => src)).toEqual([
    `/media/${blason}/icone-192.png`,
    `/media/${blason}/icone-512.png`,
  ])
  for (const size of [180, 192, 512]) {
    const { data, info } = await sharp(await contentOf(`/media/${blason}/icone-${size}.png`))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels], `${size}`).toEqual([size, size, 3])
    const pixel = (x: number, y: number) => [...data.subarray((y * size + x) * 3, (y * size + x) * 3 + 3)]
    expect(pixel(0, 0)).toEqual([255, 255, 255])
    expect(pixel(size / 2, size / 2)[0]).toBeGreaterThan(120)
    expect(pixel(size / 2, size / 2)[1]).toBeLessThan(40)
  }
})
