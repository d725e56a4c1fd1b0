import { expect } from 'vitest'
import { event, provider, subscriptionObject } from '../../src/modules/payments/payments.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld, run } from '../support/world.ts'
import {
  barriers,
  barriersInBothThemes,
  builtWebApp,
  choose,
  openPage,
  overflowsSideways,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db, database } = world
const { deliver } = provider(world)
await world.runJobs()
const admin = await world.user({ roles: ['admin'], nom: 'Ada Byron' })
const session = await openSession(db, admin.id)

const statusOf = async (id: string) =>
  (await db.selectFrom('payment_events').select('status').where('id', '=', id).executeTakeFirst())?.status

/** Delivers a signed event and waits until a job has ended it. */
async function deliverUntil(status: string, body: Parameters<typeof deliver>[0] & { id: string }) {
  expect((await deliver(body)).status).toBe(200)
  await expect.poll(() => statusOf(body.id)).toBe(status)
  return body
}

/** Lets the database refuse a status, as after a faulty upgrade, until the cause is gone. */
const refuse = (status: string) =>
  run(
    database.owner,
    `alter table subscriptions add constraint no_${status} check (status <> '${status}') not valid`,
  )
const allow = (status: string) =>
  run(database.owner, `alter table subscriptions drop constraint no_${status}`)

