import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { subscribersKit } from '../../src/modules/subscribers/subscribers.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInEveryLook,
  builtWebApp,
  loseResponse,
  openPage,
  overflowsSideways,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const { id: adminId } = await world.user({ roles: ['admin'], nom: 'Ada Byron' })
const admin = await world.as('admin')
await world.commune({ nom: 'Amont-les-Bains', slug: 'amont', departement: '73' })
await world.commune({ nom: 'Aval-sur-Rive', slug: 'aval', departement: '73' })
await world.acteur({ type: 'intercommunalite', nom: 'Rives Agglo', valide: true })

async function open(path: string) {
  const session = await openSession(db, adminId, { hasShownFactor: true })
  const page = await openPage({
    url,
    session,
    width: 360,
    height: 800,
    expects: /status of 4(12|22)|ERR_FAILED/,
  })
  await page.goto(`/backoffice${path}`)
  return page
}
const membersOf = async (q: string) => {
  const [group] = (await admin.get(`/admin/groups?q=${q}`)).body.data
  return (await admin.get(`/admin/groups/${group.id}`)).body.data
}

story('on a phone, an administrator adds a group, its members and who publishes for it', async () => {
  const page = await open('/groups')
  await page.getByText('Aucun groupement', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Ajouter un groupement' }).click()
  await page.getByLabel('Nom', { exact: true }).fill('CC des Deux Rives')
  await loseResponse(page, '**/api/v1/admin/groups')
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click()
  await page.getByRole('heading', { name: 'CC des Deux Rives' }).waitFor()
  for (const [typed, chosen] of [
    ['amont', 'Amont-les-Bains'],
    ['aval', 'Aval-sur-Rive'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Ajouter une commune' }).fill(typed)
    await page.getByRole('option', { name: chosen }).click()
    await page.getByRole('listitem').filter({ hasText: chosen }).waitFor()
  }
  await page.getByRole('combobox', { name: 'Qui publie pour lui' }).fill('rives')
  await page.getByRole('option', { name: 'Rives Agglo' }).click()
  await page.getByLabel('SIREN').fill('12')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await expect.poll(() => page.getByLabel('SIREN').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('SIREN').fill('200 069 110')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Enregistré : CC des Deux Rives').waitFor()
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/groups-360.png`, fullPage: true })
  expect(await barriersInEveryLook(page)).toEqual([])
  expect((await admin.get('/admin/groups')).body.meta.total).toBe(1)
  const group = await membersOf('rives')
  expect(group).toMatchObject({ siren: '200069110', acteur: { nom: 'Rives Agglo' }, communes_count: 2 })
  await page.goto('/backoffice/groups?q=rives')
  await page.getByText('Intercommunalité · 2 communes · Rives Agglo').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
})

story('two administrators change the same group, and neither loses what the other saved', async () => {
  const made = (await admin.post('/admin/groups', { nom: 'Syndicat des eaux', kind: 'syndicat' })).body.data
  const page = await open(`/groups/${made.id}`)
  await page.getByLabel('Nom', { exact: true }).fill('Syndicat des eaux vives')
  await admin.patch(`/admin/groups/${made.id}`, { siren: '200000009' })
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('button', { name: 'Garder la mienne' }).click()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Enregistré : Syndicat des eaux vives').waitFor()
  expect(await membersOf('vives')).toMatchObject({ siren: '200000009', nom: 'Syndicat des eaux vives' })
  await page.getByRole('button', { name: 'Supprimer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('Supprimé : Syndicat des eaux vives').waitFor()
  await page.waitForURL(/\/backoffice\/groups$/)
  expect((await admin.get('/admin/groups?q=vives')).body.data).toEqual([])
})

story(
  'on a phone, a secretary hides what a group publishes, undoes it and hides it again; its team reads it',
  async () => {
    const hall = await world.acteur({ type: 'mairie', nom: 'Mairie de Coteau', valide: true })
    const town = await world.commune({ nom: 'Coteau', mairie_actor_id: hall.id })
    const secretary = await world.user({ memberships: [{ acteur: hall, permissions: ['manage_commune'] }] })
    const agglo = await world.acteur({ type: 'intercommunalite', nom: 'Coteaux Agglo', valide: true })
    const owner = await world.user({ email_verified: true, memberships: [{ acteur: agglo, role: 'owner' }] })
    const body = { nom: 'CA des Coteaux', kind: 'epci', acteur_id: agglo.id, commune_ids: [town.id] }
    await admin.post('/admin/groups', body)
    const { id } = await insertPublication(world, { acteur_id: agglo.id, title: 'Bacs jaunes' })
    const isListed = async () => {
      const { data } = (await world.get(`/publications?commune_id=${town.id}`)).body
      return data.some((one: { id: string }) => one.id === id)
    }
    const phone = { url, width: 360, height: 800 }
    const page = await openPage({ ...phone, session: await openSession(db, secretary.id) })
    await page.goto(`/backoffice/espace/${hall.id}/publications`)
    await page.getByRole('link', { name: 'Groupements' }).click()
    await page.getByRole('heading', { name: 'Publications des groupements' }).waitFor()
    await page.getByText('Coteaux Agglo').waitFor()
    await page.getByRole('button', { name: 'Masquer « Bacs jaunes »' }).click()
    await page.getByText('Masquée dans la commune : Bacs jaunes').waitFor()
    expect(await isListed()).toBe(false)
    await page.getByRole('button', { name: 'Annuler' }).click()
    await page.getByText('De nouveau visible : Bacs jaunes').waitFor()
    expect(await isListed()).toBe(true)
    await page.getByRole('button', { name: 'Masquer « Bacs jaunes »' }).click()
    await page.getByRole('button', { name: 'Montrer de nouveau « Bacs jaunes »' }).waitFor()
    const folder = process.env.PARVIS_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/group-publications-360.png`, fullPage: true })
    expect(await barriersInEveryLook(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    expect(await isListed()).toBe(false)

    const team = await openPage({ ...phone, session: await openSession(db, owner.id) })
    await team.goto(`/backoffice/espace/${agglo.id}/publications/${id}`)
    await team.getByText('Masquée par la mairie de : Coteau.').waitFor()
    expect(await overflowsSideways(team)).toEqual([])
  },
)

/** A mairie whose commune is in a group, with an alert of the group for it. */
async function openAlerted(nom: string, titre: string) {
  const hall = await world.acteur({ type: 'mairie', nom: `Mairie de ${nom}`, valide: true })
  const town = await world.commune({ nom, mairie_actor_id: hall.id })
  const secretary = await world.user({ memberships: [{ acteur: hall, permissions: ['manage_commune'] }] })
  const agglo = await world.acteur({ type: 'intercommunalite', nom: `${nom} Agglo`, valide: true })
  const body = { nom: `CA de ${nom}`, kind: 'epci', acteur_id: agglo.id, commune_ids: [town.id] }
  await admin.post('/admin/groups', body)
  const owner = await world.user({ memberships: [{ acteur: agglo, role: 'owner' }] })
  const team = world.client({ source: 'mairie', token: owner.token })
  const alerte = { titre, message: 'Faites-la bouillir avant de la boire.', niveau: 'attention' }
  const { id } = (await team.post(`/mairie/acteurs/${agglo.id}/alertes`, alerte)).body.data
  const isShown = async () => {
    const { data } = (await world.get(`/communes/${town.id}/alertes`)).body
    return data.some((one: { id: string }) => one.id === id)
  }
  const path = `/backoffice/espace/${hall.id}/alertes`
  return { path, isShown, session: await openSession(db, secretary.id) }
}

story('on a phone, a secretary hides an alert of a group, undoes it and hides it again', async () => {
  const { path, isShown, session } = await openAlerted('Combe', 'Eau non potable')
  const page = await openPage({ url, session, width: 360, height: 800 })
  await page.goto(path)
  await page.getByRole('link', { name: 'Groupements' }).click()
  await page.getByRole('heading', { name: 'Alertes des groupements' }).waitFor()
  await page.getByText('Combe Agglo').waitFor()
  await page.getByText('En cours').waitFor()
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/group-alertes-360.png`, fullPage: true })
  const hide = page.getByRole('button', { name: 'Masquer « Eau non potable »' })
  const asked = page.getByRole('alertdialog', { name: 'Masquer « Eau non potable » ?' })
  await hide.click()
  await asked.waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await asked.getByRole('button', { name: 'Annuler' }).click()
  await asked.waitFor({ state: 'detached' })
  expect(await isShown()).toBe(true)
  await hide.click()
  await asked.getByRole('button', { name: 'Masquer' }).click()
  await page.getByText('Masquée dans la commune : Eau non potable').waitFor()
  expect(await isShown()).toBe(false)
  await page.getByRole('button', { name: 'Annuler' }).click()
  await page.getByText('De nouveau visible : Eau non potable').waitFor()
  expect(await isShown()).toBe(true)
  await hide.click()
  await asked.getByRole('button', { name: 'Masquer' }).click()
  await page.getByRole('button', { name: 'Montrer de nouveau « Eau non potable »' }).waitFor()
  if (folder) await page.screenshot({ path: `${folder}/group-alertes-hidden-360.png`, fullPage: true })
  expect(await barriersInEveryLook(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  expect(await isShown()).toBe(false)
})

story('by keyboard alone: a secretary hides an alert of a group and shows it again', async () => {
  const { path, isShown, session } = await openAlerted('Crête', 'Route barrée')
  const page = await openPage({ url, session })
  await page.goto(`${path}/groupements`)
  const row = page.getByRole('row', { name: 'Route barrée' })
  await row.focus()
  await page.keyboard.press('Enter')
  await untilFocused(page.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }))
  await page.keyboard.press('Tab')
  await untilFocused(page.getByRole('alertdialog').getByRole('button', { name: 'Masquer' }))
  await page.keyboard.press('Enter')
  await page.getByText('Masquée dans la commune : Route barrée').waitFor()
  await row.getByRole('button', { name: 'Montrer de nouveau' }).waitFor()
  expect(await isShown()).toBe(false)
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/group-alertes-1280.png`, fullPage: true })
  expect(await barriersInEveryLook(page)).toEqual([])
  await row.focus()
  await page.keyboard.press('Enter')
  await untilFocused(page.getByRole('alertdialog').getByRole('button', { name: 'Montrer de nouveau' }))
  await page.keyboard.press('Enter')
  await page.getByText('De nouveau visible : Route barrée').waitFor()
  await row.getByRole('button', { name: 'Masquer' }).waitFor()
  expect(await isShown()).toBe(true)
})

story('on a phone, the secretary of a group alerts some of its communes, and ends it', async () => {
  const agglo = await world.acteur({ type: 'intercommunalite', nom: 'Plaine Agglo', valide: true })
  const [one, other] = [await world.commune({ nom: 'Plan-Haut' }), await world.commune({ nom: 'Plan-Bas' })]
  const commune_ids = [one.id, other.id]
  await admin.post('/admin/groups', {
    nom: 'CC de la Plaine',
    kind: 'epci',
    acteur_id: agglo.id,
    commune_ids,
  })
  const permissions = ['publish_publications' as const]
  const secretary = await world.user({ email_verified: true, memberships: [{ acteur: agglo, permissions }] })
  const { subscribe } = subscribersKit(world)
  await subscribe(3, [one.id, other.id], 'all', 'plaine')
  await subscribe(1, [other.id], 'all', 'bas')
  const session = await openSession(db, secretary.id)
  const page = await openPage({ url, session, width: 360, height: 800 })
  await page.goto(`/backoffice/espace/${agglo.id}`)
  await page.getByRole('navigation', { name: 'Que faire ?' }).getByRole('link', { name: 'Alerter' }).click()
  await page.getByRole('textbox', { name: 'Que se passe-t-il ?' }).fill('Eau trouble. Ne la buvez pas.')
  await page.getByText('4 abonnés la recevront').waitFor()
  await page.getByRole('radio', { name: 'Certaines' }).press('Space')
  await page.getByRole('button', { name: 'Envoyer l’alerte' }).click()
  await page.getByText('Choisissez au moins une commune').waitFor()
  await page.getByRole('combobox', { name: 'Ajouter une commune' }).fill('plan')
  await page.getByRole('option', { name: 'Plan-Haut' }).click()
  await page.getByText('3 abonnés la recevront').waitFor()
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/group-alert-360.png`, fullPage: true })
  expect(await barriersInEveryLook(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Envoyer l’alerte' }).click()
  await page.getByText('Alerte envoyée : Eau trouble').waitFor()
  await page.getByText('Attention 1 commune').waitFor()
  const alertesOf = async (id: string) => (await world.get(`/communes/${id}/alertes`)).body.data
  expect(await alertesOf(one.id)).toMatchObject([{ titre: 'Eau trouble', commune_ids: [one.id] }])
  expect(await alertesOf(other.id)).toEqual([])
  if (folder) await page.screenshot({ path: `${folder}/group-own-alertes-360.png`, fullPage: true })
  expect(await barriersInEveryLook(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Corriger' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Plan-Haut').waitFor()
  await dialog.getByRole('combobox', { name: 'Ajouter une commune' }).fill('plan-b')
  await page.getByRole('option', { name: 'Plan-Bas' }).click()
  await dialog.getByText('Plan-Bas').waitFor()
  expect(await overflowsSideways(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Attention 2 communes').waitFor()
  expect(await alertesOf(other.id)).toMatchObject([{ titre: 'Eau trouble', commune_ids }])
  await page.getByRole('button', { name: 'Terminer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Terminer' }).click()
  await page.getByText('L’alerte est terminée.', { exact: true }).waitFor()
  expect(await alertesOf(one.id)).toEqual([])
})
