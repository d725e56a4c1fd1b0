import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Browser, startPushService } from '../../src/modules/subscribers/push-service.test-kit.ts'
import { subscribersKit } from '../../src/modules/subscribers/subscribers.test-kit.ts'
import { openMairie } from '../support/mairies.ts'
import { openWorld } from '../support/world.ts'
import { barriersInBothThemes, openPage, overflowsSideways, story } from './browser.ts'

const service = await startPushService()
const world = await openWorld({ env: { PUSH_SERVICES: '*' } })
const { url } = world
const kit = subscribersKit(world)
const { commune: town, secretary: editor } = await openMairie(world)
const form = `${url}/communes/${town.slug}/abonnement`

/** A form is sent at the earliest two seconds after it was shown. */
const show = async (page: Page, path: string) => {
  world.setClock('2026-11-20T10:00:00Z')
  await page.goto(path)
  world.setClock('2026-11-20T10:01:00Z')
}

/**
 * Chromium without a window has no push service and shows no notification, so `subscribe` and `getSubscription` of the page answer
 * what one would: an endpoint at the push service of the tests. The permission, the worker and its message are real.
 */
const actAsPushService = (page: Page, browser: Browser) =>
  page.addInitScript(({ endpoint, p256dh, auth }) => {
    const made = {
      endpoint,
      options: { applicationServerKey: null as ArrayBuffer | null },
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => true,
    }
    const Manager = (globalThis as unknown as { PushManager: { prototype: object } }).PushManager
    Object.assign(Manager.prototype, {
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        const text = atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/'))
        made.options.applicationServerKey = Uint8Array.from(text, (sign) => sign.charCodeAt(0)).buffer
        localStorage.setItem('subscribed', 'yes')
        return made
      },
      getSubscription: async () => (localStorage.getItem('subscribed') ? made : null),
    })
  }, browser)

const withPermission = async (page: Page) =>
  page.context().grantPermissions(['notifications'], { origin: url })

