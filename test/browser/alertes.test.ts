import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { subscribersKit } from '../../src/modules/subscribers/subscribers.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInBothThemes,
  builtWebApp,
  openPage,
  overflowsSideways,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none' } })
const { url, db } = world

/** A commune with its mairie, the owner of the mairie, and an alerte in force. */
async function openHall(nom: string, titre: string) {
  const mairie = await world.acteur({ type: 'mairie', nom: `Mairie de ${nom}`, valide: true })
  const commune = await world.commune({ nom, mairie_actor_id: mairie.id })
  const owner = await world.user({
    nom: 'Zoé Lambert',
    email_verified: true,
    memberships: [{ acteur: mairie, role: 'owner' }],
  })
  const secretary = world.client({ source: 'mairie', token: owner.token })
  const alerte = { titre, message: 'Rue du Puits.', niveau: 'attention' }
  const { status, body, text } = await secretary.post(`/mairie/communes/${commune.id}/alertes`, alerte)
  expect(status, text).toBe(201)
  return { mairie, commune, owner, alerte: body.data.id as string }
}
const countOf = async (alerteId: string, kind: 'alerte_fin' | 'alerte_correction') => {
  const { rows } = await sql`
    select from broadcasts where alerte_id = ${alerteId} and kind = ${kind}`.execute(db)
  return rows.length
}

async function isFit(page: Page, name: string) {
  expect(await barriersInBothThemes(page), name).toEqual([])
  expect(await overflowsSideways(page), name).toEqual([])
}

