import { expect } from 'vitest'
import { claimsKit } from '../../src/modules/claims/claims.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  builtWebApp,
  choose,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  typeDate,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const { claim, stored } = claimsKit(world)
const moderator = await world.user({ roles: ['moderator'], nom: 'Zoé Lambert' })
const session = await openSession(db, moderator.id)
const admin = await world.user({ roles: ['admin'], nom: 'Ada' })

story('a claim with a rival is reviewed, approved by keyboard and undone', async () => {
  const acteur = await world.acteur({ nom: 'Les Croqueurs de pommes', site_web: 'https://www.example.org' })
  const message = 'Je suis la présidente du club depuis mars.'
  const odile = await claim({ acteur, nom: 'Odile Vauquelin', email: 'odile@example.org', message })
  const { token } = await world.user({ nom: 'Pierre Rival', email_verified: true, last_seen_at: new Date() })
  const rival = await claim({ acteur, token, nom: 'Pierre Rival' })
  const page = await openPage({ url, session })
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: /^Revendications à décider.*en sept jours/ }).click()
  const row = page.getByRole('row').filter({ hasText: 'Odile Vauquelin' })
  await row.getByText('Une autre en attente').waitFor()
  await row.getByRole('link').click()
  await page.getByText(message).waitFor()
  await page.getByRole('link', { name: 'Pierre Rival' }).waitFor()
  await page.getByText('Même domaine que le site de l’acteur').waitFor()
  await page.getByRole('link', { name: 'https://www.example.org' }).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('a')
  const dialog = page.getByRole('alertdialog', { name: /Accepter la revendication/ })
  await dialog.getByText('L’autre revendication en attente sera refusée').waitFor()
  expect(await barriers(page)).toEqual([])
  await untilFocused(dialog.getByRole('button', { name: 'Accepter' }))
  await page.keyboard.press('Enter')
  await page.getByText('Revendication acceptée : Les Croqueurs de pommes').waitFor()
  expect([(await stored(odile)).status, (await stored(rival)).status]).toEqual(['approved', 'rejected'])
  await page.getByText('Ce compte est devenu responsable de la page.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Suivante' }).count()).toBe(0)
  // Else the claim from before the decision would already look undone.
  await page.getByText('Acceptée', { exact: true }).waitFor()
  await page.keyboard.press('u')
  await page.getByText('La décision est annulée').waitFor()
  expect([(await stored(odile)).status, (await stored(rival)).status]).toEqual(['pending', 'pending'])
  await page.getByRole('button', { name: 'Refuser' }).waitFor()
  await page.keyboard.press('r')
  const refusal = page.getByRole('dialog', { name: 'Refuser la revendication pour Les Croqueurs de pommes' })
  await refusal.getByRole('button', { name: /^Refuser/ }).waitFor()
  await refusal.getByRole('button', { name: 'Ne pas refuser' }).waitFor()
  await page.getByRole('textbox', { name: 'Motif' }).fill('Le club nous a indiqué quelqu’un d’autre.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Motif donné : Le club nous a indiqué quelqu’un d’autre.').waitFor()
  expect([(await stored(odile)).status, (await stored(rival)).status]).toEqual(['rejected', 'pending'])
  await page.getByRole('button', { name: 'Suivante' }).waitFor()
  await page.keyboard.press('j')
  await page.getByText('La revendication vient d’un compte connecté.').waitFor()
})

story('an administrator approves a claim without contact by naming the owner', async () => {
  const acteur = await world.acteur({ nom: 'Les Amis du lavoir' })
  const body = { acteur_id: acteur.id, message: 'Je préside l’association.' }
  const { id, reference } = (await world.post('/claims', body)).body.data
  const owner = await world.user({ nom: 'Basile Lavoir' })
  const helper = await openPage({ url, session })
  await helper.goto(`/backoffice/claims/${id}`)
  await helper.getByText('seule une personne qui administre le service').waitFor()
  expect(await helper.getByRole('button', { name: 'Accepter' }).count()).toBe(0)
  const page = await openPage({ url, session: await openSession(db, admin.id) })
  await page.goto(`/backoffice/claims?q=${reference}`)
  await page.getByText('Sans contact').waitFor()
  await page.getByRole('link', { name: 'Les Amis du lavoir' }).click()
  await page.getByText(reference).waitFor()
  await page.getByRole('button', { name: 'Accepter' }).click()
  const dialog = page.getByRole('alertdialog', { name: /Accepter la revendication/ })
  await dialog.getByRole('button', { name: 'Accepter' }).click()
  await dialog.getByText('Choisissez le compte qui tiendra la page.').waitFor()
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('combobox', { name: 'Compte qui tiendra la page' }).fill('Basile')
  await page.getByRole('option', { name: /Basile Lavoir/ }).click()
  await dialog.getByRole('button', { name: 'Accepter' }).click()
  await page.getByText('Revendication acceptée : Les Amis du lavoir').waitFor()
  expect(await stored(id)).toMatchObject({ status: 'approved', user_id: owner.id })
})

