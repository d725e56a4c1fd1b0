import type { Locator } from 'playwright-core'
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
  await page.getByText('Ligne 4, Ailleurs : aucune de vos communes n’a ce nom').waitFor()
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

story(
  'on a phone, the secretary of a mairie sets the collections of its commune from a calendar',
  async () => {
    const hall = await world.acteur({ type: 'mairie', nom: 'Mairie de Clairval', valide: true })
    const town = await world.commune({ nom: 'Clairval', mairie_actor_id: hall.id })
    const glass = { type_dechet: 'verre', libelle: 'Verre', mode: 'apport_volontaire' }
    await admin.patch(`/admin/communes/${town.id}`, { collectes: [glass] })
    const permissions = ['manage_commune' as const]
    const secretary = await world.user({ email_verified: true, memberships: [{ acteur: hall, permissions }] })
    const session = await openSession(db, secretary.id)
    const page = await openPage({ url, session, width: 360, height: 800 })
    const folder = process.env.PARVIS_PICTURES
    const look = async (name: string) => {
      if (folder) await page.screenshot({ path: `${folder}/${name}-360.png`, fullPage: true })
      expect(await barriersInEveryLook(page)).toEqual([])
      expect(await overflowsSideways(page)).toEqual([])
    }
    const parts = page.getByRole('navigation', { name: 'Parties de l’espace' })
    await page.goto(`/backoffice/espace/${hall.id}/commune?tab=collectes`)
    await page.getByRole('button', { name: 'Modifier Verre' }).waitFor()
    await page.getByRole('link', { name: 'Collectes par fichier' }).click()
    await page.getByRole('heading', { name: 'Un fichier pour la commune' }).waitFor()
    expect(await parts.locator('[aria-current="page"]').innerText()).toBe('Commune')
    expect(await page.getByText('Communes membres').count()).toBe(0)
    await look('mairie-collectes')

    const event = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Bac jaune', 'DTSTART;VALUE=DATE:20270105', 'END:VEVENT']
    const calendar = ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choisir un fichier' }).click()
    const file = { name: 'collectes.ics', mimeType: 'text/calendar', buffer: Buffer.from(calendar) }
    await (await chooser).setFiles(file)
    await page.getByText('Calendrier : collectes.ics').waitFor()
    // It is for the one commune: nobody is asked for which.
    expect(await page.getByText('Pour quelles communes ?').count()).toBe(0)
    await page.getByText('Elles restent').click()
    await page.getByRole('button', { name: 'Voir ce qui changerait' }).click()
    await page.getByRole('button', { name: 'Appliquer à 1 commune' }).click()
    await page.getByText('Collectes remplacées dans 1 commune').waitFor()
    await look('mairie-collectes-applied')
    await page.getByRole('link', { name: 'Collectes par fichier' }).click()
    await page.getByRole('link', { name: 'Collectes', exact: true }).click()
    await page.getByRole('button', { name: 'Modifier Bac jaune' }).waitFor()
    await page.getByRole('button', { name: 'Modifier Verre' }).waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }).click()
    await page.getByText('Collectes rétablies dans 1 commune').waitFor()
    await page.getByRole('button', { name: 'Modifier Bac jaune' }).waitFor({ state: 'detached' })
  },
)

story('the mairie of two communes chooses for which a calendar is', async () => {
  const hall = await world.acteur({ type: 'mairie', nom: 'Mairie des Deux-Monts', valide: true })
  for (const nom of ['Mont-Dessous', 'Mont-Dessus']) await world.commune({ nom, mairie_actor_id: hall.id })
  const secretary = await world.user({
    email_verified: true,
    memberships: [{ acteur: hall, permissions: ['manage_commune'] }],
  })
  const page = await openPage({ url, session: await openSession(db, secretary.id) })
  const event = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Verre', 'DTSTART;VALUE=DATE:20270105', 'END:VEVENT']
  const buffer = Buffer.from(['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n'))
  for (const [chosen, count] of [
    ['Mont-Dessus', '1 commune'],
    ['Toutes', '2 communes'],
  ] as const) {
    await page.goto(`/backoffice/espace/${hall.id}/collectes`)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choisir un fichier' }).click()
    await (await chooser).setFiles({ name: 'collectes.ics', mimeType: 'text/calendar', buffer })
    await page.getByRole('button', { name: /Pour quelles communes/ }).click()
    await page.getByRole('option', { name: chosen }).click()
    await page.getByRole('button', { name: 'Voir ce qui changerait' }).click()
    await page.getByRole('button', { name: `Appliquer à ${count}` }).waitFor()
    await page.getByText(chosen === 'Toutes' ? 'Mont-Dessous' : chosen, { exact: true }).waitFor()
  }
  expect(await barriersInEveryLook(page)).toEqual([])
})

