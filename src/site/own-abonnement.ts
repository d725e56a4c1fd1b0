import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { listSecteursOf } from '../modules/communes/secteurs/names.ts'
import type { Addresses } from '../modules/subscribers/addresses.ts'
import type { Choice } from '../modules/subscribers/choices.ts'
import {
  type ChosenPlace,
  confirmChoice,
  findSubscriber,
  leave,
  listSecteurNames,
  type Subscriber,
  saveChoices,
} from '../modules/subscribers/subscribing.ts'
import { isUuid } from '../platform/formats/uuid.ts'
import { choiceFields, readChoiceByAddress, type Shown, valuesOf } from './choice-fields.ts'
import { type Form, formPage, refuseElsewhere, type Values } from './forms.ts'
import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import type { Pages, Site, SiteBase } from './site.ts'
import { namesInWords, t } from './text.ts'

const ByToken = Type.Object({ token: Type.String({ pattern: '^[\\w-]{1,100}$' }) })
const OfPlaces = Type.Object({ ...ByToken.properties, places: Type.String({ maxLength: 1_000 }) })
type OfPlaces = { token: string; places?: string }

/** The page of a subscriber, whose address is a secret: confirms what was asked for, changes what is confirmed, and leaves. */
export function ownPages(...[scope, site, addresses]: [...Parameters<Pages>, Addresses]): void {
  formPage(scope, site, ownForm(site, addresses))
  scope.register(async (own) => {
    // Mail programs send the fields of RFC 8058 as a form of either type. What they say is not needed.
    own.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit: 65_536 },
      (_r, _b, done) => done(null, {}),
    )
    const personal = { config: { page: { isPersonal: true } } }
    for (const [url, params] of [
      ['/abonnement/:token/quitter', ByToken],
      ['/abonnement/:token/quitter/:places', OfPlaces],
      ['/abonnement/:token/confirmer/:places', OfPlaces],
    ] as const)
      own.get(
        url,
        { config: { caching: { never: 'leads to a page of one person' } }, schema: { params } },
        (request, reply) => reply.redirect(`/abonnement/${(request.params as OfPlaces).token}`, 303),
      )
    own.post(
      '/abonnement/:token/confirmer/:places',
      { ...personal, schema: { params: OfPlaces }, onRequest: refuseElsewhere },
      async (request, reply) => {
        const { token, places = '' } = request.params as OfPlaces
        const isConfirmed = await confirmChoice(site.db, addresses, token, places)
        return reply.redirect(`/abonnement/${token}${isConfirmed ? '?envoye=1' : ''}`, 303)
      },
    )
    /**
     * One click ends it (RFC 8058): mail programs post here by themselves, from anywhere, without a question. A GET changes
     * nothing, because scanners of mail follow links.
     */
    for (const [url, params] of [
      ['/abonnement/:token/quitter', ByToken],
      ['/abonnement/:token/quitter/:places', OfPlaces],
    ] as const)
      own.post(url, { ...personal, schema: { params } }, async (request, reply) => {
        const { token, places } = request.params as OfPlaces
        const ids = places?.split('.').filter(isUuid) ?? null
        return sendLeft(reply, request.site, token, await leave(site.db, addresses, token, ids))
      })
  })
}

/** Changes what is confirmed. What was asked for stands below, each with its own button: anybody may have asked for it. */
function ownForm({ db }: SiteBase, addresses: Addresses): Form<Subscriber> {
  async function shownOf(choices: ChosenPlace[]): Promise<(Shown & { communeId: string })[]> {
    const ids = choices.flatMap(({ place_id, isGroup }) => (isGroup ? [] : [place_id]))
    const [names, secteurs] = await Promise.all([listSecteurNames(db, ids), listSecteursOf(db, ids)])
    const withPlaces = new Set(secteurs.flatMap((one) => (one.has_places ? [one.commune_id] : [])))
    return choices.map((choice) => {
      const { place_id: communeId, nom, collectes_secteur: chosen } = choice
      const asks = chosen === null ? 'alone' : 'beside'
      const byAddress = withPlaces.has(communeId) ? asks : null
      return { suffix: suffixOf(choice), nom, secteurs: names.get(communeId), byAddress, communeId }
    })
  }
  return {
    url: '/abonnement/:token',
    params: ByToken,
    isPersonal: true,
    title: t.abonnement.mine,
    fields: async (subscriber) => (await shownOf(confirmedOf(subscriber))).flatMap(choiceFields),
    initial: (subscriber) =>
      Object.assign({}, ...confirmedOf(subscriber).map((choice) => valuesOf(choice, suffixOf(choice)))),
    button: t.abonnement.save,
    after: (subscriber, isDone) =>
      html`${isDone && confirmedInWords(subscriber)}${pendingForms(subscriber)}${leaveForms(subscriber)}`,
    body: Type.Record(Type.String(), Type.String()),
    async find({ params }) {
      const { token } = params as { token: string }
      // Read from the primary: the form that leads here was just sent.
      const subscriber = await findSubscriber(db, addresses, token)
      const { mine, minePush, mineConfirmed, mineLead, left, gone } = t.abonnement
      const about = { path: `/abonnement/${token}`, title: mine, crumbs: [] }
      // Nothing is kept of who left: every link of the right form says so.
      if (subscriber === null) return { ...about, title: left, lead: gone, closed: toHome, status: 410 }
      if (confirmedOf(subscriber).length > 0)
        return {
          ...about,
          subject: subscriber,
          lead: subscriber.channel === 'push' ? minePush : mineConfirmed,
        }
      const closed = html`${pendingForms(subscriber)}${leaveForms(subscriber)}`
      return { ...about, lead: mineLead, closed }
    },
    complete: (values) => values,
    async submit(values: Values, subscriber) {
      const confirmed = confirmedOf(subscriber)
      const shown = await shownOf(confirmed)
      const changed = confirmed.map(async (before, at) => {
        const one = shown[at]
        return one === undefined
          ? []
          : [{ ...before, ...(await readChoiceByAddress(db, values, one, before)) }]
      })
      await saveChoices(db, subscriber.id, (await Promise.all(changed)).flat())
      return null
    },
    done: t.abonnement.saved,
  }
}

