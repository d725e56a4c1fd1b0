import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { BySlug } from '../modules/communes/reading.ts'
import type { Commune } from '../modules/communes/schema.ts'
import { type Addresses, addressesOf } from '../modules/subscribers/addresses.ts'
import { readBrowser, subscribeBrowser } from '../modules/subscribers/browsers.ts'
import { alertesLevels, type Choice, isSomething } from '../modules/subscribers/choices.ts'
import {
  askToSubscribe,
  type ChosenCommune,
  confirmChoices,
  getSubscriber,
  leave,
  listSecteurs,
  type Subscriber,
} from '../modules/subscribers/subscribing.ts'
import { invalid } from '../platform/errors.ts'
import { parseMailAddress } from '../platform/formats/mail-address.ts'
import { isUuid } from '../platform/formats/uuid.ts'
import { type Field, type Form, formPage, type Values } from './forms.ts'
import { html } from './html.ts'
import { sendPage } from './layout.ts'
import { browserFields, createPushKey, deviceRoutes, pushParts } from './notifications.ts'
import { type Pages, type Site, shownCommune } from './site.ts'
import { namesInWords, t } from './text.ts'

const ByToken = Type.Object({ token: Type.String({ pattern: '^[\\w-]{1,100}$' }) })
const OfCommune = Type.Object({ ...ByToken.properties, communes: Type.String({ maxLength: 1_000 }) })
const Texts = Type.Record(Type.String(), Type.String())
type Level = Choice['alertes']

/**
 * Residents subscribe to the messages of a commune, confirm, change and leave, without an account. All of it works without a
 * script; the script of the form adds notifications of the browser.
 */
export const subscribePages: Pages = (scope, site) => {
  const addresses = addressesOf(site.config.sessionKeys)
  formPage(scope, site, subscribeForm(site, addresses))
  formPage(scope, site, ownForm(site, addresses))
  leavingRoutes(scope, site, addresses)
  deviceRoutes(scope, site, addresses)
}

function subscribeForm(site: Site, addresses: Addresses): Form<Commune> {
  const pushKey = createPushKey(site)
  const shownOf = async ({ id }: Commune): Promise<Shown> => ({
    ...{ suffix: '', nom: null, secteurs: (await listSecteurs(site.reads, [id])).get(id) },
  })
  return {
    url: '/communes/:slug/abonnement',
    params: BySlug,
    limit: 'subscribe',
    title: t.abonnement.short,
    fields: async (commune) => [
      {
        ...{ name: 'email', label: t.form.email, hint: t.abonnement.emailHint, kind: 'email' },
        ...{ isRequired: true, maxLength: 254, autocomplete: 'email' },
      },
      ...choiceFields(await shownOf(commune)),
      ...(pushKey.current === null ? [] : browserFields),
    ],
    script: { path: site.files.subscribe, parts: () => pushParts(site, pushKey.current) },
    initial: () => valuesOf({ ...nothing, alertes: 'all' }, ''),
    body: Texts,
    async find({ params, caller }) {
      const commune = await shownCommune(site, caller, (params as { slug: string }).slug)
      await pushKey.load()
      const page = `/communes/${commune.slug}`
      return {
        subject: commune,
        path: `${page}/abonnement`,
        title: t.abonnement.title(commune.nom),
        lead: t.abonnement.lead,
        crumbs: [{ label: commune.nom, href: page }],
      }
    },
    complete: (values) => values,
    async submit(values: Values, commune) {
      if (values.endpoint !== undefined && pushKey.current !== null) {
        const browser = readBrowser(values, pushKey.current)
        if (browser === null) throw invalid('endpoint', messages.browser)
        const chosen = readChoice(values, await shownOf(commune), nothing)
        const token = await subscribeBrowser({ ...site, addresses }, browser, commune.id, chosen)
        return { page: `/abonnement/${token}` }
      }
      const address = parseMailAddress(values.email ?? '')
      if (address === null) throw invalid('email', messages.email)
      const choice = readChoice(values, await shownOf(commune), nothing)
      await askToSubscribe({ ...site, addresses }, address, commune.id, choice)
      return null
    },
    done: site.config.mail.url === null ? t.abonnement.askedNoMail : t.abonnement.asked,
  }
}

