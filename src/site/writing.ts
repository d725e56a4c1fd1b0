import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ByIdOrSlug, type PublicActeur } from '../modules/acteurs/reading.ts'
import { readClaimability } from '../modules/claims/queries.ts'
import { claimsSettings } from '../modules/claims/settings.ts'
import { ClaimCreate, submitClaim } from '../modules/claims/submit.ts'
import { MessageCreate, receiveMessage } from '../modules/messages/writing.ts'
import { reportCategories } from '../modules/publications/office.ts'
import { reporterAddresses } from '../modules/publications/reports/addresses.ts'
import { reporterKeys } from '../modules/publications/reports/reporter.ts'
import { reportPublication } from '../modules/publications/reports/routes.ts'
import { ReportBody } from '../modules/publications/reports/schema.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { settingsOf, sharedSecret } from '../platform/config/config.ts'
import { IdOrSlug } from '../platform/http/validation/schemas.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { homeOfActeur } from './acteurs.ts'
import { readHeader, secteurAsked } from './commune-pages.ts'
import { complainingPage } from './complaining.ts'
import { confirmingPage, ownReportsAddress } from './confirming-reporter.ts'
import { acceptForms, type Field, type Form, formPage } from './forms.ts'
import { html, type Markup } from './html.ts'
import { communesOf, homeOf } from './publications.ts'
import { pathOf } from './rows.ts'
import { type Pages, type Site, type SiteBase, shownActeur, shownPublication } from './site.ts'
import { t } from './text.ts'

/** The forms of residents: report a publication, claim an acteur, write to the support. */
export const writingPages: Pages = (scope, site) => {
  acceptForms(scope)
  formPage(scope, site, reportForm(site))
  confirmingPage(scope, site)
  ownReportsAddress(scope, site)
  complainingPage(scope, site)
  formPage(scope, site, claimForm(site))
  formPage(scope, site, contactForm(site))
}

function reportForm(site: SiteBase): Form<Publication> {
  const { config, clock } = site
  const reporterOf = reporterKeys(sharedSecret(config))
  const tools = { ...site, addresses: reporterAddresses(config.sessionKeys) }
  return {
    url: '/publications/:slug/signaler',
    params: Type.Object({ slug: IdOrSlug('Slug', 'fete-de-la-pomme') }),
    limit: 'report',
    title: t.report.title,
    fields: [
      {
        name: 'category',
        label: t.report.category,
        kind: reportCategories.map((value) => ({ value, label: t.report.categories[value] })),
        isRequired: true,
      },
      { name: 'message', label: t.report.message, kind: 'textarea', maxLength: 1_000 },
      ...reporterFields,
    ],
    body: ReportBody,
    async find({ params, caller, query }: FastifyRequest) {
      const publication = await shownPublication(site, caller, (params as { slug: string }).slug)
      const path = `${pathOf(publication)}/signaler`
      const crumbs = [{ label: publication.titre, href: pathOf(publication) }]
      const home = homeOf(publication, await communesOf(site, caller, publication))
      return {
        ...{ subject: publication, path, title: t.report.title, lead: t.report.lead, crumbs },
        ...(home && { commune: await readHeader(site, home, caller, secteurAsked(home, path, query)) }),
      }
    },
    complete: (values) => values,
    async submit(body: ReportBody, { id }, { caller, ip }) {
      await reportPublication(tools, caller, id, reporterOf(caller, ip, todayInParis(clock())), body)
      return null
    },
    done: config.mail.url === null ? t.report.done : `${t.report.done} ${t.report.next}`,
  }
}

/** Where the reporter learns what becomes of it. */
const reporterFields: readonly Field[] = [
  {
    name: 'email',
    label: t.form.email,
    hint: t.report.reach,
    kind: 'email',
    maxLength: 254,
    autocomplete: 'email',
  },
  { name: 'name', label: t.form.nom, kind: 'text', maxLength: 200, autocomplete: 'name' },
]

