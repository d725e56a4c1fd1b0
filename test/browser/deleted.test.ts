import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, intercept, openPage, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none' } })
const { url, db } = world

story('what a secretary deletes comes back: by the toast, or from the list of what was deleted', async () => {
  const hall = await world.acteur({ type: 'mairie', nom: 'Mairie d’Aval', valide: true, can_publish: true })
  const town = await world.commune({ nom: 'Aval', mairie_actor_id: hall.id })
  const permissions = ['manage_commune', 'manage_publications', 'publish_publications'] as const
  const memberships = [{ acteur: hall, role: 'editor' as const, permissions: [...permissions] }]
  const { id, token } = await world.user({ memberships })
  const secretary = world.client({ source: 'mairie', token })
  const { id: lotoId } = await insertPublication(world, { acteur_id: hall.id, title: 'Loto' })
  const exceptions = [{ date: '2026-12-25', reportee_au: '2026-12-26' }]
  const yellow = { type_dechet: 'emballages', libelle: 'Bac jaune', mode: 'porte_a_porte', jours: ['mardi'] }
  await secretary.patch(`/mairie/communes/${town.id}`, {
    collectes: [{ ...yellow, exceptions }],
    elus: [{ nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }],
  })
  await secretary.post(`/mairie/communes/${town.id}/alertes`, {
    ...{ titre: 'Eau coupée', message: 'Rue du Puits.', niveau: 'info' },
  })
  const page = await openPage({ url, session: await openSession(db, id), width: 360, expects: /ERR_FAILED/ })
  const space = `/backoffice/espace/${hall.id}`
  const undo = (toast: string) =>
    page
      .getByRole('alertdialog', { name: toast })
      .getByRole('button', { name: 'Rétablir', exact: true })
      .click()

  // A publication, by the toast.
  await page.goto(`${space}/publications/${lotoId}`)
  await page.getByRole('button', { name: 'Supprimer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('Supprimée : Loto').waitFor()
  await page.getByText('1 supprimée', { exact: true }).waitFor()
  await undo('Supprimée : Loto')
  await page.getByRole('link', { name: 'Loto' }).waitFor()
  await page.getByText('1 supprimée', { exact: true }).waitFor({ state: 'detached' })

  // An alerte, from the list.
  await page.goto(`${space}/alertes`)
  await page.getByRole('button', { name: 'Supprimer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  // What the toast could not bring back stays offered, until the list has brought it back.
  await intercept(page, '**/restore', (route) => route.abort())
  await undo('L’alerte est supprimée.')
  const failed = page.getByRole('alertdialog', { name: 'Le rétablissement a échoué' })
  await failed.getByRole('button', { name: 'Réessayer' }).waitFor()
  await page.unroute('**/restore')
  await page.getByText('1 supprimée', { exact: true }).click()
  expect(await barriersInEveryLook(page), 'deleted alertes').toEqual([])
  await page.getByRole('button', { name: 'Rétablir : Eau coupée' }).click()
  await page.getByText('C’est rétabli : Eau coupée').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Rétablir', exact: true }).count()).toBe(0)
  await failed.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Terminer' }).waitFor()

  // A collection with exceptions asks first.
  await page.goto(`${space}/commune?tab=collectes`)
  await page.getByRole('button', { name: /^Supprimer.*Bac jaune|^Retirer.*Bac jaune/ }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Supprimer « Bac jaune » ?' })
  await dialog.getByText('Son exception sera supprimée avec elle.').waitFor()
  expect(await barriersInEveryLook(page), 'question').toEqual([])
  await dialog.getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('1 supprimée', { exact: true }).click()
  await page.getByRole('button', { name: 'Rétablir : Bac jaune' }).click()
  await page.getByRole('list', { name: 'Collectes' }).getByText('Bac jaune').waitFor()
  const { data } = (await secretary.get(`/mairie/communes/${town.id}`)).body
  expect(data.collectes).toMatchObject([{ libelle: 'Bac jaune', exceptions }])

  // An élu, by the toast.
  await page.getByRole('tab', { name: /Élus/ }).click()
  await page.getByRole('button', { name: /Retirer.*Vauquelin|Supprimer.*Vauquelin/ }).click()
  await page.getByText('1 supprimé', { exact: true }).waitFor()
  await undo('Odile Vauquelin ne figure plus dans la liste.')
  await page.getByText('1 supprimé', { exact: true }).waitFor({ state: 'detached' })
  await page.getByText('Odile Vauquelin').first().waitFor()
})