/** The page of one's own subscription: its button confirms and saves. */
function ownForm({ db }: Site, addresses: Addresses): Form<Subscriber> {
  async function shownOf(choices: ChosenCommune[]): Promise<Shown[]> {
    const secteurs = await listSecteurs(
      db,
      choices.map(({ commune_id }) => commune_id),
    )
    return choices.map((choice) => ({
      ...{ suffix: suffixOf(choice), nom: choice.nom, secteurs: secteurs.get(choice.commune_id) },
    }))
  }
  return {
    url: '/abonnement/:token',
    params: ByToken,
    isPersonal: true,
    title: t.abonnement.mine,
    fields: async ({ choices }) => (await shownOf(choices)).flatMap(choiceFields),
    initial: ({ choices }) =>
      Object.assign({}, ...choices.map((choice) => valuesOf(choice, suffixOf(choice)))),
    button: t.abonnement.confirm,
    after: (subscriber) => leaveForms(subscriber),
    body: Texts,
    async find({ params }) {
      const { token } = params as { token: string }
      // Read from the primary: the form that leads here was just sent.
      const subscriber = await getSubscriber(db, addresses, token)
      const isConfirmed = subscriber.choices.every((choice) => choice.isConfirmed)
      return {
        subject: subscriber,
        path: `/abonnement/${token}`,
        title: t.abonnement.mine,
        lead:
          subscriber.channel === 'push'
            ? t.abonnement.minePush
            : isConfirmed
              ? t.abonnement.mineConfirmed
              : t.abonnement.mineLead,
        crumbs: [],
      }
    },
    complete: (values) => values,
    async submit(values: Values, { id, choices }) {
      const shown = await shownOf(choices)
      const changed = choices.flatMap((before, at) => {
        const one = shown[at]
        return one === undefined ? [] : [{ ...before, ...readChoice(values, one, before) }]
      })
      await confirmChoices(db, id, changed)
      return null
    },
    done: t.abonnement.saved,
  }
}

/** Names the fields of a commune. */
const suffixOf = ({ slug }: ChosenCommune) => `-${slug}`

/** `nom`: named in the labels where several communes stand on one page. `secteurs`: undefined without collections. */
type Shown = { suffix: string; nom: string | null; secteurs: string[] | undefined }

function choiceFields({ suffix, nom, secteurs }: Shown): Field[] {
  const words = t.abonnement
  const label = (alone: string, of: (nom: string) => string) => (nom === null ? alone : of(nom))
  const yesOrNo = [
    { value: 'oui', label: words.weekly },
    { value: 'non', label: words.never },
  ]
  return [
    {
      ...{ name: `alertes${suffix}`, label: label(words.alertes, words.alertesOf), isRequired: true },
      kind: alertesLevels.map((value) => ({ value, label: words.levels[value] })),
    },
    ...(secteurs === undefined
      ? []
      : [
          {
            ...{
              name: `collectes${suffix}`,
              label: label(words.collectes, words.collectesOf),
              isRequired: true,
            },
            kind: [
              { value: 'non', label: words.never },
              ...hours.map((hour) => ({ value: `${hour}`, label: words.hour(hour) })),
            ],
          },
        ]),
    ...(secteurs === undefined || secteurs.length === 0
      ? []
      : [
          {
            ...{ name: `secteur${suffix}`, label: label(words.secteur, words.secteurOf) },
            kind: [
              { value: '', label: words.everywhere },
              ...secteurs.map((secteur) => ({ value: secteur, label: secteur })),
            ],
          },
        ]),
    {
      ...{
        name: `actualites${suffix}`,
        label: label(words.actualites, words.actualitesOf),
        isRequired: true,
      },
      kind: yesOrNo,
    },
  ]
}

const hours = [12, 17, 18, 19, 20, 21] as const

const valuesOf = (choice: Choice, suffix: string): Values => ({
  [`alertes${suffix}`]: choice.alertes,
  [`collectes${suffix}`]: choice.collectes_hour === null ? 'non' : `${choice.collectes_hour}`,
  [`secteur${suffix}`]: choice.collectes_secteur ?? '',
  [`actualites${suffix}`]: choice.actualites ? 'oui' : 'non',
})

