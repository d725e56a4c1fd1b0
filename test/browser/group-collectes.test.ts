import { expect } from 'vitest'
import { tableOf } from '../../src/modules/collectes/collectes.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, overflowsSideways, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const admin = await world.as('admin')

story('on a phone, the secretary of a group sets the collections of its communes from a file', async () => {
  const agglo = await world.acteur({ type: 'intercommunalite', nom: 'Vallons Agglo', valide: true })
  const [one, other] = [await world.commune({ nom: 'Val-Haut' }), await world.commune({ nom: 'Val-Bas' })]
  const body = { nom: 'CC des Vallons', kind: 'epci', acteur_id: agglo.id, commune_ids: [one.id, other.id] }
  await admin.post('/admin/groups', body)
  const bin = { type_dechet: 'emballages', libelle: 'Bac jaune', mode: 'porte_a_porte', jours: ['mardi'] }
  await admin.patch(`/admin/communes/${one.id}`, { collectes: [bin] })
  const collectesOf = async (id: string) =>
    (await world.get(`/communes/${id}/collectes`)).body.data.map(
      ({ libelle, jours }: { libelle: string; jours: string[] }) => `${libelle} ${jours}`,
    )
  const permissions = ['manage_commune' as const]
  const secretary = await world.user({ email_verified: true, memberships: [{ acteur: agglo, permissions }] })
  const session = await openSession(db, secretary.id)
  const page = await openPage({ url, session, width: 360, height: 800, expects: /status of 422/ })
  const folder = process.env.PARVIS_PICTURES
  const look = async (name: string) => {
    if (folder) await page.screenshot({ path: `${folder}/${name}-360.png`, fullPage: true })
    expect(await barriersInEveryLook(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
  }
  const send = async (content: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choisir un fichier' }).click()
    const file = { name: 'collectes.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
    await (await chooser).setFiles(file)
  }
  await page.goto(`/backoffice/espace/${agglo.id}`)
  await page
    .getByRole('navigation', { name: 'Parties de l’espace' })
    .getByRole('link', { name: 'Collectes' })
    .click()
  await page.getByText('1 collecte', { exact: true }).waitFor()
  await look('group-collectes')

  await send('ville\nici')
  await page.getByRole('alert').getByText('n’a pas de ligne de titres').waitFor()
  const yellow = { type: 'emballages', libelle: 'Bac jaune', jours: 'mercredi' }
  await send(
    tableOf(
      { code_insee: one.code_insee, ...yellow },
      { commune: other.nom, ...yellow },
      { commune: 'Ailleurs', ...yellow },
    ),
  )
  await page.getByText('Ligne 4, Ailleurs : aucune commune du groupement n’a ce nom').waitFor()
  await page.getByRole('button', { name: 'Voir les douze mois : Val-Haut' }).click()
  await page.getByText('Modifiée', { exact: true }).waitFor()
  expect(await page.locator('td[data-change="added"]').first().textContent()).toMatch(/^\+\d+$/)
  expect(await page.locator('td[data-change="removed"]').first().textContent()).toMatch(/^−\d+$/)
  expect(await page.getByRole('table').count()).toBe(12)
  await look('group-collectes-checked')
  expect(await collectesOf(one.id)).toEqual(['Bac jaune mardi'])

  await page.getByRole('button', { name: 'Appliquer à 2 communes' }).click()
  await page.getByText('Collectes remplacées dans 2 communes').waitFor()
  expect(await Promise.all([one, other].map(({ id }) => collectesOf(id)))).toEqual([
    ['Bac jaune mercredi'],
    ['Bac jaune mercredi'],
  ])
  await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }).click()
  await page.getByText('Collectes rétablies dans 2 communes').waitFor()
  expect(await Promise.all([one, other].map(({ id }) => collectesOf(id)))).toEqual([['Bac jaune mardi'], []])

  await page.getByRole('link', { name: 'Collectes du groupement' }).click()
  await page.getByText('Annulé', { exact: true }).waitFor()
  await look('group-collectes-last')
})
