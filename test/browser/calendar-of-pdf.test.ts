import { expect } from 'vitest'
import { columnsOf, everyWeeks, linesPage, pdfOf } from '../../src/modules/collectes/pdf/pdf.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, overflowsSideways, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db, setClock } = world
setClock('2026-11-29T10:00:00.000Z')
const admin = await world.as('admin')

story('the PDF of a calendar is a proposal that the secretary of a group confirms', async () => {
  const agglo = await world.acteur({ type: 'intercommunalite', nom: 'Vallons Agglo', valide: true })
  const town = await world.commune({ nom: 'Val-Haut' })
  const body = { nom: 'CC des Vallons', kind: 'epci', acteur_id: agglo.id, commune_ids: [town.id] }
  await admin.post('/admin/groups', body)
  const permissions = ['manage_commune' as const]
  const secretary = await world.user({ email_verified: true, memberships: [{ acteur: agglo, permissions }] })
  const session = await openSession(db, secretary.id)
  const page = await openPage({ url, session, width: 360, height: 800, expects: /status of 422/ })
  await page.clock.setFixedTime('2026-11-29T10:00:00Z')
  const send = async (name: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choisir un fichier' }).click()
    await (await chooser).setFiles({ name, mimeType: 'application/pdf', buffer })
  }
  await page.goto(`/backoffice/espace/${agglo.id}/collectes`)
  await send('image.pdf', pdfOf([linesPage([])]))
  await page.getByRole('alert').getByText('Le fichier est une image sans texte').waitFor()
  await page.getByText('Vous pouvez remplir le calendrier à la main').waitFor()

  const rounds = { yellow: everyWeeks('2027-01-05', 2), grey: everyWeeks('2027-01-07', 1) }
  await send('collectes.pdf', pdfOf([columnsOf(2027, rounds)]))
  await page.getByText('Proposition lue dans « collectes.pdf »').waitFor()
  await page.getByText('Bac jaune (26)', { exact: true }).click()
  const day = (name: string) => page.getByRole('button', { name, exact: true })
  expect(await day('mardi 5 janvier 2027').getAttribute('aria-pressed')).toBe('true')
  await day('mardi 5 janvier 2027').click()
  await day('mercredi 6 janvier 2027').click()
  expect(await barriersInEveryLook(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  expect((await admin.get(`/admin/communes/${town.id}/full`)).body.data.collectes).toEqual([])

  await page.getByText('Toutes', { exact: true }).click()
  await page.getByRole('button', { name: 'Voir ce qui changerait' }).click()
  await page.getByRole('button', { name: 'Appliquer à 1 commune' }).click()
  await page.getByText('Collectes remplacées dans 1 commune').waitFor()
  const { body: stored } = await admin.get(`/admin/communes/${town.id}/full`)
  expect(
    stored.data.collectes.map(({ libelle, dates }: Record<string, unknown>) => [libelle, dates]),
  ).toEqual(
    expect.arrayContaining([
      ['Bac jaune', ['2027-01-06', ...rounds.yellow.slice(1)]],
      ['Ordures ménagères', rounds.grey],
    ]),
  )

  await page.getByRole('link', { name: 'Collectes du groupement' }).click()
  await send('autre.pdf', pdfOf([linesPage(['Verre : 5 janvier'])]))
  await page.getByText('Aucune année n’est écrite').waitFor()
  await page.getByText('Verre (1)', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reprendre l’ancien' }).click()
  await page.getByText('Bac jaune (26)', { exact: true }).waitFor()
})
