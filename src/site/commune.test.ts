import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
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
