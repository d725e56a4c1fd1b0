import Type from 'typebox'
import { BySlug } from '../modules/communes/reading.ts'
import type { Commune } from '../modules/communes/schema.ts'
import { findByAddress } from '../modules/communes/secteurs/by-address.ts'
import { listSecteurs } from '../modules/communes/secteurs/names.ts'
import { type Addresses, addressesOf } from '../modules/subscribers/addresses.ts'
import { readBrowser, subscribeBrowser } from '../modules/subscribers/browsers.ts'
import type { Choice } from '../modules/subscribers/choices.ts'
import { subscribersSettings } from '../modules/subscribers/settings.ts'
import { askToSubscribe, listSecteurNames } from '../modules/subscribers/subscribing.ts'
import { settingsOf } from '../platform/config/config.ts'
import { invalid } from '../platform/errors.ts'
import { foldMailAddress, parseTypedAddress } from '../platform/formats/mail-address.ts'
import { hasWord } from '../platform/formats/text.ts'
import { choiceFields, nothing, readChoice, type Shown, valuesOf } from './choice-fields.ts'
import { readHeader } from './commune-pages.ts'
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

function subscribeForm(site: SiteBase, addresses: Addresses): Form<Commune> {
  const pushKey = createPushKey(site)
  const { pushServices } = settingsOf(site.config, subscribersSettings)
  async function shownOf({ id }: Commune): Promise<Shown> {
    const [names, secteurs] = await Promise.all([
      listSecteurNames(site.reads, [id]),
      listSecteurs(site.reads, id),
    ])
    const byAddress = secteurs.some(({ has_places }) => has_places)
    return { suffix: '', nom: null, secteurs: names.get(id), byAddress }
  }
  async function choiceOf(values: Values, commune: Commune): Promise<Choice> {
    const shown = await shownOf(commune)
    const { adresse = '' } = values
    // Without reminders of collections the secteur does not matter.
    if (!shown.byAddress || !hasWord(adresse) || values.collectes === 'non')
      return readChoice(values, shown, nothing)
    const secteur = await secteurOf(site, commune, adresse)
    return readChoice({ ...values, secteur }, shown, nothing)
  }
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
    initial: () => valuesOf({ ...nothing, alertes: 'all' }, ''),
    body: Type.Record(Type.String(), Type.String()),
    async find({ params, caller }) {
      const commune = await shownCommune(site, caller, (params as { slug: string }).slug)
      await pushKey.load()
      const page = `/communes/${commune.slug}`
      const header = await readHeader(site, commune, caller)
      return {
        subject: commune,
        path: `${page}/abonnement`,
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
    done: site.config.mail.url === null ? t.abonnement.askedNoMail : t.abonnement.asked,
  }
}

/** Returns the secteur of an address, which is not kept. */
async function secteurOf({ reads }: SiteBase, { id }: Commune, adresse: string): Promise<string> {
  const { secteurs, suggestions } = await findByAddress(reads, id, adresse)
  const [only, ...others] = secteurs
  if (only === undefined) throw invalid('adresse', messages.unknown(suggestions.slice(0, 3).join(', ')))
  if (others.length > 0) throw invalid('adresse', messages.several(secteurs.join(', ')))
  return only
}

const messages = {
  unknown: (suggestions: string) => ({
    en: 'is in no secteur that is known',
    fr: t.abonnement.addressUnknown(suggestions),
  }),
  several: (secteurs: string) => ({
    en: 'is in several secteurs: add the number',
    fr: t.abonnement.addressSeveral(secteurs),
  }),
  email: { en: 'must be a valid e-mail address', fr: 'doit être une adresse électronique valide' },
  browser: { en: 'is not that of a browser', fr: t.abonnement.pushInvalid },
}
