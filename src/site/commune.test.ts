import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { storedJours } from '../modules/publications/recurrence.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
world.setClock('2026-11-20T10:00:00Z')
const read = async (slug: string) => (await fetch(`${url}/communes/${slug}`)).text()

test('shows the opening hours of the mairie, and the row of the commune only without them', async () => {
  const hall = await world.acteur({ type: 'mairie', valide: true })
  const { id } = await world.commune({ slug: 'ouverte', mairie_actor_id: hall.id })
  const info = { cle: 'horaires', libelle: 'Horaires', valeur: 'Le matin', position: 1 }
  await db
    .insertInto('commune_infos')
    .values({ id: uuidv7(), commune_id: id, ...info })
    .execute()
  expect(await read('ouverte')).toContain('<dt>Horaires</dt><dd>Le matin</dd>')
  const setHours = (horaires: string | null, active = true) =>
    db.updateTable('acteurs').set({ horaires, active }).where('id', '=', hall.id).execute()
  await setHours('Mo-Fr 08:30-12:00')
  const text = await read('ouverte')
  expect(text.match(/<dt>Horaires<\/dt>/g)).toHaveLength(1)
  expect(text).toContain('<li>Du lundi au vendredi\u00a0: 8\u00a0h\u00a030 – 12\u00a0h</li>')
  expect(text).not.toContain('Le matin')
  await setHours('Mo-Fr 08:30-12:00', false)
  expect(await read('ouverte')).toContain('<dd>Le matin</dd>')
})

test('practical information that is a number or an address can be called, written to or opened', async () => {
  const hall = await world.acteur({ type: 'mairie', valide: true, telephone: '04 79 00 00 00' })
  const { id } = await world.commune({ slug: 'joignable', mairie_actor_id: hall.id })
  const told = [
    '04 79 00 00 01',
    'eau@joignable.example',
    'https://eau.example/?a=1&b=2',
    'https://eau.example, le soir',
  ]
  await db
    .insertInto('commune_infos')
    .values(
      told.map((valeur, position) => ({
        ...{ id: uuidv7(), commune_id: id, cle: `c${position}`, valeur, position },
        libelle: position === 0 ? 'Téléphone' : 'Eau',
      })),
    )
    .execute()
  const text = await read('joignable')
  const phone = (end: string) =>
    `<dd><a href="tel:047900000${end}">04\u00a079\u00a000\u00a000\u00a00${end}</a></dd>`
  expect(text).toContain(`<dt>Téléphone</dt>${phone('0')}${phone('1')}\n`)
  expect(text).toContain(
    '<dt>Eau</dt><dd><a href="mailto:eau@joignable.example">eau@joignable.example</a></dd><dd><a href="https://eau.example/?a=1&amp;b=2" rel="nofollow">https://eau.example/?a=1&amp;b=2</a></dd><dd>https://eau.example, le soir</dd>',
  )
})

test('a collection of next year says so', async () => {
  const { id } = await world.commune({ slug: 'lointaine' })
  const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: [], position: 0 }
  await db
    .insertInto('collectes')
    .values({ ...collecte, id: uuidv7(), commune_id: id, dates: ['2026-12-29', '2027-01-05'] })
    .execute()
  expect(await read('lointaine')).toContain('Prochaine collecte mardi 29 décembre</h2>')
  world.setClock('2026-12-30T10:00:00Z')
  try {
    expect(await read('lointaine')).toContain('Prochaine collecte mardi 5 janvier 2027</h2>')
  } finally {
    world.setClock('2026-11-20T10:00:00Z')
  }
})

const event = (commune_id: string, slug: string, date_debut: string, date_fin: string | null = null) =>
  insertPublication(world, { commune_id, slug, title: slug, date_debut, date_fin })
const eventsOf = async (slug: string, section = 'agenda') => {
  const text = await read(slug)
  const [, found = ''] = new RegExp(`aria-labelledby="${section}">(.*?)</section>`, 's').exec(text) ?? []
  return [...found.matchAll(/href="\/publications\/([^"]+)"/g)].map(([, slug]) => slug)
}

