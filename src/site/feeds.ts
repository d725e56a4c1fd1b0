import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { findActeurChange } from '../modules/acteurs/reading.ts'
import { openActsList } from '../modules/acts/open.ts'
import type { PublicRow } from '../modules/acts/queries.ts'
import { tablesOfActs } from '../modules/acts/reading.ts'
import { findCorrections } from '../modules/alertes/queries.ts'
import { BySlug } from '../modules/communes/reading.ts'
import { mapBytesOfLargest } from '../modules/media/queries.ts'
import type { Publication } from '../modules/publications/schema.ts'
import type { Caller } from '../platform/access/caller.ts'
import { escapeHtml } from '../platform/formats/text.ts'
import { lastModifiedOf } from '../platform/http/conditional.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import { numberedPage } from '../platform/http/listing/list-page.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { numberAndDate, pathOfAct } from './actes.ts'
import { publicationsOfActeur } from './acteurs.ts'
import { tablesOfAlertes, tablesOfPublications } from './commune-pages.ts'
import { shownGroup, tablesOfGroup } from './groupes/shown-group.ts'
import { clipped, plainText } from './layout.ts'
import { daysTag } from './module.ts'
import { largestJpeg } from './pictures.ts'
import {
  type AlerteOfPlace,
  actsFilterOf,
  alertesEndedIn,
  alertesOf,
  changeOf,
  type Place,
  placeOfCommune,
  placeOfGroup,
  publicationsOf,
} from './place.ts'
import { type FeedFormat, feedFormats, feedTypes, pathOf, placeInWords, seriesInWords } from './rows.ts'
import { foldSeries, type InSeries } from './series.ts'
import { type Pages, type Site, shownActeur, shownCommune } from './site.ts'
import { momentInWords, t, whenInWords } from './text.ts'

const maxItems = 50
/** Featured or pinned publications come first in the lists that are read, whatever their age. */
const maxRead = 100
const endedDays = 30
const dayMs = 86_400_000
const maxSummary = 300

/** A feed reader and a program of another site read a feed without cookies. */
export const openToAll = (reply: FastifyReply): FastifyReply =>
  reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff')

export const newestOf = (times: readonly Date[]): Date => new Date(Math.max(...times.map(Number)))

/** When a publication was shown as it is: a scheduled one appears later than it was written. */
export const shownAt = ({ publie_le, updated_at }: Pick<Publication, 'publie_le' | 'updated_at'>): Date =>
  newestOf([new Date(updated_at), new Date(publie_le ?? updated_at)])

export type Item = {
  id: string
  url: string
  title: string
  html: string
  summary: string
  published: Date
  updated: Date
  author?: string
  image?: { url: string } & OwnImage
}
/** What is known of a picture of ours. */
type OwnImage = { width: number; height: number; bytes: number; alt: string | null }
type Feed = {
  title: string
  description: string
  /** The page that shows the same. */
  page: string
  /** Path of the feed, without its ending. */
  path: string
  items: Item[]
  /** When the newest item changed. */
  changedAt: Date
}

// Each loads the generator at its first use: 190 files that a start does not need.
const writers = { rss: writeRss, atom: writeAtom, json: writeJson }

/** The publications, alerts and acts of a commune or a group, and the publications of an acteur, as feeds. */
export const feedRoutes: Pages = (scope) => {
  const publications = [...tablesOfPublications, 'publication_communes', daysTag]
  const alertes = [...tablesOfAlertes, 'communes', daysTag]

  const places = [
    { root: '/communes', own: [], find: findCommunePlace },
    { root: '/groupes', own: tablesOfGroup, find: findGroupPlace },
  ]

  for (const format of feedFormats) {
    for (const { root, own, find } of places) {
      const ofPlace = (name: keyof typeof contents, shows: readonly string[]) =>
        feed(scope, format, {
          path: `${root}/:slug/${name}`,
          shows: [...new Set([...shows, ...own])],
          read: async (slug, { caller, site }) => {
            const place = await find(site, caller, slug)
            return {
              slug: place.slug,
              page: `${place.path}/${name}`,
              ...(await contents[name](site, place)),
              wasChanged: () => changeOf(site, place),
            }
          },
        })
      ofPlace('publications', publications)
      ofPlace('alertes', alertes)
      ofPlace('actes', tablesOfActs)
    }
    feed(scope, format, {
      path: '/acteurs/:slug/publications',
      shows: [...publications, 'actor_users'],
      read: async (slug, { caller, site }) => {
        const acteur = await shownActeur(site, caller, slug)
        const { rows } = await publicationsOfActeur(site, caller, acteur, maxRead)
        const page = `/acteurs/${acteur.slug}`
        const { slug: own, nom: title } = acteur
        const wasChanged = () => findActeurChange(site.reads, acteur.id)
        return { slug: own, page, title, items: await itemsOf(site, rows), wasChanged }
      },
    })
  }
}

const findCommunePlace = async (site: Site, caller: Caller, slug: string) =>
  placeOfCommune(await shownCommune(site, caller, slug))
