import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { digestOf, listProvenance } from '../../modules/communes/provenance.ts'

const world = await openWorld()
const { url, db, commune, acteur } = world

test('the page of a commune names the source of its contacts, until the mairie writes them', async () => {
  const mairie = await acteur({ type: 'mairie', telephone: '04 65 71 01 00' })
  const { id, slug } = await commune({ mairie_actor_id: mairie.id })
  await db
    .insertInto('sourced_facts')
    .values({
      commune_id: id,
      field: 'telephone',
      acteur_id: mairie.id,
      source: 'mairies',
      as_of: '2026-11-12',
      digest: digestOf('04 65 71 01 00'),
    })
    .execute()
  const page = async () => (await fetch(`${url}/communes/${slug}`)).text()
  expect(await page()).toContain('Annuaire de l’administration, 12 novembre 2026')
  expect(await page()).toContain('href="https://lannuaire.service-public.gouv.fr"')
  const provenance = () => listProvenance(db, id)
  expect(await provenance()).toEqual([{ field: 'telephone', source: 'mairies', as_of: '2026-11-12' }])
  await db.updateTable('acteurs').set({ telephone: '04 65 71 01 01' }).where('id', '=', mairie.id).execute()
  expect(await provenance()).toEqual([])
  await expect.poll(page).not.toContain('Annuaire de l’administration')
})