story(
  'a resident subscribes this browser by keyboard, gets an alerte, and finds the subscription again',
  async () => {
    const browser = service.browser()
    const page = await openPage({ url, width: 360, locale: 'fr-BE' })
    await withPermission(page)
    await actAsPushService(page, browser)
    await show(page, form)
    const byPush = page.getByRole('radio', { name: 'Par des notifications sur cet appareil' })
    await page.getByRole('radio', { name: 'Par courriel' }).focus()
    await page.keyboard.press('ArrowDown')
    expect(await byPush.isChecked()).toBe(true)
    await expect.poll(() => page.getByLabel('Adresse').isVisible()).toBe(false)
    expect(await barriersInBothThemes(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    await page.getByRole('button', { name: 'Envoyer' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('C’est confirmé.').waitFor()
    expect(page.url()).toMatch(/\/abonnement\/[\w-]{44}\?envoye=1$/)
    const own = page.url().replace('?envoye=1', '')
    world.setClock(new Date().toISOString())
    expect(await kit.prove(kit.pusher(service.ca))).toBe(0)
    expect(service.silent).toEqual([browser])
    const alerte = { titre: 'Coupure d’eau', message: 'Rue du Puits.', niveau: 'urgence' }
    const { body } = await editor.post(`/mairie/communes/${town.id}/alertes`, alerte)
    const id = (await kit.broadcastOf(body.data.id))?.id ?? ''
    await kit.expand(kit.mailer(), id)
    await kit.sendPushes(kit.pusher(service.ca), id)
    const [received] = service.received
    expect(received).toMatchObject({ browser, title: `${town.nom} · Urgence : Coupure d’eau` })
    expect(`${url}${received?.manage}`).toBe(own)
    const [worker] = page.context().serviceWorkers()
    await worker?.evaluate('self.registration.showNotification = async (...shown) => { self.shown = shown }')
    await deliver(page, { ...received, headers: undefined, browser: undefined })
    const actions = [{ action: 'gerer', title: 'Mon abonnement' }]
    const data = { path: `/communes/${town.slug}/alertes`, manage: received?.manage }
    await expect
      .poll(() => worker?.evaluate('self.shown'), { timeout: 20_000 })
      .toEqual([
        received?.title,
        { body: 'Rue du Puits.', tag: received?.tag, renotify: true, lang: 'fr', data, actions },
      ])
    await show(page, form)
    await page.getByRole('heading', { name: 'Cet appareil reçoit déjà des notifications' }).waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Voir mon abonnement' }).click()
    await page.getByText('Voici ce que cet appareil reçoit').waitFor()
    expect(page.url()).toBe(own)
    await page.getByRole('button', { name: 'Ne plus rien recevoir sur cet appareil' }).click()
    await page.getByText('Vous êtes désinscrit').waitFor()
  },
)

story('a browser whose push service gives it another endpoint is reached there', async () => {
  const [before, after] = [service.browser(), service.browser()]
  const [kept] = await kit.subscribeBrowsers([before], [town.id])
  const page = await openPage({ url, locale: 'fr-BE' })
  await show(page, form)
  const started = page.context().waitForEvent('serviceworker')
  await page.evaluate(`navigator.serviceWorker.register(
    document.querySelector('template#canal').dataset.ouvrier, { scope: '/site/' })`)
  const worker = await started
  const open = (endpoint: string) => page.request.post('/abonnement/appareil', { form: { endpoint } })
  // An event of ours is not trusted, and cannot be extended. Without a new subscription, the worker asks for one. The network
  // and then the service fail first.
  const change = `async ({ before, after, isMade }) => {
    const asked = []
    const made = { endpoint: after.endpoint, toJSON: () => ({ endpoint: after.endpoint, keys: after }) }
    self.registration.pushManager.subscribe = async (options) => (asked.push(options), made)
    const [send, waits] = [self.fetch, self.setTimeout]
    const faults = [() => Promise.reject(new TypeError()), async () => new Response(null, { status: 503 })]
    self.fetch = (...call) => (faults.shift() ?? send)(...call)
    self.setTimeout = (run) => waits(run, 0)
    const event = new Event('pushsubscriptionchange')
    let moved
    Object.assign(event, {
      waitUntil: (promise) => { moved = promise },
      oldSubscription: before && { endpoint: before.endpoint, options: { userVisibleOnly: true } },
      newSubscription: isMade ? made : null,
    })
    self.dispatchEvent(event)
    await moved
    Object.assign(self, { fetch: send, setTimeout: waits })
    return asked
  }`
  const keysOf = ({ endpoint, p256dh, auth }: Browser) => ({ endpoint, p256dh, auth })
  const tell = (from: Browser | null, to: Browser, isMade: boolean) =>
    worker.evaluate(
      `(${change})(${JSON.stringify({ before: from && keysOf(from), after: keysOf(to), isMade })})`,
    )
  expect(await tell(null, after, true)).toEqual([])
  expect((await open(before.endpoint)).url()).toBe(`${url}/abonnement/${kept?.token}`)
  expect(await tell(before, after, true)).toEqual([])
  expect((await open(after.endpoint)).url()).toBe(`${url}/abonnement/${kept?.token}`)
  expect((await open(before.endpoint)).status()).toBe(404)
  expect(await tell(after, before, false)).toEqual([{ userVisibleOnly: true }])
  expect((await open(before.endpoint)).url()).toBe(`${url}/abonnement/${kept?.token}`)
})

/** Hands a message to the worker, as a push service does. */
async function deliver(page: Page, message: object): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations
      if (one !== undefined) resolve(one.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', {
    ...{ origin: url, registrationId: await registered, data: JSON.stringify(message) },
  })
}

story('somebody who refuses notifications is told so, and can choose the mail instead', async () => {
  const page = await openPage({ url, locale: 'fr-BE' })
  await page.addInitScript(`
    Object.defineProperty(Notification, 'permission', { value: 'denied' })
    Notification.requestPermission = async () => 'denied'`)
  await show(page, form)
  await page.getByRole('radio', { name: 'Par des notifications sur cet appareil' }).check()
  await page.getByRole('button', { name: 'Envoyer' }).click()
  await page.getByText('Votre navigateur refuse les notifications de ce site.').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('radio', { name: 'Par courriel' }).check()
  await page.getByLabel('Adresse').fill('zoe@example.org')
  await page.getByRole('button', { name: 'Envoyer' }).click()
  await page.getByText('le courriel qui demande de confirmer attend').waitFor()
})

story(
  'without a script, and in a browser without notifications, the form asks for an address alone',
  async () => {
    const without = await openPage({ url, locale: 'fr-BE' })
    await without.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'PushManager')
    })
    const scriptless = await openPage({ url, locale: 'fr-BE', javaScriptEnabled: false })
    for (const [at, page] of [without, scriptless].entries()) {
      await show(page, form)
      expect(await page.getByRole('radio').count()).toBe(0)
      expect(await page.getByText('Cet appareil reçoit déjà').isVisible()).toBe(false)
      await page.getByLabel('Adresse').fill(`lea-${at}@example.org`)
      await page.getByRole('button', { name: 'Envoyer' }).click()
      await page.getByText('le courriel qui demande de confirmer attend').waitFor()
    }
  },
)