test('exhibitions that are under way leave the places to the next events', async () => {
  const { id } = await world.commune({ slug: 'musees' })
  for (let n = 0; n < 6; n++) await event(id, `expo-${n}`, `2026-09-0${n + 1}`, '2027-03-01')
  await event(id, 'lundi', '2026-11-23')
  await event(id, 'hier', '2026-11-19')
  await event(id, 'samedi', '2026-11-21')
  await event(id, 'ce-jour', '2026-11-20', '2026-11-22')
  expect(await eventsOf('musees', 'week-end')).toEqual(['samedi', 'ce-jour', 'expo-5', 'expo-4'])
  expect(await eventsOf('musees')).toEqual(['lundi', 'expo-3', 'expo-2', 'expo-1', 'expo-0'])
  for (let n = 1; n < 5; n++) await event(id, `noel-${n}`, `2026-12-0${n}`)
  expect(await eventsOf('musees')).toEqual(['lundi', 'noel-1', 'noel-2', 'noel-3', 'noel-4'])
})

test.each([
  ['2026-11-20', 'week-end-1', 'Ce week-end <span class="soft">21 et 22 novembre</span>', 'ce week-end'],
  ['2026-11-21', 'week-end-2', 'Ce week-end <span class="soft">21 et 22 novembre</span>', 'ce week-end'],
  ['2026-11-22', 'week-end-3', 'Ce week-end <span class="soft">22 novembre</span>', 'dimanche'],
  [
    '2026-10-30',
    'week-end-4',
    'Ce week-end <span class="soft">31 octobre et 1er novembre</span>',
    'ce week-end',
  ],
])('on %s the week-end that is meant is said, and that it has nothing', async (day, slug, title, nothing) => {
  world.setClock(`${day}T10:00:00Z`)
  try {
    const { id } = await world.commune({ slug })
    await event(id, `${slug}-loin`, '2027-06-01')
    const text = await read(slug)
    expect(text).toContain(title)
    expect(text).toContain(`Rien n’est annoncé ${nothing}.`)
    expect(text).toContain('<p class="when">Mardi 1er juin 2027</p>')
    const next = `Prochaine date : <a href="/publications/${slug}-loin">mardi 1er juin 2027, `
    expect(text.includes(next)).toBe(nothing === 'ce week-end')
  } finally {
    world.setClock('2026-11-20T10:00:00Z')
  }
})

test('a week-end names the day on which nothing is announced', async () => {
  const { id } = await world.commune({ slug: 'dimanche-vide' })
  await event(id, 'du-samedi', '2026-11-21')
  const text = await read('dimanche-vide')
  expect(text).toContain('<p class="when">Samedi 21 novembre</p>')
  expect(text).toContain('Rien n’est annoncé dimanche.')
  await event(id, 'du-dimanche', '2026-11-22')
  expect(await read('dimanche-vide')).not.toContain('Rien n’est annoncé')
})

test('dates that are called off leave the places to those that take place', async () => {
  const { id } = await world.commune({ slug: 'tempete' })
  const off = { date: '2026-11-21', reportee_au: null }
  const recurrence = { regle: 'FREQ=WEEKLY;COUNT=3', exceptions: [], ajouts: [], occurrences: [off] }
  for (let n = 1; n < 6; n++) {
    const row = { commune_id: id, slug: `cours-${n}`, date_debut: '2026-11-21', recurrence }
    await insertPublication(world, { ...row, jours: storedJours(row) })
  }
  await event(id, 'bal', '2026-11-22')
  expect(await eventsOf('tempete', 'week-end')).toEqual(['cours-1', 'cours-2', 'cours-3', 'bal'])
  expect(await eventsOf('tempete')).toEqual(['cours-1', 'cours-2', 'cours-3', 'cours-4', 'cours-5'])
  const days = { date_debut: '2026-11-19', date_fin: '2026-11-20' }
  const occurrences = [{ date: '2026-11-19', reportee_au: null }]
  const row = { ...days, slug: 'stage', recurrence: { ...recurrence, occurrences } }
  const other = await world.commune({ slug: 'tempete-2' })
  await insertPublication(world, { ...row, commune_id: other.id, jours: storedJours(row) })
  expect(await eventsOf('tempete-2')).toEqual(['stage'])
  expect(await read('tempete-2')).not.toContain('<del>')
})

test('news show a series once, and nothing that stands in the agenda', async () => {
  const { id } = await world.commune({ slug: 'serie' })
  for (let n = 1; n < 9; n++)
    await insertPublication(world, {
      commune_id: id,
      slug: `bloc-${n}`,
      title: 'Soirée bloc',
      date_debut: `2027-01-0${n}`,
    })
  await event(id, 'nouvelle', '2026-11-25')
  expect(await eventsOf('serie')).toContain('nouvelle')
  const news = await eventsOf('serie', 'publications')
  expect(news).toHaveLength(1)
  expect(news[0]).toMatch(/^bloc-/)
})