/** Who asks to take over an acteur, and why it is theirs. */
export const claimantFields: readonly Field[] = [
  {
    name: 'message',
    label: t.claim.message,
    hint: t.claim.hint,
    kind: 'textarea',
    isRequired: true,
    maxLength: 2_000,
  },
  { name: 'nom', label: t.form.nom, kind: 'text', maxLength: 200, autocomplete: 'name' },
  {
    name: 'email',
    label: t.form.email,
    hint: t.claim.reach,
    kind: 'email',
    maxLength: 254,
    autocomplete: 'email',
  },
  { name: 'telephone', label: t.form.telephone, kind: 'tel', maxLength: 50, autocomplete: 'tel' },
]

function claimForm(site: SiteBase): Form<PublicActeur> {
  const { config } = site
  const { requireBearer, ttlDays } = settingsOf(config, claimsSettings)
  return {
    url: '/acteurs/:idOrSlug/revendiquer',
    params: ByIdOrSlug,
    limit: 'claim',
    title: t.claim.link,
    fields: claimantFields,
    body: ClaimCreate,
    async find({ params, caller, method, query, site: shown }: FastifyRequest) {
      const acteur = await shownActeur(site, caller, (params as { idOrSlug: string }).idOrSlug)
      const path = `/acteurs/${acteur.slug}/revendiquer`
      const crumbs = [{ label: acteur.nom, href: `/acteurs/${acteur.slug}` }]
      const home = homeOfActeur(acteur, caller)
      const about = {
        ...{ subject: acteur, path, title: t.claim.title(acteur.nom), crumbs },
        ...(home && { commune: await readHeader(site, home, caller, secteurAsked(home, path, query)) }),
      }
      if (requireBearer) return { ...about, lead: t.claim.signedIn, closed: waysToClaim(shown) }
      const claimability = await readClaimability(site.lists, acteur.id, ttlDays)
      // Shows the receipt and the refusal of a claim that was sent: both would be hidden.
      const isSent = method === 'POST' || (query as { envoye?: string }).envoye === '1'
      if (claimability === 'pending' && !isSent)
        return { ...about, lead: t.claim.pending, closed: waysToClaim(shown) }
      return { ...about, lead: claimability === 'owned' ? `${t.claim.owned} ${t.claim.lead}` : t.claim.lead }
    },
    complete: (values, { id }) => ({ ...values, acteur_id: id }),
    async submit(body: ClaimCreate, _acteur, { caller }) {
      return (await submitClaim(site, caller, body, ttlDays)).reference
    },
    done: t.claim.done,
  }
}

/** Where somebody who may not use the form goes instead. */
export const waysToClaim = ({ config, service }: Site): Markup => html`<ul class="plain">
${
  config.backoffice &&
  html`<li><a href="${service}/backoffice/">${t.claim.signIn}</a></li>
`
}<li><a href="/contact">${t.contact.title}</a></li>
</ul>`

function contactForm({ db, config }: SiteBase): Form<null> {
  return {
    url: '/contact',
    limit: 'support',
    title: t.contact.title,
    fields: [
      { name: 'nom', label: t.form.nom, kind: 'text', maxLength: 200, autocomplete: 'name' },
      {
        name: 'email',
        label: t.form.email,
        kind: 'email',
        isRequired: true,
        maxLength: 254,
        autocomplete: 'email',
      },
      { name: 'subject', label: t.contact.subject, kind: 'text', isRequired: true, maxLength: 200 },
      { name: 'body', label: t.contact.body, kind: 'textarea', isRequired: true, maxLength: 5_000 },
    ],
    body: MessageCreate,
    find: async () => ({
      subject: null,
      path: '/contact',
      title: t.contact.title,
      lead: config.mail.url === null ? `${t.contact.lead} ${t.contact.noMail}` : t.contact.lead,
      crumbs: [],
    }),
    complete: (values) => values,
    async submit(body: MessageCreate, _nothing, { caller }) {
      await receiveMessage(db, caller, body, config.mail.from)
      return null
    },
    done: t.contact.done,
  }
}