story('who ends an alerte chooses whether subscribers are told, on a phone', async () => {
  const { mairie, owner, alerte } = await openHall('Finville', 'Coupure d’eau')
  const page = await openPage({ url, width: 360, height: 740, session: await openSession(db, owner.id) })
  await page.goto(`/backoffice/espace/${mairie.id}/alertes`)
  await page.getByRole('button', { name: 'Terminer' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Terminer « Coupure d’eau » ?' })
  const choice = dialog.getByRole('checkbox', { name: 'Prévenir les abonnés que c’est fini' })
  expect(await choice.isChecked()).toBe(false)
  await isFit(page, 'dialog')
  await dialog.getByText('Prévenir les abonnés que c’est fini').click()
  expect(await choice.isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Terminer' }).click()
  await page.getByText('Les abonnés qui l’ont reçue sont prévenus.').waitFor()
  expect(await countOf(alerte, 'alerte_fin')).toBe(1)
})

story('who corrects an alerte chooses whether those who got it are told, on a phone', async () => {
  const { mairie, owner, alerte } = await openHall('Corrigeville', 'Route coupée')
  const page = await openPage({ url, width: 360, height: 740, session: await openSession(db, owner.id) })
  await page.goto(`/backoffice/espace/${mairie.id}/alertes`)
  const correct = async (message: string, isTold: boolean) => {
    await page.getByRole('button', { name: 'Corriger' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Message' }).fill(message)
    const choice = dialog.getByRole('checkbox', { name: 'Prévenir de la correction' })
    expect(await choice.isChecked()).toBe(false)
    if (isTold) await dialog.getByText('Prévenir de la correction').click()
    await isFit(page, 'dialog')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  }
  await correct('Rue du Four.', false)
  await page.getByText('L’alerte est corrigée.', { exact: true }).waitFor()
  expect(await countOf(alerte, 'alerte_correction')).toBe(0)
  await correct('Rue du Moulin.', true)
  await page.getByText('L’alerte est corrigée. Les abonnés').waitFor()
  expect(await countOf(alerte, 'alerte_correction')).toBe(1)
})

story(
  'an alerte is sent again to the uncertain, by who reads first that some get it twice, on a phone',
  async () => {
    const { mairie, commune, owner, alerte } = await openHall('Incertaine', 'Coupure d’eau')
    const kit = subscribersKit(world)
    await kit.subscribe(1, [commune.id])
    const id = (await kit.broadcastOf(alerte))?.id ?? ''
    const closing = kit.mailer({ status: 'uncertain', error: 'closed' })
    await kit.expand(closing, id)
    await expect(kit.send(closing, id)).rejects.toThrow('closed')
    const page = await openPage({ url, width: 360, height: 740, session: await openSession(db, owner.id) })
    await page.goto(`/backoffice/espace/${mairie.id}/alertes`)
    await page.getByText('1 incertain').waitFor()
    await page.getByRole('button', { name: 'Renvoyer aux incertains' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Renvoyer ce message incertain ?' })
    await dialog.getByText('recevront donc l’alerte deux fois').waitFor()
    await isFit(page, 'dialog')
    await dialog.getByRole('button', { name: 'Renvoyer' }).click()
    await page.getByText('1 message renvoyé.').waitFor()
    expect(await kit.statuses(id)).toEqual({ queued: 1 })
    await expect.poll(() => page.getByRole('button', { name: 'Renvoyer aux incertains' }).count()).toBe(0)
  },
)

story('the number of messages sent follows while an alerte is being sent', async () => {
  const { mairie, owner, alerte } = await openHall('Suiviville', 'Orage')
  const page = await openPage({ url, session: await openSession(db, owner.id) })
  await page.goto(`/backoffice/espace/${mairie.id}/alertes`)
  await page.getByText('Envoi en cours', { exact: true }).waitFor()
  const become = (status: string, sent: number) =>
    sql`
    update broadcasts set status = ${status}, sent = ${sent},
      ended_at = case when ${status}::text = 'ended' then now() end where alerte_id = ${alerte}`.execute(db)
  await become('sending', 3)
  await page.getByText('Envoi en cours : 3 messages envoyés aux abonnés').waitFor()
  await become('ended', 4)
  await page.getByText('4 messages envoyés aux abonnés', { exact: true }).waitFor()
})

story('an administrator ends an alerte, and tells nobody unless that is asked for', async () => {
  const { alerte } = await openHall('Silenceville', 'Fuite de gaz')
  const admin = await world.user({ email_verified: true, roles: ['admin'] })
  const page = await openPage({ url, session: await openSession(db, admin.id) })
  await page.goto('/backoffice/alertes')
  const row = page.getByRole('row', { name: 'Fuite de gaz' })
  await row.getByText('Écrite par Zoé Lambert').waitFor()
  await row.getByRole('button', { name: 'Terminer' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('checkbox', { name: 'Prévenir les abonnés que c’est fini' }).waitFor()
  await dialog.getByRole('button', { name: 'Terminer' }).click()
  await page.getByText('L’alerte est terminée.', { exact: true }).waitFor()
  expect(await countOf(alerte, 'alerte_fin')).toBe(0)
})

story('an inactive mairie reads its alertes, and each screen says why it writes none', async () => {
  const { mairie, owner } = await openHall('Closeville', 'Verglas')
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', mairie.id).execute()
  const page = await openPage({ url, width: 360, height: 740, session: await openSession(db, owner.id) })
  const space = `/backoffice/espace/${mairie.id}`
  const why = page.getByText('La mairie est désactivée.')
  await page.goto(space)
  await why.waitFor()
  const deeds = page.getByRole('navigation', { name: 'Que faire ?' })
  await deeds.getByRole('link', { name: 'Mettre à jour' }).waitFor()
  expect(await deeds.getByRole('link').count()).toBe(1)
  await isFit(page, 'home')
  await page.goto(`${space}/alertes`)
  await page.getByRole('row', { name: 'Verglas' }).waitFor()
  await why.waitFor()
  expect(await page.getByRole('button', { name: 'Terminer' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Alerter' }).count()).toBe(0)
  for (const part of ['alerter', 'commune']) {
    await page.goto(`${space}/${part}`)
    await page.getByRole('heading', { name: 'Le public ne voit pas cet acteur' }).waitFor()
    await why.waitFor()
  }
  await isFit(page, 'not allowed')
  await page.goto(`${space}/publications`)
  await page.getByRole('heading', { name: 'Publications' }).waitFor()
  expect(await page.getByRole('link', { name: /Publier|Écrire une publication/ }).count()).toBe(0)
  await page.goto(`${space}/publier`)
  await page.getByText('Rien ne peut être publié en attendant.').waitFor()
})

story(
  'Escape closes the list of a combo box, then the dialog; hidden buttons say that they close',
  async () => {
    await world.commune({ nom: 'Échapville' })
    const admin = await world.user({ roles: ['admin'] })
    const page = await openPage({ url, session: await openSession(db, admin.id) })
    await page.goto('/backoffice/alertes')
    await page.getByRole('button', { name: /Période/ }).click()
    await page.getByRole('button', { name: 'Fermer' }).first().waitFor({ state: 'attached' })
    expect(await page.getByRole('button', { name: 'Rejeter' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    const open = page.getByRole('button', { name: 'Alerter une commune' })
    await open.click()
    const dialog = page.getByRole('dialog')
    const commune = page.getByRole('combobox', { name: 'Commune' })
    await commune.fill('Échap')
    const option = page.getByRole('option', { name: /Échapville/ })
    await option.waitFor()
    await page.keyboard.press('Escape')
    await option.waitFor({ state: 'detached' })
    // What was typed is still there.
    expect(await commune.inputValue()).toBe('Échap')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await untilFocused(open)
    // With a choice, too.
    await open.click()
    await commune.fill('Échap')
    await option.click()
    await page.keyboard.press('ArrowDown')
    await option.waitFor()
    await page.keyboard.press('Escape')
    await option.waitFor({ state: 'detached' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  },
)
