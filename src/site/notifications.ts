import Type, { type Static } from 'typebox'
import type { Addresses } from '../modules/subscribers/addresses.ts'
import { findTokenOfBrowser, moveBrowser } from '../modules/subscribers/browsers.ts'
import { ensurePushKeys } from '../modules/subscribers/push-keys.ts'
import { subscribersSettings } from '../modules/subscribers/settings.ts'
import { settingsOf } from '../platform/config/config.ts'
import { notFound } from '../platform/errors.ts'
import type { Field, Values } from './forms.ts'
import { html, type Markup } from './html.ts'
import type { Pages, SiteBase } from './site.ts'
import { t } from './text.ts'
import { workerPath } from './worker.ts'

const text = Type.String({ maxLength: 1_000 })
const Move = Type.Object({ before: text, endpoint: text, p256dh: text, auth: text })

/** What the script fills: the address of the browser at its push service, and its keys. */
export const browserFields: Field[] = ['endpoint', 'p256dh', 'auth'].map((name) => ({
  ...{ name, label: t.abonnement.byPush, kind: 'hidden' },
}))

/** The public key that browsers subscribe with. Null while the database cannot be written to: then the page offers mail alone. */
export function createPushKey({ db, config }: SiteBase) {
  const key = { current: null as string | null, load }
  async function load(): Promise<void> {
    if (key.current !== null) return
    const keys = await ensurePushKeys(db, config.sessionKeys).catch(() => null)
    key.current = keys?.publicKey ?? null
  }
  return key
}

/** What the script puts into the form, and shows to a browser that has subscribed. */
export const pushParts = (key: string | null): Markup | null =>
  key === null
    ? null
    : html`
<template id="canal" data-cle="${key}" data-ouvrier="${workerPath}"><fieldset class="field"><legend>${t.abonnement.channel}</legend>
<p class="error" id="canal-erreur" role="alert" data-refus="${t.abonnement.pushRefused}" data-echec="${t.abonnement.pushFailed}" hidden></p>
<label class="choice"><input type="radio" name="canal" value="courriel" checked> ${t.abonnement.byMail}</label>
<label class="choice"><input type="radio" name="canal" value="notifications" aria-describedby="canal-aide"> ${t.abonnement.byPush}</label>
<span class="hint" id="canal-aide">${t.abonnement.byPushHint}</span></fieldset></template>
<form method="post" action="/abonnement/appareil" id="appareil" hidden><h2>${t.abonnement.onDevice}</h2>
<p>${t.abonnement.onDeviceLead}</p>
<input type="hidden" name="endpoint" value=""><button type="submit">${t.abonnement.onDeviceOpen}</button></form>`

/**
 * Leads a browser that has subscribed to its page, and follows it when its push service gives it another endpoint. An endpoint is as
 * secret as the address of that page.
 */
export function deviceRoutes(...[scope, { db, config }, addresses]: [...Parameters<Pages>, Addresses]): void {
  scope.post('/abonnement/appareil', { config: { page: { isPersonal: true } } }, async ({ body }, reply) => {
    const { endpoint } = (body ?? {}) as Values
    const token = await findTokenOfBrowser(db, addresses, typeof endpoint === 'string' ? endpoint : '')
    if (token === null) throw notFound()
    return reply.redirect(`/abonnement/${token}`, 303)
  })
  const { pushServices } = settingsOf(config, subscribersSettings)
  const moves = { config: { page: { isPersonal: true } }, schema: { body: Move } }
  scope.post('/abonnement/appareil/adresse', moves, async ({ body }, reply) => {
    if (!(await moveBrowser(db, addresses, pushServices, body as Static<typeof Move>))) throw notFound()
    return reply.code(204).send()
  })
}
