import ICAL from 'ical.js'
import RssParser from 'rss-parser'
import { expect, test } from 'vitest'
import { statementsAbout } from '../../test/support/statements.ts'
import { openWorld } from '../../test/support/world.ts'
import { formOf, png } from '../modules/media/media.test-kit.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { todayInParis } from '../platform/time/paris-time.ts'

const world = await openWorld()
const { url } = world
const canonical = 'http://localhost:3000'
const admin = await world.as('admin')
const commune = await world.commune({ nom: 'Chambéry', slug: 'chambery' })
const acteur = await world.acteur({
  nom: 'Croqueurs',
  slug: 'croqueurs',
  commune_id: commune.id,
  valide: true,
})

async function send(alt: string | null, color: string): Promise<string> {
  const form = formOf(
    await png(color, { width: 1000, height: 600 }),
    alt === null ? { decorative: 'true' } : { alt },
  )
  return (await admin.post('/media', form)).body.data.id
}
const stalls = await send('Des étals & des "pommes"', '#4a7')
const frieze = await send(null, '#74a')
const today = todayInParis(new Date())
const shared = { commune_id: commune.id, acteur_id: acteur.id }
for (let n = 0; n < 5; n++)
  await insertPublication(world, {
    ...{ ...shared, slug: `nouvelle-${n}`, title: `Nouvelle ${n}`, en_avant: true },
    images: n === 4 ? [frieze] : [stalls, frieze],
  })
await insertPublication(world, {
  ...{ ...shared, slug: 'marche', title: 'Marché', date_debut: today, images: [stalls] },
})

const read = async (path: string) => (await fetch(`${url}${path}`)).text()
const picturesIn = (text: string) =>
  [...text.matchAll(/<img [^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes('/media/'))

test.each([
  ['/', 3, 0],
  ['/communes/chambery', 6, 0],
  ['/communes/chambery/publications', 6, 3],
  ['/communes/chambery/agenda', 1, 0],
  ['/acteurs/croqueurs', 7, 0],
  ['/recherche?q=nouvelle', 5, 0],
])(
  '%s shows covers with their size and description; those of the first screen load at once',
  async (path, count, eager) => {
    const pictures = picturesIn(await read(path))
    expect(pictures).toHaveLength(count)
    for (const tag of pictures) expect(tag).toMatch(/ width="1000" height="600">$/)
    expect(pictures.filter((tag) => !tag.includes('loading="lazy"'))).toHaveLength(eager)
    const described = pictures.filter((tag) => tag.includes('alt="Des étals &amp; des &quot;pommes&quot;"'))
    expect(described.length + pictures.filter((tag) => tag.includes('alt=""')).length).toBe(count)
    expect(described.length).toBeGreaterThan(0)
    for (const [, address = ''] of pictures.join(' ').matchAll(/ src="([^"]+)"/g))
      expect((await fetch(`${url}${address}`)).headers.get('content-type')).toBe('image/jpeg')
  },
)

test('a page with many pictures reads them with the same statements', async () => {
  const sent = async () => (await statementsAbout(/media/, () => read('/communes/chambery?secteur=x'))).length
  const before = await sent()
  expect(before).toBeGreaterThan(0)
  for (let n = 0; n < 8; n++)
    await insertPublication(world, { ...shared, title: `Autre ${n}`, images: [stalls] })
  expect(await sent()).toBe(before)
})

test('a description that changes is on the pages of lists at once', async () => {
  await read('/communes/chambery/publications')
  await admin.patch(`/media/${frieze}`, { decorative: false, alt: 'Une frise' })
  expect(await read('/communes/chambery/publications')).toContain('alt="Une frise"')
})

test('feeds have the cover with its size and description', async () => {
  const path = '/communes/chambery/publications'
  const file = `${canonical}/media/${stalls}/1600.jpg`
  const bytes = (await (await fetch(`${url}/media/${stalls}/1600.jpg`)).arrayBuffer()).byteLength
  const rss = await read(`${path}.rss`)
  const parser = new RssParser({ customFields: { item: ['media:content'] } })
  const item = (await parser.parseString(rss)).items.find(({ title }) => title === 'Marché')
  expect(item?.enclosure).toEqual({ url: file, type: 'image/jpeg', length: `${bytes}` })
  const { $: media, 'media:description': description } = (item as never)['media:content'] as {
    $: object
    'media:description': unknown[]
  }
  expect(media).toMatchObject({
    url: file,
    medium: 'image',
    width: '1000',
    height: '600',
    fileSize: `${bytes}`,
  })
  expect(JSON.stringify(description)).toContain(String.raw`Des étals & des \"pommes\"`)
  const { parseAtomFeed } = await import('feedsmith')
  const entry = parseAtomFeed(await read(`${path}.atom`)).entries?.find(({ title }) =>
    JSON.stringify(title).includes('Marché'),
  )
  expect(entry?.links).toContainEqual({ href: file, rel: 'enclosure', type: 'image/jpeg', length: bytes })
  expect(entry?.media?.contents?.[0]).toMatchObject({
    url: file,
    description: { value: 'Des étals & des "pommes"' },
  })
  const json = JSON.parse(await read(`${path}.json`))
  expect(json.items.find(({ title }: { title: string }) => title === 'Marché').image).toBe(file)
})

test('a calendar has the cover of an event', async () => {
  const text = await read('/communes/chambery/agenda.ics')
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
  expect(event?.getFirstPropertyValue('attach')).toBe(`${canonical}/media/${stalls}/1600.jpg`)
})