story('by keyboard alone: failed events are found from the dashboard, and one is applied again', async () => {
  const halles = await world.acteur({ nom: 'Boulangerie des Halles' })
  const object = subscriptionObject({ metadata: { acteur_id: halles.id } })
  await deliverUntil('processed', event('customer.subscription.created', object, { created: 1_795_100_000 }))
  const late = event(
    'customer.subscription.updated',
    { ...object, status: 'past_due' },
    { created: 1_795_200_000 },
  )
  await refuse('past_due')
  expect((await deliver(late)).status).toBe(200)
  // Its attempts fail; all of them would take an hour.
  await expect
    .poll(
      async () =>
        (await db.selectFrom('payment_events').select('tries').where('id', '=', late.id).executeTakeFirst())
          ?.tries,
    )
    .toBeGreaterThan(0)
  await db
    .updateTable('payment_events')
    .set({ status: 'failed', ended_at: new Date() })
    .where('id', '=', late.id)
    .execute()
  const nameless = await deliverUntil('failed', event('customer.subscription.updated', {}))

  const page = await openPage({ url, session })
  await page.goto('/backoffice/account')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await untilFocused(page.getByRole('dialog').locator('input'))
  await page.keyboard.insertText(nameless.id)
  const found = page.getByRole('menuitem', { name: nameless.id }).first()
  await found.and(page.locator('[data-focused]')).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/subscriptions/events?event=${nameless.id}`)
  await expect
    .poll(() => page.getByRole('list', { name: 'Événements de paiement' }).getByRole('listitem').count())
    .toBe(1)
  await page.goto('/backoffice/')
  const open = page.getByRole('link', { name: 'Voir les événements en échec' })
  await open.waitFor()
  await open.focus()
  await page.keyboard.press('Enter')
  const list = page.getByRole('list', { name: 'Événements de paiement' })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
  await list.getByText('Non appliqué : il ne nomme aucun abonnement.').waitFor()
  await list.getByText(/Non appliqué\s: la base de données l’a refusé/).waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await list.getByRole('link', { name: 'Boulangerie des Halles' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Boulangerie des Halles', level: 1 }).waitFor()
  await page.getByText('Payé, et renouvelé à l’échéance').waitFor()
  const timeline = page.getByRole('list', { name: 'Ce qui s’est passé' })
  await expect.poll(() => timeline.getByRole('listitem').count()).toBe(2)
  await allow('past_due')
  await timeline.getByRole('button', { name: 'Appliquer de nouveau : Abonnement modifié' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('L’événement va être appliqué de nouveau').waitFor()
  // Live: the job's result arrives by itself.
  await page.getByText('Le dernier paiement a échoué ; le prestataire réessaie.').waitFor()
  await expect.poll(() => timeline.getByText('Appliqué', { exact: true }).count()).toBe(2)
  await expect.poll(() => timeline.getByRole('button', { name: /^Appliquer/ }).count()).toBe(0)
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await statusOf(nameless.id)).toBe('failed')
  const entries = await db.selectFrom('audit_log').select('action').where('entity_id', '=', late.id).execute()
  expect(entries).toEqual([{ action: 'payment_event.replay' }])
  // The other one will never apply: it is settled, and no warning is left.
  await page.goto('/backoffice/subscriptions/events')
  await list.getByRole('button', { name: /^Classer / }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Classer sans suite ?' })
  await untilFocused(dialog.getByRole('textbox', { name: 'Raison' }))
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('Aucun événement dans cet état').waitFor()
  await page.goto('/backoffice/subscriptions/events?status=settled')
  await list.getByText('Classé', { exact: true }).waitFor()
  const [settled] = await db
    .selectFrom('audit_log')
    .select('after')
    .where('entity_id', '=', nameless.id)
    .execute()
  expect(settled?.after).toEqual({ reason: 'Vu, rien à faire' })
})

story('the list has filters in the address; a subscription without an acteur gets one', async () => {
  const club = await world.acteur({ nom: 'Club de lecture' })
  const object = subscriptionObject({ status: 'trialing' })
  await deliverUntil('processed', event('customer.subscription.created', object))
  const page = await openPage({ url, session })
  await page.goto('/backoffice/subscriptions')
  const table = page.getByRole('grid', { name: 'Abonnements' })
  await table.getByRole('row').nth(1).waitFor()
  await page.getByRole('button', { name: /^Tous les états/ }).click()
  await page.getByRole('option', { name: 'À l’essai' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  expect(new URL(page.url()).search).toBe('?status=trialing')
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('link', { name: 'Sans acteur' }).click()
  await page.getByText('Pas encore connu').waitFor()
  await page.getByRole('button', { name: 'Choisir l’acteur' }).click()
  await choose(page.getByRole('combobox'), 'club de lec')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Fixé par l’équipe').waitFor()
  const row = await db
    .selectFrom('subscriptions')
    .select('acteur_set')
    .where('provider_subscription_id', '=', String(object.id))
    .executeTakeFirstOrThrow()
  expect(row.acteur_set).toBe(club.id)
  await page.getByRole('link', { name: 'Club de lecture' }).click()
  await page.getByRole('heading', { name: 'Club de lecture', level: 1 }).waitFor()
  await page.getByText('À l’essai').first().waitFor()
  await page.goto('/backoffice/subscriptions?status=paused')
  await page.getByText('Aucun abonnement').waitFor()
})

story('subscriptions on a phone, in English: nothing is cut off and nothing is a barrier', async () => {
  const object = subscriptionObject({ customer: `cus_${'x'.repeat(60)}` })
  await deliverUntil('processed', event('customer.subscription.created', object))
  await deliverUntil('failed', event('customer.subscription.updated', {}))
  const page = await openPage({ url, session, width: 360 })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  const check = async (what: string) => {
    // The stories above look at the same screens in both themes.
    expect(await barriers(page), what).toEqual([])
    expect(await overflowsSideways(page), what).toEqual([])
  }
  await page.goto('/backoffice/subscriptions')
  await page.getByText(/could not be applied/).waitFor()
  await page.getByRole('link', { name: 'No organisation' }).first().waitFor()
  await check('list')
  await page.getByRole('link', { name: 'See which' }).click()
  await page.getByText('Not applied: it names no subscription.').first().waitFor()
  await check('events')
  const { id } = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('provider_subscription_id', '=', String(object.id))
    .executeTakeFirstOrThrow()
  await page.goto(`/backoffice/subscriptions/${id}`)
  await page.getByText('Subscription created').waitFor()
  await check('record')
})
