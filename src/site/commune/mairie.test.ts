import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
const week = 'Mo-Fr 08:30-12:00,13:30-17:00; Sa 09:00-12:00'
const hall = await world.acteur({ type: 'mairie', valide: true, horaires: week, telephone: '04 79 00 00 00' })
const commune = await world.commune({ slug: 'ouverte', departement: '73', mairie_actor_id: hall.id })
await db
  .updateTable('acteurs')
  .set({ email: 'mairie@ouverte.example', adresse: '1 place de l’Hôtel & Co, 73000 Ouverte' })
  .where('id', '=', hall.id)
  .execute()

const read = async (sub = '') => (await fetch(`${url}/communes/ouverte${sub}`)).text()
async function stateAt(moment: string) {
  world.setClock(moment)
  const [, words = ''] = /<p class="(?:open|shut)">(.*?)<\/p>/.exec(await read()) ?? []
  return words.replaceAll(/<[^>]*>/g, '').replaceAll('\u00a0', ' ')
}
const setHours = (horaires: string | null) =>
  db.updateTable('acteurs').set({ horaires }).where('id', '=', hall.id).execute()

test.each([
  ['2026-11-26T08:00:00Z', 'Ouverte jusqu’à 12 h, puis dès 13 h 30'],
  ['2026-11-26T13:00:00Z', 'Ouverte jusqu’à 17 h'],
  ['2026-11-26T11:10:00Z', 'Fermée, ouvre à 13 h 30'],
  ['2026-11-26T17:00:00Z', 'Fermée, ouvre demain à 8 h 30'],
  ['2026-11-28T12:00:00Z', 'Fermée, ouvre lundi à 8 h 30'],
  // Christmas is a Friday.
  ['2026-12-24T17:00:00Z', 'Fermée, ouvre samedi à 9 h'],
  ['2026-12-25T10:00:00Z', 'Fermée (jour férié), ouvre demain à 9 h'],
])('at %s it says: %s', async (moment, words) => {
  expect(await stateAt(moment)).toBe(words)
})

test('closures and summer hours are announced a week ahead, and stand instead of the usual hours', async () => {
  await setHours(
    'Mo-Fr 08:30-12:00; Jul 06-Aug 24 Mo-Fr 09:00-11:00; 2027 Aug 02-2027 Aug 27 off; 2026 Dec 24 off',
  )
  const notices = async () => {
    const [, box = ''] = /<ul class="plain notices">(.*?)<\/ul>/.exec(await read()) ?? []
    return box.split('</li>').flatMap((line) => line.replaceAll(/<[^>]*>/g, '') || [])
  }
  await expect.poll(() => stateAt('2026-12-24T09:00:00Z')).toContain('exceptionnellement')
  expect(await stateAt('2026-12-24T09:00:00Z')).toBe('Fermée exceptionnellement, ouvre lundi à 8 h 30')
  expect(await notices()).toEqual([
    'Fermé exceptionnellement aujourd’hui',
    'Fermé le vendredi 25 décembre, jour férié',
  ])
  world.setClock('2026-12-17T09:00:00Z')
  expect(await notices()).toEqual(['Fermé exceptionnellement le jeudi 24 décembre'])
  world.setClock('2026-12-16T09:00:00Z')
  expect(await notices()).toEqual([])
  expect(await stateAt('2027-06-29T08:00:00Z')).toBe('Ouverte jusqu’à 12 h')
  expect(await notices()).toEqual(['Horaires d’été du 6 juillet au 24 août'])
  expect(await stateAt('2027-07-06T06:45:00Z')).toBe('Fermée, ouvre à 9 h')
  // It is closed longer than two weeks.
  expect(await stateAt('2027-08-02T08:00:00Z')).toBe(
    'Fermée exceptionnellement, ouvre lundi 30 août à 8 h 30',
  )
  expect(await notices()).toContain('Fermé du lundi 2 août au vendredi 27 août')
  await setHours(week)
})

test('the page of an acteur announces closures too, and shows what nobody can read as text', async () => {
  const page = async () =>
    (await (await fetch(`${url}/acteurs/${hall.slug}`)).text()).replaceAll('\u00a0', ' ')
  await setHours('Mo-Fr 08:30-12:00; 2026 Dec 24 off')
  world.setClock('2026-12-24T09:00:00Z')
  await expect.poll(page).toContain('<strong>Fermé exceptionnellement aujourd’hui</strong>')
  await setHours('<script>Dec 99 off')
  await expect.poll(page).toContain('&lt;script&gt;Dec 99 off')
  await setHours(week)
})

test('the cached page follows the clock', async () => {
  const cached = await openWorld({ keeps: true })
  const mairie = await cached.acteur({ type: 'mairie', valide: true, horaires: 'Mo-Fr 08:30-12:00' })
  await cached.commune({ slug: 'suit', mairie_actor_id: mairie.id })
  const isOpen = async () =>
    (await (await fetch(`${cached.url}/communes/suit`)).text()).includes('jusqu’à 12')
  cached.setClock('2026-11-26T10:59:59.000Z')
  const hits = async () => {
    expect(await isOpen()).toBe(true)
    return cached.app.cache?.hits ?? 0
  }
  await expect.poll(hits).toBeGreaterThan(0)
  cached.setClock('2026-11-26T11:00:00.000Z')
  await expect.poll(isOpen).toBe(false)
})

test('where hours cannot be read, or name no time to come, it says no more than is known', async () => {
  for (const horaires of ['sur rendez-vous', 'Mo-Su off']) {
    await setHours(horaires)
    await expect.poll(() => stateAt('2026-11-26T08:00:00Z')).toBe('')
  }
})

test('hours that are written as text are understood, in every word or not at all', async () => {
  await setHours(null)
  await expect.poll(() => read()).not.toContain('Tous les horaires')
  const id = uuidv7()
  const info = { id, commune_id: commune.id, cle: 'horaires', libelle: 'Horaires', position: 1 }
  await db
    .insertInto('commune_infos')
    .values({ ...info, valeur: 'Le matin' })
    .execute()
  const say = (valeur: string) =>
    db.updateTable('commune_infos').set({ valeur }).where('id', '=', id).execute()
  await expect.poll(() => stateAt('2026-11-26T08:00:00Z')).toBe('')
  await say('Du lundi au vendredi de 8 h 30 à midi')
  await expect.poll(() => stateAt('2026-11-26T08:00:00Z')).toBe('Ouverte jusqu’à 12 h')
  await say('Du lundi au vendredi de 8 h 30 à midi (sauf en août)')
  await expect.poll(() => stateAt('2026-11-26T08:00:00Z')).toBe('')
})

test('one can call, write, go there and read all hours', async () => {
  const text = await read()
  expect(text).toMatch(/<a href="tel:0479000000"><svg.*?<\/svg>Appeler<\/a>/)
  expect(text).toMatch(/<a href="mailto:mairie@ouverte\.example"><svg.*?<\/svg>Écrire<\/a>/)
  const [, route = ''] = /<a href="([^"]*)"><svg[^>]*><path[^>]*><\/svg>Y aller</.exec(text) ?? []
  expect(new URL(route.replaceAll('&amp;', '&')).searchParams.get('to')).toBe(
    '1 place de l’Hôtel & Co, 73000 Ouverte',
  )
  expect(text).toContain('<a href="#coordonnees">Tous les horaires</a>')
  expect(text).toContain('<h2 id="coordonnees">')
  const screen = await read('/ecran')
  expect(screen).toContain('<h2 id="mairie">')
  expect(screen).not.toContain('Tous les horaires')
})
