import { expect } from 'vitest'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, overflowsSideways, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const admin = await world.as('admin')

story('on a phone, the secretary of a group fills in a calendar with keys and by touch', async () => {
  const agglo = await world.acteur({ type: 'intercommunalite', nom: 'Vallons Agglo', valide: true })
  const town = await world.commune({ nom: 'Val-Haut', code_insee: '73801' })
  const body = { nom: 'CC des Vallons', kind: 'epci', acteur_id: agglo.id, commune_ids: [town.id] }
  await admin.post('/admin/groups', body)
  const glass = { type_dechet: 'verre', libelle: 'Verre', mode: 'apport_volontaire' }
  await admin.patch(`/admin/communes/${town.id}`, { collectes: [glass] })
  const permissions = ['manage_commune' as const]
  const secretary = await world.user({ email_verified: true, memberships: [{ acteur: agglo, permissions }] })
  const session = await openSession(db, secretary.id)
  const page = await openPage({ url, session, width: 360, height: 800 })
  await page.clock.setFixedTime('2026-11-29T10:00:00Z')
  const folder = process.env.PARVIS_PICTURES
  const look = async (name: string) => {
    if (folder) await page.screenshot({ path: `${folder}/${name}-360.png`, fullPage: true })
    expect(await barriersInEveryLook(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const day = (name: string) => page.getByRole('button', { name, exact: true })
  const isTicked = async (name: string) => (await day(name).getAttribute('aria-pressed')) === 'true'

  await page.goto(`/backoffice/espace/${agglo.id}/collectes`)
  await page.getByRole('link', { name: 'Remplir un calendrier' }).click()
  await press('Ajouter la collecte')
  await page.getByText('Aucun jour coché').waitFor()
  await page.getByText('janvier 2027 à décembre 2027').click()
  await day('vendredi 1er janvier 2027, jour férié').focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'Space']) await page.keyboard.press(key)
  await page.getByText('1 jour coché', { exact: true }).waitFor()
  expect(await isTicked('jeudi 14 janvier 2027')).toBe(true)
  for (const key of ['PageDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  expect(await isTicked('dimanche 7 février 2027')).toBe(true)
  await press('Défaire')
  expect(await isTicked('dimanche 7 février 2027')).toBe(false)
  // From the seventh of January on, every second Thursday.
  await day('jeudi 7 janvier 2027').click()
  await press('Cocher ces jours')
  await page.getByText('27 jours cochés', { exact: true }).waitFor()
  expect(await isTicked('jeudi 21 janvier 2027')).toBe(true)
  expect(await isTicked('jeudi 28 janvier 2027')).toBe(false)
  await look('calendar-by-hand')

  await page.getByRole('textbox', { name: 'Nom' }).fill('Bac jaune')
  await page.getByRole('button', { name: /Déchet/ }).click()
  await page.getByRole('option', { name: 'Emballages' }).click()
  await press('Ajouter la collecte')
  await day('vendredi 1er janvier 2027, jour férié').click()
  await page.getByText('1 collecte tombe un jour férié').waitFor()
  await press('Décaler au jour ouvrable suivant')
  expect(await isTicked('samedi 2 janvier 2027')).toBe(true)
  expect(await isTicked('vendredi 1er janvier 2027, jour férié')).toBe(false)
  await day('jeudi 7 janvier 2027, aussi Ordures ménagères').waitFor()
  await look('calendar-by-hand-second')

  // It survives a reload.
  await page.reload()
  await page.getByText('Bac jaune (1)', { exact: true }).waitFor()
  await page.getByText('Toutes', { exact: true }).click()
  await press('Voir ce qui changerait')
  await page.getByRole('button', { name: 'Appliquer à 1 commune' }).click()
  await page.getByText('Collectes remplacées dans 1 commune').waitFor()
  const { body: stored } = await admin.get(`/admin/communes/${town.id}/full`)
  expect(stored.data.collectes).toMatchObject([
    { libelle: 'Verre' },
    { libelle: 'Ordures ménagères', type_dechet: 'ordures_menageres', jours: [] },
    { libelle: 'Bac jaune', type_dechet: 'emballages', dates: ['2027-01-02'] },
  ])
  expect(stored.data.collectes[1].dates).toHaveLength(27)
})
