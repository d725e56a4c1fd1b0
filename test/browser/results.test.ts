import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { subscribersKit } from '../../src/modules/subscribers/subscribers.test-kit.ts'
import { leave } from '../../src/modules/subscribers/subscribing.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, overflowsSideways, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { MAIL_RATE: '1000' } })
const { url, db } = world
const { subscribe, mailer, expand, send, broadcastOf, addresses } = subscribersKit(world)
const commune = await world.commune({ nom: 'Amont-les-Bains' })
const hall = await world.acteur({
  type: 'mairie',
  nom: 'Mairie d’Amont',
  commune_id: commune.id,
  valide: true,
})
await sql`update communes set mairie_actor_id = ${hall.id} where id = ${commune.id}`.execute(db)
const { id: secretaryId, token } = await world.user({
  memberships: [{ acteur: hall, permissions: ['manage_commune'] }],
})

story('a secretary sees who came and left, and how many got an alerte, also on a phone', async () => {
  const [gone] = await subscribe(3, [commune.id])
  await leave(db, addresses, gone?.token ?? '', null)
  const secretary = world.client({ source: 'mairie', token })
  const { body } = await secretary.post(`/mairie/communes/${commune.id}/alertes`, {
    ...{ titre: 'Eau coupée', message: 'Jusqu’à midi.', niveau: 'info' },
  })
  const id = (await broadcastOf(body.data.id))?.id ?? ''
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  const session = await openSession(db, secretaryId)
  const page = await openPage({ url, session, width: 1280, height: 800 })
  await page.goto(`/backoffice/espace/${hall.id}/alertes`)
  await page.getByRole('link', { name: 'Résultats' }).click()
  await page.getByRole('heading', { name: 'Abonnés de Amont-les-Bains' }).waitFor()
  const [month] = await page
    .getByRole('grid', { name: 'Abonnés' })
    .getByRole('row')
    .nth(1)
    .getByRole('gridcell')
    .allInnerTexts()
  expect(month).toBe('3')
  await page.getByText('Alertes par courriel : 2').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Eau coupée' })
    .getByText('2 messages remis, aucun échec')
    .waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
})

