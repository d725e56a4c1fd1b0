import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { exportPerson } from '../privacy/export.ts'
import { openAssociation } from './publications.test-kit.ts'

const world = await openWorld()
const { db, config, as } = world
const admin = await as('admin')
const { asEditor, editor, acteur, commune } = await openAssociation(world)

const lieu = { nom: 'Salle des fêtes', adresse: '1 rue Haute', latitude: 46.2, longitude: 5.2 }
const content = {
  title: 'Loto',
  body: 'Buvette sur place.',
  type_id: '01998000-0000-7000-8000-000000000002',
  date_debut: '2026-12-05',
  date_fin: '2026-12-06',
  heure_debut: '20:30',
  heure_fin: '23:00',
  source_url: 'https://club.example/loto',
  image_url: 'https://club.example/loto.jpg',
  lieu,
}

async function exported() {
  let text = ''
  const tools = { db, modules, config, clock: () => new Date() }
  for await (const piece of exportPerson(tools, { userIds: [editor.id], emails: [] })) text += piece
  return JSON.parse(text)
}

test('an export has every content field of publications and versions, and what was decided', async () => {
  const body = { ...content, acteur_id: acteur.id }
  const { id } = (await asEditor.post('/publications', body)).body.data
  await asEditor.patch(`/publications/${id}`, { lieu: { ...lieu, nom: 'Gymnase' } })
  await admin.patch(`/admin/publications/${id}/moderate`, {
    moderation_status: 'rejected',
    reason: 'Date passée',
  })
  const { publications, publication_versions } = await exported()
  expect(publications).toMatchObject([
    {
      ...{ id, ...content, lieu: { nom: 'Gymnase' }, acteur_id: acteur.id, commune_id: commune.id },
      ...{ moderation_status: 'rejected', moderation_reason: 'Date passée', publie_le: null, epingle: false },
    },
  ])
  expect(publication_versions).toMatchObject([
    { publication_id: id, title: content.title, how: 'created', lieu },
    { publication_id: id, title: content.title, how: 'edited', lieu: { nom: 'Gymnase' } },
  ])
})
