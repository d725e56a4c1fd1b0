import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { BySlug } from '../modules/communes/reading.ts'
import type { Commune, CommuneListed } from '../modules/communes/schema.ts'
import { listSecteurs, presentName } from '../modules/communes/secteurs/names.ts'
import { ByIdOrSlug } from '../modules/groups/reading.ts'
import { type Addresses, addressesOf } from '../modules/subscribers/addresses.ts'
import { readBrowser, subscribeBrowser } from '../modules/subscribers/browsers.ts'
import type { Choice } from '../modules/subscribers/choices.ts'
import { subscribersSettings } from '../modules/subscribers/settings.ts'
import { askToSubscribe, listSecteurNames } from '../modules/subscribers/subscribing.ts'
import { settingsOf } from '../platform/config/config.ts'
import { invalid } from '../platform/errors.ts'
import { foldMailAddress, parseTypedAddress } from '../platform/formats/mail-address.ts'
import { areMailsDelayed } from '../platform/mail/transports.ts'
import {
  choiceFields,
  nothing,
  readChoice,
  readChoiceByAddress,
  type Shown,
  valuesOf,
} from './choice-fields.ts'
import { namesOf } from './commune-names.ts'
import { readHeader, secteurAsked } from './commune-pages.ts'
import { type Field, type Form, formPage, type Values } from './forms.ts'
import { shownGroup } from './groupes/shown-group.ts'
import { html, type Markup } from './html.ts'
import { browserFields, createPushKey, deviceRoutes, pushParts } from './notifications.ts'
import { ownPages } from './own-abonnement.ts'
import { type Pages, type SiteBase, shownCommune } from './site.ts'
import { t } from './text.ts'

/**
 * Residents subscribe to the messages of a commune or of a group, confirm, change and leave, without an account. All of it works without a
 * script; the script of the form adds notifications of the browser.
 */
export const subscribePages: Pages = (scope, site) => {
  const addresses = addressesOf(site.config.sessionKeys)
  const pushKey = createPushKey(site)
  formPage(scope, site, communeForm(site, addresses, pushKey))
  formPage(scope, site, groupForm(site, addresses, pushKey))
  ownPages(scope, site, addresses)
  deviceRoutes(scope, site, addresses)
}

type PushKey = ReturnType<typeof createPushKey>
/** `secteur`: the one that a resident has chosen, as the commune names it now. */
type CommuneSubject = Commune & { secteur: string | null }

function communeForm(site: SiteBase, addresses: Addresses, pushKey: PushKey): Form<CommuneSubject> {
  async function shownOf({ id, secteur }: CommuneSubject): Promise<Shown> {
    const [names, secteurs] = await Promise.all([
      listSecteurNames(site.reads, [id]),
      listSecteurs(site.reads, id),
    ])
    const byAddress = secteur === null && secteurs.some(({ has_places }) => has_places) ? 'alone' : null
    return { suffix: '', nom: null, secteurs: names.get(id), byAddress }
  }
  return {
    ...subscribing<CommuneSubject>(site, addresses, pushKey, {
      isGroup: false,
      shownOf,
      choiceOf: async (values, commune) => {
        const shown = { ...(await shownOf(commune)), communeId: commune.id }
        return readChoiceByAddress(site.reads, values, shown, nothing)
      },
    }),
    url: '/communes/:slug/abonnement',
    params: BySlug,
    initial: ({ secteur }) => valuesOf({ ...nothing, alertes: 'all', collectes_secteur: secteur }, ''),
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
  }
}

type GroupSubject = Awaited<ReturnType<typeof shownGroup>>['group'] & { members: readonly CommuneListed[] }

/**
 * Of a group itself: what its acteur alerts and publishes. Its bins, and what its members publish, come with the messages of a
 * member, to which the names below the form lead.
 */
function groupForm(site: SiteBase, addresses: Addresses, pushKey: PushKey): Form<GroupSubject> {
  const shown: Shown = { suffix: '', nom: null, secteurs: undefined }
  return {
    ...subscribing<GroupSubject>(site, addresses, pushKey, {
      isGroup: true,
      shownOf: async () => shown,
      choiceOf: async (values) => readChoice(values, shown, nothing),
    }),
    url: '/groupes/:idOrSlug/abonnement',
    params: ByIdOrSlug,
    initial: () => valuesOf({ ...nothing, alertes: 'all' }, ''),
    after: ({ members }, isDone) => html`${!isDone && members.length > 0 && membersOf(members)}`,
    async find({ params, caller, site }) {
      const { group, members } = await shownGroup(site, caller, (params as { idOrSlug: string }).idOrSlug)
      await pushKey.load()
      const page = `/groupes/${group.slug}`
      return {
        subject: { ...group, members },
        path: `${page}/abonnement`,
        title: t.abonnement.title(group.nom),
        lead: t.groups.messagesLead,
        crumbs: [{ label: group.nom, href: page }],
        group: page,
      }
    },
  }
}

const membersOf = (members: readonly CommuneListed[]): Markup => html`
<section aria-labelledby="communes"><h2 id="communes">${t.groups.messagesByCommune}</h2>
<p>${t.groups.messagesOfCommune}</p>
${namesOf(members.map(({ slug, nom }) => html`<a href="/communes/${slug}/abonnement">${nom}</a>`))}</section>`

type Subscribing<Subject> = {
  isGroup: boolean
  shownOf(subject: Subject): Promise<Shown>
  choiceOf(values: Values, subject: Subject): Promise<Choice>
}

/** What the forms of communes and groups have in common: an address or a browser, and a choice. */
function subscribing<Subject extends { id: string }>(
  site: SiteBase,
  addresses: Addresses,
  pushKey: PushKey,
  { isGroup, shownOf, choiceOf }: Subscribing<Subject>,
) {
  const { pushServices } = settingsOf(site.config, subscribersSettings)
  return {
    title: t.abonnement.short,
    fields: async (subject: Subject): Promise<Field[]> => [
      {
        ...{ name: 'email', label: t.form.email, hint: t.abonnement.emailHint, kind: 'email' },
        ...{ isRequired: true, maxLength: 254, autocomplete: 'email' },
      },
      ...choiceFields(await shownOf(subject)),
      ...(pushKey.current === null ? [] : browserFields),
    ],
    script: { path: site.files.subscribe, parts: () => pushParts(pushKey.current) },
    body: Type.Record(Type.String(), Type.String()),
    complete: (values: Values) => values,
    // Counts what it accepts alone: a form that is corrected, or sent by another site, uses up nobody's limit.
    async submit(values: Values, subject: Subject, request: FastifyRequest) {
      const place = { id: subject.id, isGroup }
      if (values.endpoint !== undefined && pushKey.current !== null) {
        const browser = readBrowser(values, pushKey.current, pushServices)
        if (browser === null) throw invalid('endpoint', messages.browser)
        const chosen = await choiceOf(values, subject)
        await site.limits.countClient('subscribe', 'form', request)
        const token = await subscribeBrowser({ ...site, addresses }, browser, place, chosen)
        return { page: `/abonnement/${token}` }
      }
      const address = parseTypedAddress(values.email ?? '')
      if (address === null) throw invalid('email', messages.email)
      const choice = await choiceOf(values, subject)
      await site.limits.countClient('subscribe', 'form', request)
      await site.limits.countKey('subscribe_address', foldMailAddress(address))
      await askToSubscribe({ ...site, addresses }, address, place, choice)
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