/** The last thirty days, as a chart that says its sum and as a table. */
async function seesDays(page: Page, name: string) {
  await page.getByRole('img', { name: /^Lectures des 30 derniers jours : 3 en trente jours/ }).waitFor()
  await page.getByText('Voir les chiffres en tableau').click()
  const rows = page.getByRole('region', { name: 'Lectures des 30 derniers jours' }).getByRole('row')
  expect(await rows.count()).toBe(31)
  expect(await rows.nth(1).innerText()).toMatch(/\t3$/)
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  expect(await barriersInEveryLook(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
}

story(
  'an association sees how often its publication was read, also where the worker of the site opens it',
  async () => {
    const club = await world.acteur({ nom: 'Club de go', commune_id: commune.id, valide: true })
    const { id: publicationId, slug } = await insertPublication(world, {
      ...{ title: 'Tournoi', slug: 'tournoi', acteur_id: club.id, commune_id: commune.id },
    })
    const reader = await openPage({ url })
    // From the second page on, the worker asks for pages; the script of a commune also keeps a copy of it.
    await reader.goto(`/communes/${commune.slug}/collectes`)
    await reader.evaluate('navigator.serviceWorker.ready.then(() => null)')
    await reader.evaluate('caches.keys()')
    await reader.goto(`/publications/${slug}`)
    expect(await reader.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    await reader.reload()
    await reader.goto(`/publications/${slug}`)
    await world.app.readings.flush()
    const { id: memberId } = await world.user({ memberships: [{ acteur: club }] })
    const session = await openSession(db, memberId)
    const page = await openPage({ url, session, width: 360, height: 740 })
    await page.goto(`/backoffice/espace/${club.id}/publications`)
    await page.getByRole('link', { name: 'Résultats' }).click()
    await page.getByRole('heading', { name: 'Lectures' }).waitFor()
    await page.getByText('Une lecture est une page du site public demandée et servie.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Tournoi' })
    expect(await row.getByRole('gridcell').allInnerTexts()).toEqual(['3', '3'])
    await seesDays(page, 'readings')
    await row.getByRole('link', { name: 'Tournoi' }).click()
    await page.getByText('3 lectures, dont 3 ces 30 derniers jours.').waitFor()
    await seesDays(page, 'own-readings')
    const admin = await world.user({ roles: ['admin'] })
    const office = await openPage({ url, session: await openSession(db, admin.id), width: 1280, height: 800 })
    await office.goto(`/backoffice/publications/${publicationId}`)
    await office.getByText('3 lectures, dont 3 ces 30 derniers jours.').waitFor()
    await seesDays(office, 'office-readings')
  },
)

story(
  'the team of a group reads which mairie hides what, how many got an alerte, and that the group is inactive',
  async () => {
    const admin = await world.as('admin')
    const agglo = await world.acteur({ type: 'intercommunalite', nom: 'Rives Agglo', valide: true })
    const towns = [commune, await world.commune({ nom: 'Aval-les-Prés' })]
    await admin.post('/admin/groups', {
      ...{ nom: 'CC des Rives', kind: 'epci', acteur_id: agglo.id },
      commune_ids: towns.map(({ id }) => id),
    })
    await subscribe(2, [towns[1]?.id ?? ''], 'all', 'aval')
    const owner = await world.user({ memberships: [{ acteur: agglo, role: 'owner' }] })
    const team = world.client({ source: 'mairie', token: owner.token })
    const alerte = { titre: 'Eau trouble', message: 'Faites-la bouillir.', niveau: 'info' }
    const { body } = await team.post(`/mairie/acteurs/${agglo.id}/alertes`, alerte)
    const { id: publicationId } = await insertPublication(world, {
      acteur_id: agglo.id,
      title: 'Bacs jaunes',
    })
    const secretary = world.client({ source: 'mairie', token })
    for (const path of [`group-alertes/${body.data.id}`, `group-publications/${publicationId}`]) {
      const hidden = await secretary.put(`/mairie/communes/${commune.id}/${path}/hidden`)
      expect(hidden.status, hidden.text).toBe(200)
    }
    const broadcast = (await broadcastOf(body.data.id))?.id ?? ''
    const driven = mailer()
    await expand(driven, broadcast)
    await send(driven, broadcast)
    const page = await openPage({ url, session: await openSession(db, owner.id), width: 360, height: 800 })
    const folder = process.env.PARVIS_PICTURES
    const look = async (name: string) => {
      if (folder) await page.screenshot({ path: `${folder}/${name}-360.png`, fullPage: true })
      expect(await barriersInEveryLook(page)).toEqual([])
      expect(await overflowsSideways(page)).toEqual([])
    }
    const path = `/backoffice/espace/${agglo.id}`
    await page.goto(`${path}/publications`)
    await page.getByText('Masquée dans 1 commune').waitFor()
    await look('group-own-publications')
    await page.goto(`${path}/alertes`)
    await page.getByText('Masquée par la mairie de : Amont-les-Bains.').waitFor()
    await look('group-hidden-alerte')
    await page.getByRole('link', { name: 'Résultats' }).click()
    await page.getByRole('heading', { name: 'Abonnés de Rives Agglo' }).waitFor()
    await page.getByText(/^\d personnes sont abonnées aux alertes de ses communes/).waitFor()
    const cells = page.getByRole('grid', { name: 'Abonnés' }).getByRole('row').nth(1).getByRole('gridcell')
    // Three subscribers of one commune, of whom one left, and two of the other.
    expect((await cells.allInnerTexts()).slice(0, 2)).toEqual(['5', '1'])
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Eau trouble' })
      .getByText('2 messages remis, aucun échec')
      .waitFor()
    await look('group-results')

    await sql`update acteurs set active = false where id = ${agglo.id}`.execute(db)
    for (const part of ['', '/alertes', '/alerter', '/collectes', '/actes']) {
      await page.goto(`${path}${part}`)
      await page.getByText('Le groupement est désactivé.').waitFor()
      expect(await page.getByRole('link', { name: 'Alerter' }).count(), part).toBe(0)
    }
    await look('group-inactive')
  },
)
