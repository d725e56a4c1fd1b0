import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'

const world = await openWorld()
const { as, db } = world
const moderator = await as('moderator')
const commune = await world.commune({ nom: 'Chambéry' })
const croqueurs = await world.acteur({ nom: 'Les Croqueurs de pommes', commune_id: commune.id })
const closed = await world.acteur({ nom: 'Pommes closes', deleted_at: new Date() })
const agenda = {
  id: uuidv7(),
  nom: 'Agenda des pommes',
  type: 'rss',
  url: 'https://me:secret@feed.example/pommes?key=secret',
}
await db.insertInto('import_sources').values(agenda).execute()

const choices = async (query: string) =>
  (await moderator.get(`/admin/publications/choices?${query}`)).body.data

test('GET /admin/publications/choices returns acteurs by a word of their name, to moderators', async () => {
  const choice = { id: croqueurs.id, nom: 'Les Croqueurs de pommes', detail: 'Chambéry' }
  for (const q of ['POMM', 'les cr', 'le', '']) expect(await choices(`of=acteur&q=${q}`), q).toEqual([choice])
  expect(await choices('of=acteur&q=poire')).toEqual([])
})

test('GET /admin/publications/choices returns import sources by a word of their name, with their host alone', async () => {
  const choice = { id: agenda.id, nom: agenda.nom, detail: 'feed.example' }
  for (const q of ['pommes', 'ag', '']) expect(await choices(`of=source&q=${q}`), q).toEqual([choice])
})

test('GET /admin/publications/choices names the chosen ones, deleted acteurs too', async () => {
  expect(await choices(`of=acteur&ids=${closed.id}`)).toMatchObject([{ id: closed.id, nom: 'Pommes closes' }])
  expect(await choices(`of=source&ids=${agenda.id}`)).toMatchObject([{ id: agenda.id }])
})

test('GET /admin/publications/choices returns 422 for another kind, 403 to somebody without the area', async () => {
  expect(await moderator.get('/admin/publications/choices?of=commune')).toBeError(422, 'validation_failed')
  expect(await moderator.get('/admin/publications/choices')).toBeError(422, 'validation_failed')
  const support = await as('support')
  expect(await support.get('/admin/publications/choices?of=acteur')).toBeError(403, 'admin_required')
})
