import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { senderOf, startReceiver } from '../../src/modules/webhooks/receiver.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInEveryLook,
  builtWebApp,
  openPage,
  overflowsSideways,
  story,
  toggle,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none', IMPORT_ALLOW_PRIVATE: 'true' } })
const { url, db, config } = world
const receiver = await startReceiver()
const { send, makeDue } = senderOf({ db, config })

async function isFit(page: Page, name: string) {
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/webhooks-${name}.png`, fullPage: true })
  expect(await barriersInEveryLook(page), name).toEqual([])
}

/** Holds the lists of webhooks that the page asks for, as a slow network does, until `release`. */
async function holdLists(page: Page) {
  const released = Promise.withResolvers<void>()
  const lists = /\/api\/v1\/admin\/webhooks$/
  await page.route(lists, async (route) => {
    if (route.request().method() === 'GET') await released.promise
    await route.continue().catch(() => undefined)
  })
  return {
    async release() {
      released.resolve()
      await page.unroute(lists)
    },
  }
}

story('an owner makes a webhook on a phone, tests it, and mends it when it is disabled', async () => {
  const club = await world.acteur({ nom: 'Amis du jeu', valide: true })
  const owner = await world.user({ email_verified: true, memberships: [{ acteur: club, role: 'owner' }] })
  const page = await openPage({
    ...{ url, session: await openSession(db, owner.id), width: 360, height: 800 },
    expects: /status of 422/,
  })
  await page.goto(`/backoffice/espace/${club.id}/equipe`)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('Aucun webhook').waitFor()
  await isFit(page, '360-aucun')
  await page.getByRole('button', { name: 'Ajouter un webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ajouter un webhook' })
  await untilFocused(dialog.getByRole('textbox', { name: 'Adresse du programme' }))
  await page.keyboard.type(receiver.url.replace('https', 'http'))
  await toggle(dialog.getByRole('checkbox', { name: 'Publication mise en ligne' }))
  expect(await dialog.getByText('Revendication décidée').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Ajouter' }).click()
  await dialog.getByText(/adresse https/).waitFor()
  await isFit(page, '360-ajouter')
  await dialog.getByRole('textbox', { name: 'Adresse du programme' }).fill(receiver.url)
  await dialog.getByRole('button', { name: 'Ajouter' }).click()
  const shown = page.getByRole('dialog', { name: 'Le secret du webhook' })
  expect(await shown.locator('code').innerText()).toMatch(/^whsec_/)
  await isFit(page, '360-secret')
  await shown.getByRole('button', { name: 'C’est copié' }).click()
  await page.getByRole('heading', { name: receiver.url }).waitFor()
  await page.getByText('Rien n’a encore été envoyé').waitFor()
  await page.getByRole('button', { name: 'Envoyer un essai' }).click()
  const row = page.getByRole('row', { name: /Essai/ })
  await row.getByText('En attente').waitFor()
  await send()
  await row.getByText('Reçu').waitFor()
  await row.getByText('réponse 204').waitFor()
  await isFit(page, '360-recu')
  receiver.answer = (response) => void response.writeHead(410).end()
  await page.getByRole('button', { name: 'Renvoyer : Essai' }).click()
  await row.getByText('En attente').waitFor()
  await makeDue()
  await send()
  await row.getByText('Échoué').waitFor()
  await page.reload()
  await page.getByText('Désactivé : l’adresse a répondu 410').waitFor()
  await isFit(page, '360-desactive')
  receiver.answer = receiver.accepts
  await page.getByRole('button', { name: 'Réactiver' }).click()
  await page.getByText('Le webhook est actif.').first().waitFor()
  await page.getByRole('button', { name: 'Renvoyer : Essai' }).click()
  await row.getByText('En attente').waitFor()
  await makeDue()
  await send()
  await row.getByText('Reçu').waitFor()
})

story('by keyboard alone, an administrator changes, rotates, disables and deletes a webhook', async () => {
  const admin = await world.as('admin')
  const body = { url: receiver.url, types: ['publication.published'] }
  const { id } = (await admin.post('/admin/webhooks', body)).body.data
  const user = await world.user({ roles: ['admin'], email_verified: true })
  const page = await openPage({ url, session: await openSession(db, user.id) })
  await page.goto('/backoffice/system/webhooks')
  const press = async (name: string, place: Pick<Page, 'getByRole'> = page) => {
    await place.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await page.getByRole('link', { name: receiver.url }).focus()
  await isFit(page, '1280-liste')
  await page.keyboard.press('Enter')
  await press('Modifier')
  const dialog = page.getByRole('dialog', { name: 'Modifier le webhook' })
  await toggle(dialog.getByRole('checkbox', { name: 'Revendication décidée' }))
  const lists = await holdLists(page)
  await press('Enregistrer', dialog)
  await page.getByText('Le webhook est à jour.').first().waitFor()
  await press('Renouveler le secret')
  await press('Renouveler le secret', page.getByRole('alertdialog', { name: 'Renouveler le secret ?' }))
  const shown = page.getByRole('dialog', { name: 'Le secret du webhook' })
  await shown.getByText(/^whsec_/).waitFor()
  await press('C’est copié', shown)
  await page.getByText('L’ancien secret ne signera plus').waitFor()
  await lists.release()
  await press('Désactiver')
  await press('Désactiver', page.getByRole('alertdialog', { name: 'Désactiver le webhook ?' }))
  await page.getByText('Désactivé à la main').waitFor()
  await isFit(page, '1280-desactive')
  await sql`update webhooks set disabled_reason = 'failing' where id = ${id}`.execute(db)
  await page.reload()
  await page.getByText('Désactivé : aucun envoi n’a réussi pendant trois jours').waitFor()
  await page.getByText('Rien n’a encore été envoyé').waitFor()
  await press('Supprimer')
  await press('Supprimer', page.getByRole('alertdialog', { name: 'Supprimer le webhook ?' }))
  await page.getByText('Aucun webhook').waitFor()
  expect(await overflowsSideways(page)).toEqual([])
  expect((await admin.get('/admin/webhooks')).body.data).toEqual([])
})