const confirmedOf = ({ choices }: Subscriber) => choices.filter(({ isConfirmed }) => isConfirmed)

/** Names the fields of a place. A commune and a group may have the same slug. */
const suffixOf = ({ slug, isGroup }: ChosenPlace) => `${isGroup ? '-groupe' : ''}-${slug}`

/** What was asked for and nobody has confirmed yet. */
function pendingForms({ token, choices }: Subscriber): Markup | false {
  const pending = choices.filter(({ isConfirmed }) => !isConfirmed)
  return (
    pending.length > 0 &&
    html`<section aria-labelledby="attente"><h2 id="attente">${t.abonnement.pending}</h2>
<p>${t.abonnement.pendingLead}</p>
${pending.map(
  (choice) => html`${choiceInWords(choice)}
<form method="post" action="/abonnement/${token}/confirmer/${choice.place_id}"><button type="submit">${t.abonnement.confirm(choice.nom)}</button></form>
<form method="post" action="/abonnement/${token}/quitter/${choice.place_id}"><button type="submit">${t.abonnement.refuse(choice.nom)}</button></form>
`,
)}</section>
`
  )
}

/** What is now so, after a change. */
const confirmedInWords = (subscriber: Subscriber): Markup => html`
<section aria-labelledby="maintenant"><h2 id="maintenant">${t.abonnement.now}</h2>
${confirmedOf(subscriber).map(choiceInWords)}
<p><a href="/abonnement/${subscriber.token}">${t.abonnement.change}</a></p></section>
`

/** What a resident gets about a commune or a group, in words. */
function choiceInWords({ nom, ...choice }: Choice & { nom: string }): Markup {
  const { alertes, collectes, actualites } = t.abonnement.inWords
  const { collectes_hour: hour, collectes_secteur: secteur } = choice
  const lines = [
    choice.alertes === 'none' ? null : alertes[choice.alertes],
    hour === null ? null : collectes(hour, secteur),
    choice.actualites ? actualites : null,
  ].filter((line) => line !== null)
  return html`<h3>${nom}</h3>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

const leaveForms = (subscriber: Subscriber) => html`
<section aria-labelledby="depart"><h2 id="depart">${t.abonnement.leave}</h2>
${
  subscriber.choices.length > 1 &&
  confirmedOf(subscriber).map(
    ({
      place_id,
      nom,
    }) => html`<form method="post" action="/abonnement/${subscriber.token}/quitter/${place_id}">
<button type="submit">${t.abonnement.leaveOf(nom)}</button></form>
`,
  )
}<form method="post" action="/abonnement/${subscriber.token}/quitter"><button type="submit">${subscriber.channel === 'push' ? t.abonnement.leaveAllPush : t.abonnement.leaveAll}</button></form>
</section>`

const toHome = html`<p><a class="more" href="/">${t.error.home}</a></p>`

type Left = Awaited<ReturnType<typeof leave>>

/** Says what was left, and what goes on. */
function sendLeft(reply: FastifyReply, site: Site, token: string, { left, remaining }: Left) {
  const isOver = remaining.length === 0
  const title = isOver ? t.abonnement.left : t.abonnement.leftOf(namesInWords(left))
  const body = html`<h1>${title}</h1>
<p class="lead">${isOver ? t.abonnement.leftLead : t.abonnement.leftSome(namesInWords(left))}</p>
${
  !isOver &&
  html`<p>${t.abonnement.remains(namesInWords(remaining))} <a href="/abonnement/${token}">${t.abonnement.onDeviceOpen}</a></p>
`
}${toHome}`
  return sendPage(reply, site, { title, description: title, path: null, body })
}
