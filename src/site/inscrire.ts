import Type from 'typebox'
import { RegistrationCreate, registerActeur, registrationTypes } from '../modules/claims/register.ts'
import { claimsSettings } from '../modules/claims/settings.ts'
import { BySlug } from '../modules/communes/reading.ts'
import type { Commune } from '../modules/communes/schema.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import { settingsOf } from '../platform/config/config.ts'
import { readHeader, secteurAsked } from './commune-pages.ts'
import { type Field, type Form, formPage, type Values } from './forms.ts'
import { type Pages, type SiteBase, shownCommune } from './site.ts'
import { t } from './text.ts'
import { claimantFields, waysToClaim } from './writing.ts'

/** The form by which an association or a shop enters the directory of its commune, and the way to it. */
export const registrationPages: Pages = (scope, site) => {
  formPage(scope, site, registrationForm(site))
  scope.get(
    '/inscrire',
    {
      config: { caching: { never: 'it only leads on' }, load: 'list' },
      schema: { querystring: Type.Object({}) },
    },
    async ({ caller, site }, reply) => {
      const [only, ...others] = restrictionOf(caller) ?? []
      if (only === undefined || others.length > 0) return reply.redirect('/communes?pour=inscrire', 302)
      const { slug } = await shownCommune(site, caller, only)
      return reply.redirect(`/communes/${slug}/inscrire`, 302)
    },
  )
}

const ofActeur: readonly Field[] = [
  {
    ...{ name: 'acteur.nom', label: t.inscrire.nom, kind: 'text' },
    ...{ isRequired: true, maxLength: 200, autocomplete: 'organization' },
  },
  {
    ...{ name: 'acteur.type', label: t.inscrire.type, isRequired: true },
    kind: registrationTypes.map((value) => ({ value, label: t.inscrire.types[value] })),
  },
]

function registrationForm(site: SiteBase): Form<Commune> {
  const { config } = site
  const { requireBearer } = settingsOf(config, claimsSettings)
  return {
    url: '/communes/:slug/inscrire',
    params: BySlug,
    limit: 'claim',
    title: t.inscrire.title,
    fields: [...ofActeur, ...claimantFields],
    body: RegistrationCreate,
    async find({ params, caller, query, site: shown }) {
      const commune = await shownCommune(site, caller, (params as { slug: string }).slug)
      const page = `/communes/${commune.slug}`
      const path = `${page}/inscrire`
      const about = {
        subject: commune,
        path,
        title: t.inscrire.titleIn(commune.nom),
        crumbs: [
          { label: commune.nom, href: page },
          { label: t.acteurs.title, href: `${page}/acteurs` },
        ],
        commune: await readHeader(site, commune, caller, secteurAsked(commune, path, query)),
      }
      return requireBearer
        ? { ...about, lead: t.claim.signedIn, closed: waysToClaim(shown) }
        : { ...about, lead: t.inscrire.lead }
    },
    complete: ({ 'acteur.nom': nom, 'acteur.type': type, ...claimant }: Values, { id }) => ({
      acteur: { nom, type, commune_id: id },
      ...claimant,
    }),
    async submit(body: RegistrationCreate, _commune, { caller }) {
      return (await registerActeur(site, caller, body)).reference
    },
    done: t.inscrire.done,
  }
}