const findGroupPlace = async (site: Site, caller: Caller, slug: string) =>
  placeOfGroup(await shownGroup(site, caller, slug))

type TitledItems = { title: string; items: Item[] }

/** What the feeds of a place contain. */
const contents = {
  async publications(site: Site, place: Place): Promise<TitledItems> {
    const all = await publicationsOf(site, place, {}, maxRead)
    const rows = await foldSeries(site, all, todayInParis(site.clock()), place.communeIds)
    return { title: t.publications.of(place.nom), items: await itemsOf(site, rows) }
  },
  async alertes(site: Site, place: Place): Promise<TitledItems> {
    const since = new Date(site.clock().getTime() - endedDays * dayMs)
    const [inForce, ended] = await Promise.all([alertesOf(site, place), alertesEndedIn(site, place, since)])
    const alertes = [...inForce, ...ended]
    const corrections = await findCorrections(
      site.lists,
      alertes.map(({ id }) => id),
    )
    const page = `${site.url}${place.path}/alertes`
    const items = alertes.map((alerte) => alerteItem(page, alerte, corrections.get(alerte.id)))
    return { title: t.alertes.of(place.nom), items }
  },
  async actes(site: Site, place: Place): Promise<TitledItems> {
    const { data } = await numberedPage(site.lists, openActsList, await actsFilterOf(site, place), maxItems)
    return { title: t.actes.of(place.nom), items: data.map((act) => actItem(site.url, act)) }
  },
}

/** `wasChanged`: when the commune or the acteur was changed, for a feed without items. */
type Content = { slug: string; page: string; title: string; items: Item[]; wasChanged(): Promise<Date> }
type Route = {
  path: string
  shows: string[]
  read(slug: string, request: Pick<FastifyRequest, 'caller' | 'site'>): Promise<Content>
}

function feed(scope: HttpServer, format: FeedFormat, { path, shows, read }: Route): void {
  scope.get(
    `${path}.${format}`,
    {
      config: { caching: { shows }, load: 'list' },
      schema: { params: BySlug, querystring: Type.Object({}) },
    },
    async (request, reply) => {
      const { params, site } = request
      const { slug } = params
      const { slug: present, page, title, items: all, wasChanged } = await read(slug, request)
      const own = path.replace(':slug', present)
      if (present !== slug) return reply.redirect(`${own}.${format}`, 301)
      const newest = all.toSorted((one, other) => other.published.getTime() - one.published.getTime())
      const items = newest.slice(0, maxItems)
      const times = items.map(({ updated }) => updated)
      const changedAt = items.length > 0 ? newestOf(times) : await wasChanged()
      return sendFeed(reply, site, format, { title, page, path: own, items, changedAt })
    },
  )
}

export async function sendFeed(
  reply: FastifyReply,
  site: Site,
  format: FeedFormat,
  feed: Omit<Feed, 'description'>,
) {
  openToAll(reply)
    .type(`${feedTypes[format]}; charset=utf-8`)
    .header('last-modified', lastModifiedOf(feed.changedAt))
  const title = `${feed.title} · ${site.settings.name}`
  return reply.send(await writers[format](site, { ...feed, title, description: feed.title }))
}

async function itemsOf(site: Site, publications: readonly (Publication & InSeries)[]): Promise<Item[]> {
  const covers = publications.flatMap(({ images: [cover] }) => cover?.id ?? [])
  const sizes = covers.length > 0 ? await mapBytesOfLargest(site.lists, covers) : new Map<string, number>()
  return publications.map((publication) => {
    const { id, seriesId, titre, body, acteur, publie_le, created_at } = publication
    const image = imageOf(site, publication, sizes)
    const when = [whenInWords(publication), seriesInWords(publication), placeInWords(publication)]
      .filter(Boolean)
      .join(' · ')
    const text = plainText(body)
    return {
      // A reader does not take the next date of a series for another item.
      id: `urn:uuid:${seriesId ?? id}`,
      url: `${site.url}${pathOf(publication)}`,
      title: xmlText(titre),
      html: xmlText(when === '' ? body : `<p><strong>${escapeHtml(when)}</strong></p>${body}`),
      summary: xmlText(clipped(when === '' ? text : `${when}. ${text}`, maxSummary)),
      published: new Date(publie_le ?? created_at),
      updated: shownAt(publication),
      ...(acteur && { author: xmlText(acteur.nom) }),
      ...(image && { image }),
    }
  })
}

function imageOf({ url }: Site, { images: [cover] }: Publication, sizes: Map<string, number>) {
  const bytes = cover && sizes.get(cover.id)
  if (cover === undefined || bytes === undefined) return undefined
  const { width, height, alt } = cover
  return { url: `${url}${largestJpeg(cover)}`, width, height, bytes, alt: alt === null ? null : xmlText(alt) }
}

const jpeg = 'image/jpeg'