story(
  'a claim shows the account it was made with; a dialog belongs to one claim, and so do notes',
  async () => {
    const acteur = await world.acteur({ nom: 'Les Boulistes' })
    const { token } = await world.user({
      nom: 'Paule Compte',
      email_verified: true,
      last_seen_at: new Date(),
    })
    const odile = await claim({ acteur, nom: 'Odile Vauquelin', email: 'odile@example.org' })
    await claim({ acteur, token })
    const page = await openPage({ url, session })
    await page.goto(`/backoffice/claims/${odile}`)
    await page.getByLabel('Nouvelle note').waitFor()
    await page.keyboard.press('n')
    await untilFocused(page.getByLabel('Nouvelle note'))
    await page.keyboard.insertText('Elle a appelé.')
    await page.getByRole('button', { name: 'Ajouter la note' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Elle a appelé.' }).waitFor()
    await page.getByRole('link', { name: 'Paule Compte' }).click()
    await page.getByText('La revendication vient d’un compte connecté.').waitFor()
    await page.getByText('Paule Compte').first().waitFor()
    expect(await page.getByText('Elle a appelé.').count()).toBe(0)
    await page.getByRole('button', { name: 'Refuser' }).click()
    await page.getByRole('dialog', { name: 'Refuser la revendication pour Les Boulistes' }).waitFor()
    await page.goBack()
    await page.getByText('La revendication a été faite sans se connecter.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  },
)

story(
  'a moderator asks the claimant with a template, and the claim is paused until a moderator resumes it',
  async () => {
    const acteur = await world.acteur({ nom: 'Les Croqueurs de pommes' })
    const id = await claim({ acteur, nom: 'Odile Vauquelin', email: 'odile@example.org' })
    const template = {
      id: crypto.randomUUID(),
      kind: 'claim',
      name: 'Qui préside ?',
      body: 'Qui préside {{acteur}} ?',
    }
    await db.insertInto('reply_templates').values(template).execute()
    const page = await openPage({ url, session })
    await page.goto(`/backoffice/claims/${id}`)
    await page.getByRole('button', { name: 'Poser une question' }).waitFor()
    await page.keyboard.press('q')
    const dialog = page.getByRole('dialog', { name: 'Poser une question à Odile Vauquelin' })
    await dialog.getByRole('button', { name: '1 Qui préside ?' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('1')
    const asked = 'Qui préside Les Croqueurs de pommes ?'
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Question' }).inputValue()).toBe(asked)
    await page.keyboard.press('Control+Enter')
    await page.getByText('La question est écrite.').waitFor()
    await page.getByRole('heading', { name: 'Questions posées' }).waitFor()
    await page.getByText(asked).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Ne plus attendre' }).click()
    await page.getByText('Le délai de la revendication reprend').waitFor()
    await page.getByText('Attend une réponse').waitFor({ state: 'detached' })
    expect(await stored(id)).toMatchObject({ status: 'pending', questions_count: 1 })
  },
)

story('a claim that a colleague has decided shows that decision', async () => {
  const id = await claim({ nom: 'Odile Vauquelin', email: 'odile@example.org' })
  const page = await openPage({ url, session, expects: /412|409/ })
  await page.goto(`/backoffice/claims/${id}`)
  await page.getByRole('button', { name: 'Refuser' }).waitFor()
  const colleague = await world.as('moderator')
  await meanwhile(page, `**/api/v1/admin/claims/${id}`, async () =>
    expect((await colleague.patch(`/admin/claims/${id}`, { status: 'rejected' })).status).toBe(200),
  )
  await page.keyboard.press('a')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accepter' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByText('Refusée', { exact: true }).waitFor()
  // The claim of a mairie says who decides it, and offers a moderator no decision.
  const mairie = await world.acteur({ type: 'mairie', nom: 'Mairie d’Aval' })
  await page.goto(`/backoffice/claims/${await claim({ acteur: mairie, email: 'odile@example.org' })}`)
  await page.getByText('seul un administrateur décide de cette revendication').waitFor()
  expect(await page.getByRole('button', { name: 'Accepter' }).count()).toBe(0)
})

story('alerts are corrected, ended and deleted', async () => {
  const commune = await world.commune({ nom: 'Aval' })
  const operator = await world.as('admin')
  const values = {
    commune_id: commune.id,
    titre: 'Coupure d’eau',
    message: 'Jeudi matin.',
    niveau: 'attention',
    debut: new Date(Date.now() - 11 * 3_600_000),
    fin: new Date(Date.now() + 72.5 * 3_600_000),
  }
  await db
    .insertInto('alertes')
    .values({ id: crypto.randomUUID(), ...values } as never)
    .execute()
  const page = await openPage({ url, session: await openSession(db, admin.id, { hasShownFactor: true }) })
  // A page past the last one leads to the last one.
  await page.goto('/backoffice/alertes?page=9')
  const row = page.getByRole('row', { name: 'Coupure d’eau' })
  await row.getByText('Début : il y a 11 heures').waitFor()
  await row.getByText('Fin : dans 3 jours').waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await page.goto('/backoffice/alertes?niveau=urgence')
  await page.getByText('Aucune alerte ne correspond').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Effacer les filtres' }).click()
  // The open list shows the change of a colleague.
  const [{ id } = { id: '' }] = (await operator.get('/admin/alertes')).body.data
  expect((await operator.patch(`/admin/alertes/${id}`, { message: 'Vendredi matin.' })).status).toBe(200)
  await row.getByText('Vendredi matin.').waitFor()
  await row.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Titre' }).fill('Coupure d’eau rue du Puits')
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('L’alerte est corrigée').waitFor()
  await page.getByText('Coupure d’eau rue du Puits').waitFor()
  await page.getByRole('button', { name: 'Terminer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Terminer' }).click()
  await page.getByText('L’alerte est terminée').waitFor()
  await page.getByText('Terminée', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Supprimer' }).click()
  // The second press sends nothing that could fail.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).dblclick()
  await page.getByText('Aucune alerte').waitFor()
  // An administrator alerts a commune.
  await page.getByRole('button', { name: 'Alerter une commune' }).click()
  const dialog = page.getByRole('dialog', { name: 'Alerter une commune' })
  await choose(dialog.getByRole('combobox', { name: 'Commune' }), 'ava')
  await dialog.getByRole('textbox', { name: 'Titre' }).fill('Inondation')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Évitez les quais.')
  await typeDate(dialog.getByRole('group', { name: 'Fin' }), '010120990800')
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Envoyer l’alerte' }).click()
  await page.getByText('Alerte envoyée : Aval').waitFor()
  await page.getByRole('row', { name: 'Inondation' }).getByText('Aval').waitFor()
  const [made] = (await operator.get('/admin/alertes')).body.data
  expect(made).toMatchObject({
    commune_id: commune.id,
    message: 'Évitez les quais.',
    fin: '2099-01-01T07:00:00.000Z',
  })
  expect((await operator.delete(`/admin/alertes/${made.id}`)).status).toBe(200)
  expect(await page.getByText('Cela n’a pas pu se faire').count()).toBe(0)
  expect((await operator.get('/admin/alertes')).body.meta.total).toBe(0)
})

story('an alert that a colleague corrected is shown beside what was typed, which closing keeps', async () => {
  const commune = await world.commune({ nom: 'Amont' })
  const id = crypto.randomUUID()
  const values = { titre: 'Route barrée', message: 'Jusqu’à lundi.', niveau: 'attention' }
  await db
    .insertInto('alertes')
    .values({ id, commune_id: commune.id, ...values } as never)
    .execute()
  const session = await openSession(db, admin.id, { hasShownFactor: true })
  const page = await openPage({ url, session, expects: /status of 412|ERR_INTERNET_DISCONNECTED/ })
  await page.goto('/backoffice/alertes')
  const edit = page.getByRole('button', { name: 'Corriger' })
  const form = page.getByRole('dialog')
  await edit.click()
  await form.getByRole('textbox', { name: 'Message' }).fill('Jusqu’à mardi.')
  await page.context().setOffline(true)
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.getByText('Le service n’a pas répondu').waitFor()
  await page.context().setOffline(false)
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.reload()
  await edit.click()
  await expect.poll(() => form.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Jusqu’à mardi.')
  await db.updateTable('alertes').set({ titre: 'Pont fermé' }).where('id', '=', id).execute()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.getByText('Quelqu’un d’autre a changé cette fiche').waitFor()
  await form.getByText('Titre : Pont fermé').first().waitFor()
  expect(await barriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Garder la mienne' }).click()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('L’alerte est corrigée').waitFor()
  const saved = db.selectFrom('alertes').select(['titre', 'message']).where('id', '=', id)
  expect(await saved.executeTakeFirstOrThrow()).toEqual({ titre: 'Pont fermé', message: 'Jusqu’à mardi.' })

  await edit.click()
  await form.getByRole('textbox', { name: 'Message' }).fill('Rien')
  await form.getByRole('button', { name: 'Abandonner' }).click()
  await edit.click()
  await expect.poll(() => form.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Jusqu’à mardi.')
  await db.deleteFrom('alertes').where('id', '=', id).execute()
})

story('claims, alerts and dashboard pass the accessibility check on a phone, dark, in English', async () => {
  const id = await claim({ nom: 'Odile Vauquelin', email: 'odile@example.org' })
  const signedIn = await openSession(db, admin.id, { hasShownFactor: true })
  const page = await openPage({ url, session: signedIn, width: 360, dark: true })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  for (const [path, ready] of [
    ['', 'Dashboard'],
    ['claims', 'Claims'],
    [`claims/${id}`, 'Who asks'],
    ['alertes', 'Alerts'],
  ] as const) {
    await page.goto(`/backoffice/${path}`)
    await page.getByRole('heading', { name: ready }).first().waitFor()
    // On a phone, one column holds all values.
    if (path === 'claims' || path === 'alertes')
      await expect.poll(() => page.getByRole('columnheader').count()).toBe(1)
    expect(await barriers(page), path).toEqual([])
    expect(await overflowsSideways(page), path).toEqual([])
  }
})
