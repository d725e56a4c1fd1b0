import Type, { type Static, type TObject } from 'typebox'
import { hasActeurs } from '../modules/acteurs/reading.ts'
import { hasActs } from '../modules/acts/queries.ts'
import type { Alerte } from '../modules/alertes/schema.ts'
import { findEntries, findLook } from '../modules/communes/queries.ts'
import { BySlug, findCommune } from '../modules/communes/reading.ts'
import type { Commune, Look } from '../modules/communes/schema.ts'
import { hasPages } from '../modules/pages/queries.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import { text } from '../platform/http/validation/schemas.ts'
import type { Banner, CommuneEntries, CommuneHeader } from './commune/header.ts'
import { clipped, type Page, sendPage } from './layout.ts'
import { colorOfLand, landOf } from './look/relief.ts'
import { alertesOfCommune, placeOfCommune, publicationsOf } from './place.ts'
import { searchText } from './rows.ts'
import { countReadings, type Site, type SiteBase, searchOf, shownCommune } from './site.ts'

/** Tables of lists of publications. */
export const tablesOfPublications = ['publications', 'publication_types', 'acteurs', 'communes']
/** Tables of the alerts of a commune. */
export const tablesOfAlertes = ['alertes', 'alerte_hidings', 'acteurs', 'groups', 'group_communes']
/** Tables of the urgent alertes above a page of no commune. */
export const tablesOfBanner = ['communes', ...tablesOfAlertes]
/** Tables of the head of a page of a commune. */
export const tablesOfHeader = [
  ...['communes', 'acts', 'commune_pages', 'collectes', 'elus', 'publications', 'publication_communes'],
  ...tablesOfAlertes,
]
/** The secteur of collections that a resident has chosen once. Links keep it: pages set no cookie. */
export const Secteur = Type.Object({ secteur: Type.Optional(text(200)) })
export type Secteur = Static<typeof Secteur>
/** The same, in the address of a page that may belong to another commune: with the commune in which it was chosen. */
export const SecteurOfCommune = Type.Object({ ...Secteur.properties, commune: Type.Optional(text(200)) })
export type SecteurOfCommune = Static<typeof SecteurOfCommune>

/** Returns the secteur that was chosen in a commune; undefined if it belongs to another one, which may have one of its name. */
export const secteurIn = (
  { slug }: { slug: string },
  { secteur, commune }: SecteurOfCommune,
): string | undefined => (commune === slug ? secteur : undefined)

/** Returns the same of an address whose parameters no schema has checked, such as that of a form. */
export function secteurAsked({ slug }: { slug: string }, path: string, query: unknown): string | undefined {
  const { secteur, commune } = query as Record<string, unknown>
  const isOfCommune = commune === slug || path.startsWith(`/communes/${slug}/`)
  return isOfCommune && typeof secteur === 'string' ? secteur.slice(0, 200) : undefined
}

type Shown = { caller: Caller; alertes: Promise<Alerte[]>; header: Promise<CommuneHeader>; site: Site }
export type PageOptions<Query extends TObject> = {
  sub: string
  shows: string[] | null
  query?: Query
  /** A parameter with which a response is not stored. */
  unless?: string
}