/** A picture of ours as Media RSS, which Atom has too. */
const mediaOf = ({ url, width, height, bytes, alt }: NonNullable<Item['image']>) => ({
  media: {
    contents: [
      {
        ...{ url, type: jpeg, medium: 'image', fileSize: bytes, width, height },
        ...(alt !== null && { description: { value: alt, type: 'plain' } }),
      },
    ],
  },
})

/** An alert that was corrected since it began is newer: readers show it again. */
function alerteItem(url: string, alerte: AlerteOfPlace, written = new Date(0)): Item {
  const { id, titre, message, niveau, debut, fin, created_at, group, places = [] } = alerte
  const when = `${t.alertes.since(momentInWords(debut ?? created_at))}${fin ? `. ${t.alertes.until(momentInWords(fin))}` : ''}${places.length > 0 ? `. ${t.alertes.places(places)}` : ''}.`
  const begun = new Date(debut ?? created_at)
  return {
    id: `urn:uuid:${id}`,
    url,
    title: xmlText(`${t.niveaux[niveau]} : ${titre}`),
    html: xmlText(`<p>${escapeHtml(message).replaceAll('\n', '<br>')}</p><p>${when}</p>`),
    summary: xmlText(clipped(message, maxSummary)),
    published: begun,
    updated: written > begun ? written : begun,
    ...(group && { author: xmlText(group.nom) }),
  }
}

/** An act that was corrected since is newer: readers show it again. */
function actItem(url: string, act: PublicRow): Item {
  const { id, title, kind, state, published_at, updated_at } = act
  const note = state === 'superseded' ? `${t.actes.states.superseded}. ` : ''
  const words = `${note}${t.actes.kinds[kind]} ${numberAndDate(act)}, ${t.actes.online(momentInWords(published_at))}.`
  return {
    id: `urn:uuid:${id}`,
    url: `${url}${pathOfAct(act)}`,
    title: xmlText(title),
    html: xmlText(`<p>${escapeHtml(words)}</p>`),
    summary: xmlText(words),
    published: published_at,
    updated: updated_at,
    author: xmlText(act.acteur.nom),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows none of these, even escaped
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const xmlText = (text: string) => text.toWellFormed().replace(notInXml, '')

/** The generator indents CDATA sections, and readers would count the spaces as text. */
const withoutPadding = (xml: string) =>
  xml.replaceAll(/>\s+<!\[CDATA\[/g, '><![CDATA[').replaceAll(/\]\]>\s+<\//g, ']]></')

async function writeRss(
  site: Site,
  { title, description, page, path, items, changedAt }: Feed,
): Promise<string> {
  const { generateRssFeed } = await import('feedsmith')
  return withoutPadding(
    generateRssFeed({
      title: xmlText(title),
      link: `${site.url}${page}`,
      description: xmlText(description),
      language: 'fr',
      lastBuildDate: changedAt,
      atom: { links: [{ href: `${site.url}${path}.rss`, rel: 'self', type: 'application/rss+xml' }] },
      items: items.map(({ id, url, title, html, summary, published, author, image }) => ({
        title,
        link: url,
        guid: { value: id, isPermaLink: false },
        pubDate: published,
        description: summary,
        content: { encoded: html },
        ...(author && { dc: { creators: [author] } }),
        ...(image && { enclosures: [{ url: image.url, length: image.bytes, type: jpeg }] }),
        ...(image && mediaOf(image)),
      })),
    }),
  )
}

async function writeAtom(site: Site, { title, page, path, items, changedAt }: Feed): Promise<string> {
  const { generateAtomFeed } = await import('feedsmith')
  return withoutPadding(
    generateAtomFeed({
      id: `${site.url}${page}`,
      title: { value: xmlText(title) },
      updated: changedAt,
      links: [
        { href: `${site.url}${path}.atom`, rel: 'self', type: 'application/atom+xml' },
        { href: `${site.url}${page}`, rel: 'alternate', type: 'text/html' },
      ],
      authors: [{ name: xmlText(site.settings.name) }],
      entries: items.map(({ id, url, title, html, summary, published, updated, author, image }) => ({
        id,
        title: { value: title },
        links: [
          { href: url, rel: 'alternate', type: 'text/html' },
          ...(image ? [{ href: image.url, rel: 'enclosure', type: jpeg, length: image.bytes }] : []),
        ],
        published,
        updated,
        summary: { value: summary },
        content: { value: html, type: 'html' },
        ...(author && { authors: [{ name: author }] }),
        ...(image && mediaOf(image)),
      })),
    }),
  )
}

async function writeJson(site: Site, { title, description, page, path, items }: Feed): Promise<string> {
  const { generateJsonFeed } = await import('feedsmith')
  const feed = generateJsonFeed({
    title,
    description,
    home_page_url: `${site.url}${page}`,
    feed_url: `${site.url}${path}.json`,
    language: 'fr',
    items: items.map(({ id, url, title, html, summary, published, updated, author, image }) => ({
      ...{ id, url, title, summary, content_html: html },
      date_published: published,
      date_modified: updated,
      ...(image && { image: image.url }),
      ...(author && { authors: [{ name: author }] }),
    })),
  })
  return JSON.stringify(feed)
}