story('by keyboard alone: a secretary of a group imports collections, undoes it, and alerts', async () => {
  const agglo = await world.acteur({ type: 'intercommunalite', nom: 'Crêtes Agglo', valide: true })
  const town = await world.commune({ nom: 'Haute-Crête' })
  const body = { nom: 'CC des Crêtes', kind: 'epci', acteur_id: agglo.id, commune_ids: [town.id] }
  await admin.post('/admin/groups', body)
  const secretary = await world.user({
    email_verified: true,
    memberships: [{ acteur: agglo, permissions: ['manage_commune'] }],
  })
  const page = await openPage({ url, session: await openSession(db, secretary.id), width: 1280, height: 800 })
  /** Presses Tab until the element has the focus, then a key. */
  const press = async (target: Locator, key = 'Enter') => {
    await target.waitFor()
    const isFocused = async () => (await target.and(page.locator(':focus')).count()) === 1
    for (let n = 0; n < 60 && !(await isFocused()); n++) await page.keyboard.press('Tab')
    expect(await isFocused()).toBe(true)
    await page.keyboard.press(key)
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const part = (name: string) =>
    page.getByRole('navigation', { name: 'Parties de l’espace' }).getByRole('link', { name })
  const folder = process.env.PARVIS_PICTURES
  const look = async (name: string) => {
    if (folder) await page.screenshot({ path: `${folder}/${name}-1280.png`, fullPage: true })
    expect(await barriersInEveryLook(page)).toEqual([])
  }
  await page.goto(`/backoffice/espace/${agglo.id}`)
  await press(part('Collectes'))
  await page.getByRole('row', { name: 'Haute-Crête' }).waitFor()
  await look('group-collectes')
  const chooser = page.waitForEvent('filechooser')
  await press(button('Choisir un fichier'))
  const content = tableOf({ code_insee: town.code_insee, type: 'verre', libelle: 'Verre', jours: 'lundi' })
  await (await chooser).setFiles({ name: 'c.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await press(button('Voir les douze mois : Haute-Crête'))
  await page.getByText('Ajoutée', { exact: true }).waitFor()
  await look('group-collectes-checked')
  await press(button('Appliquer à 1 commune'))
  await page.getByText('Collectes remplacées dans 1 commune').waitFor()
  expect((await world.get(`/communes/${town.id}/collectes`)).body.data).toMatchObject([{ libelle: 'Verre' }])
  await press(page.getByRole('main').getByRole('button', { name: 'Annuler', exact: true }))
  await page.getByText('Collectes rétablies dans 1 commune').waitFor()
  expect((await world.get(`/communes/${town.id}/collectes`)).body.data).toEqual([])

  await press(part('Alertes'))
  await press(page.getByRole('main').getByRole('link', { name: 'Alerter', exact: true }))
  await press(page.getByRole('textbox', { name: 'Que se passe-t-il ?' }), 'E')
  await page.keyboard.type('au coupée.')
  await press(button('Envoyer l’alerte'))
  await page.getByText('Alerte envoyée : Eau coupée').waitFor()
  await page.getByRole('row', { name: 'Eau coupée' }).waitFor()
  expect((await world.get(`/communes/${town.id}/alertes`)).body.data).toMatchObject([{ titre: 'Eau coupée' }])
  await look('group-alertes')
})