/** Reads a choice. What the form did not show stays as it was. */
function readChoice(values: Values, { suffix, secteurs }: Shown, before: Choice): Choice {
  const level = values[`alertes${suffix}`] ?? 'none'
  if (!isLevel(level)) throw invalid(`alertes${suffix}`, messages.level)
  const asked = values[`collectes${suffix}`]
  const hour = hours.find((one) => `${one}` === asked) ?? null
  if (asked !== undefined && asked !== 'non' && hour === null)
    throw invalid(`collectes${suffix}`, messages.level)
  const secteur = values[`secteur${suffix}`] ?? null
  if (secteur !== null && !secteurs?.includes(secteur)) throw invalid(`secteur${suffix}`, messages.level)
  const choice = {
    alertes: level,
    ...(asked === undefined
      ? { collectes_hour: before.collectes_hour, collectes_secteur: before.collectes_secteur }
      : { collectes_hour: hour, collectes_secteur: hour === null ? null : secteur }),
    actualites: values[`actualites${suffix}`] === 'oui',
  }
  if (!isSomething(choice)) throw invalid(`alertes${suffix}`, messages.nothing)
  return choice
}

const isLevel = (text: string): text is Level => (alertesLevels as readonly string[]).includes(text)
const nothing: Choice = { alertes: 'none', collectes_hour: null, collectes_secteur: null, actualites: false }

const messages = {
  email: { en: 'must be a valid e-mail address', fr: 'doit être une adresse électronique valide' },
  level: { en: 'is not one of the choices', fr: 'n’est pas l’un des choix' },
  nothing: { en: 'choose something, or leave', fr: t.abonnement.nothing },
  browser: { en: 'is not that of a browser', fr: t.abonnement.pushInvalid },
}

const leaveForms = ({ token, choices, channel }: Subscriber) => html`
<section aria-labelledby="depart"><h2 id="depart">${t.abonnement.leave}</h2>
${
  choices.length > 1 &&
  choices.map(
    ({ commune_id, nom }) => html`<form method="post" action="/abonnement/${token}/quitter/${commune_id}">
<button type="submit">${t.abonnement.leaveOf(nom)}</button></form>
`,
  )
}<form method="post" action="/abonnement/${token}/quitter"><button type="submit">${channel === 'push' ? t.abonnement.leaveAllPush : t.abonnement.leaveAll}</button></form>
</section>`

type Left = Awaited<ReturnType<typeof leave>>

/**
 * One click ends it (RFC 8058): mail programs post here by themselves, from anywhere, without a question. A GET changes
 * nothing, because scanners of mail follow links.
 */
function leavingRoutes(...[scope, site, addresses]: [...Parameters<Pages>, Addresses]): void {
  function confirm(reply: FastifyReply, token: string, { left, remaining }: Left) {
    const isOver = remaining.length === 0
    const title = isOver ? t.abonnement.left : t.abonnement.leftOf(namesInWords(left))
    const body = html`<h1>${title}</h1>
<p class="lead">${isOver ? t.abonnement.leftLead : t.abonnement.leftSome(namesInWords(left))}</p>
${
  !isOver &&
  html`<p>${t.abonnement.remains(namesInWords(remaining))} <a href="/abonnement/${token}">${t.abonnement.onDeviceOpen}</a></p>
`
}<p><a class="more" href="/">${t.error.home}</a></p>`
    return sendPage(reply, site, { title, description: title, path: null, body })
  }
  scope.register(async (own) => {
    // Mail programs send the fields of RFC 8058 as a form of either type. What they say is not needed.
    own.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit: 65_536 },
      (_r, _b, done) => done(null, {}),
    )
    for (const [url, params] of [
      ['/abonnement/:token/quitter', ByToken],
      ['/abonnement/:token/quitter/:communes', OfCommune],
    ] as const) {
      own.get(
        url,
        { config: { uncached: 'leads to a page of one person' }, schema: { params } },
        (request, reply) => reply.redirect(`/abonnement/${(request.params as { token: string }).token}`, 303),
      )
      own.post(url, { config: { isPersonal: true }, schema: { params } }, async (request, reply) => {
        const { token, communes } = request.params as { token: string; communes?: string }
        const ids = communes?.split('.').filter(isUuid) ?? null
        return confirm(reply, token, await leave(site.db, addresses, token, ids))
      })
    }
  })
}
