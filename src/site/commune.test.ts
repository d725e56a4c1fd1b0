import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
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

test('a collection of next year says so', async () => {
  const { id } = await world.commune({ slug: 'lointaine' })
  const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: [], position: 0 }
  await db
    .insertInto('collectes')
    .values({ ...collecte, id: uuidv7(), commune_id: id, dates: ['2026-12-29', '2027-01-05'] })
    .execute()
  expect(await read('lointaine')).toContain('<dt>Mardi 29 décembre</dt>')
  world.setClock('2026-12-30T10:00:00Z')
  try {
    expect(await read('lointaine')).toContain('<dt>Mardi 5 janvier 2027</dt>')
  } finally {
    world.setClock('2026-11-20T10:00:00Z')
  }
})

const event = (commune_id: string, slug: string, date_debut: string, date_fin: string | null = null) =>
  insertPublication(world, { commune_id, slug, title: slug, date_debut, date_fin })
const eventsOf = async (slug: string) => {
  const [, section = ''] = /<section aria-labelledby="agenda">(.*?)<\/section>/s.exec(await read(slug)) ?? []
  return [...section.matchAll(/href="\/publications\/([^"]+)"/g)].map(([, found]) => found)
}

test('exhibitions that are under way leave the places to the next events', async () => {
  const { id } = await world.commune({ slug: 'musees' })
  for (let n = 0; n < 6; n++) await event(id, `expo-${n}`, `2026-09-0${n + 1}`, '2027-03-01')
  await event(id, 'demain', '2026-11-21')
  await event(id, 'ce-jour', '2026-11-20', '2026-11-22')
  await event(id, 'hier', '2026-11-19')
  expect(await eventsOf('musees')).toEqual(['ce-jour', 'demain', 'expo-0', 'expo-1', 'expo-2'])
  for (let n = 1; n < 5; n++) await event(id, `noel-${n}`, `2026-12-0${n}`)
  expect(await eventsOf('musees')).toEqual(['ce-jour', 'demain', 'noel-1', 'noel-2', 'noel-3'])
})
