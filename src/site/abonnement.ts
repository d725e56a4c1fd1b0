import Type from 'typebox'
import { BySlug } from '../modules/communes/reading.ts'
import type { Commune } from '../modules/communes/schema.ts'
import { listSecteurs, presentName } from '../modules/communes/secteurs/names.ts'
import { type Addresses, addressesOf } from '../modules/subscribers/addresses.ts'
import { readBrowser, subscribeBrowser } from '../modules/subscribers/browsers.ts'
import type { Choice } from '../modules/subscribers/choices.ts'
import { subscribersSettings } from '../modules/subscribers/settings.ts'
import { askToSubscribe, listSecteurNames } from '../modules/subscribers/subscribing.ts'
import { settingsOf } from '../platform/config/config.ts'
import { invalid } from '../platform/errors.ts'
import { foldMailAddress, parseTypedAddress } from '../platform/formats/mail-address.ts'
import { areMailsDelayed } from '../platform/mail/transports.ts'
import { choiceFields, nothing, readChoiceByAddress, type Shown, valuesOf } from './choice-fields.ts'
import { readHeader, secteurAsked } from './commune-pages.ts'
import { type Form, formPage, type Values } from './forms.ts'
import { browserFields, createPushKey, deviceRoutes, pushParts } from './notifications.ts'
import { ownPages } from './own-abonnement.ts'
import { type Pages, type SiteBase, shownCommune } from './site.ts'
import { t } from './text.ts'

/**
 * Residents subscribe to the messages of a commune, confirm, change and leave, without an account. All of it works without a
 * script; the script of the form adds notifications of the browser.
 */
export const subscribePages: Pages = (scope, site) => {
  const addresses = addressesOf(site.config.sessionKeys)
  formPage(scope, site, subscribeForm(site, addresses))
  ownPages(scope, site, addresses)
  deviceRoutes(scope, site, addresses)
}

/** `secteur`: the one that a resident has chosen, as the commune names it now. */
type Subject = Commune & { secteur: string | null }

function subscribeForm(site: SiteBase, addresses: Addresses): Form<Subject> {
  const pushKey = createPushKey(site)
  const { pushServices } = settingsOf(site.config, subscribersSettings)
  async function shownOf({ id, secteur }: Subject): Promise<Shown> {
    const [names, secteurs] = await Promise.all([
      listSecteurNames(site.reads, [id]),
      listSecteurs(site.reads, id),
    ])
    const byAddress = secteur === null && secteurs.some(({ has_places }) => has_places) ? 'alone' : null
    return { suffix: '', nom: null, secteurs: names.get(id), byAddress }
  }
  const choiceOf = async (values: Values, commune: Subject): Promise<Choice> =>
    readChoiceByAddress(site.reads, values, { ...(await shownOf(commune)), communeId: commune.id }, nothing)
  return {
    url: '/communes/:slug/abonnement',
    params: BySlug,
    title: t.abonnement.short,
    fields: async (commune) => [
      {
        ...{ name: 'email', label: t.form.email, hint: t.abonnement.emailHint, kind: 'email' },
        ...{ isRequired: true, maxLength: 254, autocomplete: 'email' },
      },
      ...choiceFields(await shownOf(commune)),
      ...(pushKey.current === null ? [] : browserFields),
    ],
    script: { path: site.files.subscribe, parts: () => pushParts(pushKey.current) },
    initial: ({ secteur }) => valuesOf({ ...nothing, alertes: 'all', collectes_secteur: secteur }, ''),
    body: Type.Record(Type.String(), Type.String()),
    async find({ params, query, caller }) {
      const commune = await shownCommune(site, caller, (params as { slug: string }).slug)
      await pushKey.load()
      const page = `/communes/${commune.slug}`
      const path = `${page}/abonnement`
      const chosen = secteurAsked(commune, path, query) ?? ''
      const [header, secteur] = await Promise.all([
        readHeader(site, commune, caller, chosen),
        chosen === '' ? null : nameOf(site, commune, chosen),
      ])
      return {
        subject: { ...commune, secteur },
        path,
        title: t.abonnement.title(commune.nom),
        lead: t.abonnement.lead,
        crumbs: [{ label: commune.nom, href: page }],
        commune: header,
      }
    },
    complete: (values) => values,
    // Counts what it accepts alone: a form that is corrected, or sent by another site, uses up nobody's limit.
    async submit(values: Values, commune, request) {
      if (values.endpoint !== undefined && pushKey.current !== null) {
        const browser = readBrowser(values, pushKey.current, pushServices)
        if (browser === null) throw invalid('endpoint', messages.browser)
        const chosen = await choiceOf(values, commune)
        await site.limits.countClient('subscribe', 'form', request)
        const token = await subscribeBrowser({ ...site, addresses }, browser, commune.id, chosen)
        return { page: `/abonnement/${token}` }
      }
      const address = parseTypedAddress(values.email ?? '')
      if (address === null) throw invalid('email', messages.email)
      const choice = await choiceOf(values, commune)
      await site.limits.countClient('subscribe', 'form', request)
      await site.limits.countKey('subscribe_address', foldMailAddress(address))
      await askToSubscribe({ ...site, addresses }, address, commune.id, choice)
      return null
    },
    async done() {
      if (site.config.mail.url === null) return t.abonnement.askedNoMail
      return (await areMailsDelayed(site.reads)) ? t.abonnement.askedDelayed : t.abonnement.asked
    },
  }
}

/** Returns the present name of the secteur that a resident has chosen; null if there is none. */
async function nameOf({ reads }: SiteBase, { id }: Commune, chosen: string): Promise<string | null> {
  const [inUse, secteurs] = await Promise.all([listSecteurNames(reads, [id]), listSecteurs(reads, id)])
  const named = (inUse.get(id) ?? []).map((secteur) => ({ secteur }))
  return presentName(chosen, named, secteurs)
}

const messages = {
  email: { en: 'must be a valid e-mail address', fr: 'doit être une adresse électronique valide' },
  browser: { en: 'is not that of a browser', fr: t.abonnement.pushInvalid },
}