/** Registers a page of a commune. Its id and former slugs lead on to its present slug. */
export function pageOfCommune<Query extends TObject = TObject>(
  scope: HttpServer,
  base: SiteBase,
  { sub, shows, query = Type.Object({}) as unknown as Query, unless }: PageOptions<Query>,
  read: (
    commune: Commune,
    query: Static<Query> & Secteur,
    shown: Shown,
  ) => Promise<Omit<Page, 'crumbs' | 'commune'> | { redirect: string }>,
): void {
  const caching =
    shows === null
      ? { never: 'what is open changes with the clock' }
      : { shows: [...new Set([...shows, ...tablesOfHeader])], ...(unless && { unless }) }
  scope.get(
    `/communes/:slug${sub}`,
    { config: { caching, load: 'list' }, schema: { params: BySlug, querystring: withSecteur(query) } },
    async (request, reply) => {
      const { slug } = request.params as { slug: string }
      const { caller, site } = request
      const commune = await shownCommune(base, caller, slug)
      if (commune.slug !== slug)
        return reply.redirect(`/communes/${commune.slug}${sub}${searchOf(request.url)}`, 301)
      const asked = request.query as Static<Query> & Secteur
      const alertes = alertesOfCommune(site, commune)
      const header = Promise.all([alertes, entriesOf(site, commune)]).then(([inForce, entries]) =>
        headerOf(commune, inForce, { caller, present: sub.slice(1), secteur: asked.secteur, entries }),
      )
      const [page, shownHeader] = await Promise.all([
        read(commune, asked, { caller, alertes, header, site }),
        header,
      ])
      if ('redirect' in page) return reply.redirect(page.redirect, 302)
      if (sub === '') countReadings(request, 'commune', commune)
      const crumbs = sub === '' ? [] : [{ label: commune.nom, href: `/communes/${commune.slug}` }]
      return sendPage(reply, site, { ...page, crumbs, commune: shownHeader })
    },
  )
}

const withSecteur = ({ properties }: TObject) => Type.Object({ ...properties, ...Secteur.properties })

type Headed = Pick<Commune, 'nom' | 'slug'> & HeaderLook
type HeaderLook = Pick<Look, 'nom_affiche' | 'couleur' | 'blason'> & Pick<Commune, 'code_insee'>
type Position = {
  caller: Caller
  present: string | null
  secteur?: string | undefined
  entries: CommuneEntries
}

const maxBanner = 160

/** Returns the head of a page of a commune. */
export function headerOf(
  { nom, nom_affiche, couleur, slug, blason, code_insee }: Headed,
  alertes: readonly Alerte[],
  { caller, present, secteur, entries }: Position,
): CommuneHeader {
  const land = landOf({ code_insee, nom })
  return {
    nom: nom_affiche ?? nom,
    couleur: couleur ?? colorOfLand(land),
    blason,
    land,
    path: `/communes/${slug}`,
    present,
    search: searchText({ secteur }),
    entries,
    urgences: urgencesOf(alertes),
    hasOthers: restrictionOf(caller)?.length !== 1,
  }
}

const urgencesOf = (alertes: readonly Alerte[]): CommuneHeader['urgences'] =>
  alertes
    .filter(({ niveau }) => niveau === 'urgence')
    .map(({ titre, message, group }) => ({
      ...{ titre, message: clipped(message, maxBanner) },
      by: group?.nom ?? null,
    }))

/** Reads the urgent alertes of the one commune that the site shows; null if it shows several. */
export async function readBanner(site: SiteBase, caller: Caller): Promise<Banner | null> {
  const [id, ...others] = restrictionOf(caller) ?? []
  if (id === undefined || others.length > 0) return null
  const [commune, alertes] = await Promise.all([findCommune(site.reads, id), alertesOfCommune(site, { id })])
  return commune && { path: `/communes/${commune.slug}`, urgences: urgencesOf(alertes) }
}

/** Reads the head of a page that is not one of the menu. */
export const readHeader = async (
  site: SiteBase,
  commune: Pick<Commune, 'id' | 'nom' | 'slug'>,
  caller: Caller,
  secteur?: string,
): Promise<CommuneHeader> => {
  const [alertes, entries, look] = await Promise.all([
    alertesOfCommune(site, commune),
    entriesOf(site, commune),
    findLook(site.lists, commune.id),
  ])
  return headerOf({ ...commune, ...look }, alertes, { caller, present: null, secteur, entries })
}

/** Returns what the menu of a commune names only where there is any. */
export async function entriesOf(
  site: SiteBase,
  commune: Pick<Commune, 'id' | 'nom' | 'slug'>,
): Promise<CommuneEntries> {
  const { reads } = site
  const { id } = commune
  const [acts, pages, acteurs, own, news] = await Promise.all([
    hasActs(reads, id),
    hasPages(reads, id),
    hasActeurs(reads, id),
    findEntries(reads, id),
    publicationsOf(site, placeOfCommune(commune), {}, 1),
  ])
  return { ...own, acts, pages, acteurs, news: news.length > 0 }
}
