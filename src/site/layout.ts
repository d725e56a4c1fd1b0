import type { FastifyReply } from 'fastify'
import type * as schema from 'schema-dts'
import {
  type Banner,
  type CommuneHeader,
  communeFoot,
  communeHeader,
  urgencesBanner,
} from './commune/header.ts'
import { html, json, type Markup, textOf, withParameters } from './html.ts'
import { edge } from './look/drawings.ts'
import { type Pictogram, pictogram } from './look/pictograms.ts'
import { platformLand } from './look/relief.ts'
import { colorStyles, fonts } from './look/stylesheets.ts'
import { paintedImage } from './painted-pictures.ts'
import type { SharedImage } from './pictures.ts'
import { conformityOf } from './settings.ts'
import type { Site } from './site.ts'
import { t } from './text.ts'

/**
 * What search engines read of a page, in the words of schema.org. Its types come from the vocabulary itself (schema-dts),
 * so that a wrong property fails the type check instead of being ignored by search engines.
 */
export type StructuredData = schema.WithContext<
  | schema.Article
  | schema.BreadcrumbList
  | schema.Event
  | schema.GovernmentOffice
  | schema.Legislation
  | schema.LocalBusiness
  | schema.Organization
  | schema.SpecialAnnouncement
  | schema.WebSite
>

export type Crumb = { label: string; href: string }
export type Page = {
  title: string
  description: string
  /** The address of the page, without origin; null: it is not indexed. */
  path: string | null
  body: Markup
  /** A part above the body, as wide as the screen. */
  face?: Markup
  /** The pages above this one. */
  crumbs?: readonly Crumb[]
  /** The commune of the page, whose head it has in place of the site's. */
  commune?: CommuneHeader
  /** Path of the page of the group that is shown, whose menu it has. */
  group?: string
  /** The urgent alertes above a page of no commune. */
  banner?: Banner | null
  image?: SharedImage | null
  /** Structured data of the page. */
  data?: readonly StructuredData[]
  /** Feeds and calendars of what the page shows. */
  alternates?: readonly { href: string; type: string; title: string }[]
  /** Paths of the scripts of the page. Most pages have none. */
  script?: string | readonly string[]
  /** Its script keeps a copy on the device of its reader, for when there is no connection. */
  isKept?: boolean
  /** Without header and footer, for the frame of another site. */
  isEmbedded?: boolean
  /** The view of a screen that nobody touches: the page to which it turns by itself. */
  refresh?: { seconds: number; to: string }
}

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; manifest-src 'self'"

/** For a page with a script, which may register the worker. */
const scriptPolicy = "; script-src 'self'; worker-src 'self'; connect-src 'self'"

type Kind = Pick<Page, 'isEmbedded' | 'script' | 'isKept'>

export const policyOf = ({ isEmbedded, script, isKept }: Kind): string =>
  `${policy}${script === undefined && !isKept ? '' : scriptPolicy}; frame-ancestors ${isEmbedded ? '*' : "'none'"}`

/** Sets the headers of a page. */
export function headersOf(reply: FastifyReply, page: Kind = {}): FastifyReply {
  // The policy says who may show the page in a frame; this older header could only refuse all others.
  if (page.isEmbedded) reply.removeHeader('x-frame-options')
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policyOf(page))
}

export async function sendPage(reply: FastifyReply, site: Site, page: Page): Promise<FastifyReply> {
  const banner = page.commune === undefined ? await site.readBanner() : null
  return headersOf(reply, page).send(renderPage(site, { ...page, banner }, reply.request.url))
}

const maxDescription = 200

/** `requested`: the address of the request, which names a page that has none of its own when it is shared; null: an error. */
export function renderPage(site: Omit<Site, 'limits'>, page: Page, requested: string | null): string {
  const { settings, files, url } = site
  const isHome = page.path === '/' || page.title === settings.name
  const title = isHome ? settings.name : `${page.title} · ${settings.name}`
  const description = clipped(page.description, maxDescription)
  const canonical = page.path === null ? null : canonicalOf(site, page.path, page.commune?.path)
  const couleur = page.commune?.couleur
  const image = page.image ?? (page.commune ? paintedImage(page.commune.path) : null)
  const shared = canonical ?? (requested && `${url}${URL.parse(requested, url)?.pathname ?? '/'}`)
  return textOf(html`<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
${
  page.refresh &&
  html`<meta http-equiv="refresh" content="${page.refresh.seconds}; url=${page.refresh.to}">
`
}<meta name="theme-color" content="${couleur ?? settings.color}">
${
  canonical === null
    ? html`<meta name="robots" content="noindex">`
    : html`<link rel="canonical" href="${canonical}">`
}
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${description}">
${shared && html`<meta property="og:url" content="${shared}">`}
<meta property="og:site_name" content="${page.commune?.nom ?? settings.name}">
<meta property="og:type" content="website">
<meta property="og:locale" content="fr_FR">
${
  image &&
  html`<meta property="og:image" content="${url}${image.path}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
${image.alt && html`<meta property="og:image:alt" content="${image.alt}">`}
<meta name="twitter:card" content="summary_large_image">
`
}${fonts.map(
  ({ path, type }) => html`<link rel="preload" href="${path}" as="font" type="${type}" crossorigin>
`,
)}<link rel="stylesheet" href="${files.css}">
${
  couleur &&
  html`<link rel="stylesheet" href="${colorStyles(couleur).path}">
`
}${
  page.refresh &&
  html`<link rel="stylesheet" href="${files.screen}">
`
}${iconLinks(page.commune, site.domain?.blason ?? null)}
<link rel="manifest" href="${manifestOf(page)}">
${page.alternates?.map(
  ({ href, type, title }) => html`<link rel="alternate" type="${type}" title="${title}" href="${href}">
`,
)}${[page.script ?? []].flat().map(
  (script) => html`<script type="module" src="${script}" blocking="render"></script>
`,
)}${
  page.isKept &&
  html`<script type="module" src="${files.keep}"></script>
`
}${page.isEmbedded && html`<base target="_top">`}
${[...(page.data ?? []), ...breadcrumbs(site, page)].map(
  (data) => html`<script type="application/ld+json">${json(data)}</script>
`,
)}</head>
${page.refresh ? screen(page) : page.isEmbedded ? embedded(page) : frame(site, page)}
</html>
`)
}

/** The icons of a page: the arms of its commune or its shield, else the sign of the site. */
function iconLinks(commune: CommuneHeader | undefined, ofDomain: string | null): Markup {
  const blason = commune?.blason?.id ?? ofDomain
  const folder = blason === null ? commune?.path : `/media/${blason}`
  if (folder === undefined)
    return html`<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">`
  return html`<link rel="icon" href="${folder}/icone-192.png" type="image/png" sizes="192x192">
<link rel="apple-touch-icon" href="${folder}/icone-180.png">`
}

/** The address of the manifest of a page: of its commune, with the secteur that was chosen, or group, else of the site. */
const manifestOf = ({ commune, group = '' }: Page): string =>
  `${commune?.path ?? group}/manifest.webmanifest${commune?.search ?? ''}`

type Addresses = Pick<Site, 'url' | 'platform' | 'domains'>

/** What belongs to a place with a domain has its address there, on whatever host it is shown; the place is its home. */
export function canonicalOf(
  { url, platform, domains }: Addresses,
  path: string,
  place = groupOf(path),
): string {
  if (place === undefined) return `${url}${path}`
  const own = domains.byHome.get(place)
  if (own === undefined) return `${platform}${path}`
  return `${own.origin}${path === place ? '/' : path}`
}

/** The page of the group to which a path belongs. */
const groupOf = (path: string): string | undefined => /^\/groupes\/[^/?]+/.exec(path)?.[0]

const screen = ({ body, commune }: Page): Markup => html`<body class="screen">
${commune && urgencesBanner(commune)}<main>${body}</main></body>`

const embedded = ({ body, commune }: Page): Markup => html`<body class="embedded">
${commune && urgencesBanner(commune)}<main class="wrap page">${commune ? keepingSecteur(body, commune) : body}</main></body>`

/**
 * Keeps the secteur that a resident has chosen in all links of a page that lead on within its commune, and in its searches.
 * Links to what may belong to another commune name the commune of the secteur. Links to the home and to the collections keep
 * or drop it themselves.
 */
function keepingSecteur(markup: Markup, { path, search }: CommuneHeader): Markup {
  const secteur = new URLSearchParams(search).get('secteur')
  if (secteur === null) return markup
  const commune = path.slice('/communes/'.length)
  const within = withParameters(markup, { secteur }, new RegExp(`^${path}/(?!collectes)[^.]+$`))
  return withParameters(
    within,
    { secteur, commune },
    /^\/(?:publications|acteurs|actes)\/[^/.]+(?:\/(?:signaler|revendiquer))?$/,
  )
}

function frame(
  { settings, files, config, service, domain }: Omit<Site, 'limits'>,
  { crumbs = [], path, body, face, commune, banner, group = domain ? groupOf(domain.home) : undefined }: Page,
): Markup {
  const platform = html`${files.logo ? html`<img src="${files.logo}" alt="" height="32">` : html`<img src="/favicon.svg" alt="" width="32" height="32">`}${settings.name}`
  const keeps = (part: Markup) => (commune ? keepingSecteur(part, commune) : part)
  // The head of a commune leads to it already.
  const shownCrumbs = crumbs.filter(({ href }) => href !== commune?.path)
  const foot = commune ? communeFoot(commune) : siteFoot(group)
  return html`<body${commune?.present === '' && html` class="town"`}>
<a class="skip" href="#contenu">${t.skip}</a>
${commune ? communeHeader(commune) : html`${banner && urgencesBanner(banner)}${siteHeader(platform, group, path)}`}
<main id="contenu" tabindex="-1">
${face}<div class="wrap page">
${
  shownCrumbs.length > 0 &&
  html`<nav class="crumbs" aria-label="${t.crumbs}"><ol class="plain">
${shownCrumbs.map(
  ({ label, href }) => html`<li>${keeps(html`<a href="${href}">${label}</a>`)}</li>
`,
)}</ol></nav>
`
}${keeps(body)}
</div>
</main>
<footer class="foot">${foot.edge}<div class="ground"><div class="wrap"><div class="columns">
${foot.columns}
</div>
<div class="legal"><ul>
${
  commune &&
  html`<li><a href="/">${platform}</a></li>
`
}<li><a href="/contact">${t.contact.title}</a></li>
<li><a href="/donnees">${t.data.title}</a></li>
<li><a href="/mentions-legales">${t.legal.title}</a></li>
<li><a href="/regles">${t.rules.title}</a></li>
<li><a href="${commune?.path ?? ''}/transparence">${t.transparency.title}</a></li>
<li><a href="/confidentialite">${t.privacy.title}</a></li>
<li><a href="/accessibilite">${t.accessibility.footer(t.accessibility.states[conformityOf(settings.audit)])}</a></li>
${
  config.backoffice &&
  html`<li><a href="${service}/backoffice/">${t.backoffice}</a></li>
`
}</ul>
<p>${t.noCookie}</p></div></div></div></footer>
</body>`
}

type MenuEntry = { href: string; label: string; sign: Pictogram }

/** The pages of the platform that its menu names. */
const siteMenu: readonly MenuEntry[] = [
  { href: '/communes', label: t.communes.menu, sign: 'townHall' },
  { href: '/communes?pour=collectes', label: t.home.bins, sign: 'bin' },
  { href: '/defibrillateurs', label: t.defibrillateurs, sign: 'heart' },
]

/** The pages of a group that its menu names. */
const groupMenu = (group: string): readonly MenuEntry[] => [
  { href: `${group}/collectes`, label: t.collectes.title, sign: 'bin' },
  { href: `${group}/agenda`, label: t.agenda.title, sign: 'calendar' },
  { href: `${group}/publications`, label: t.publications.title, sign: 'news' },
]

const siteHeader = (
  platform: Markup,
  group: string | undefined,
  path: string | null,
): Markup => html`<header class="top"><div class="wrap">
<a class="brand" href="/">${platform}</a>
<a class="find" href="/recherche">${pictogram('find')}<span>${t.search}</span></a>
<nav class="menu" aria-label="${t.mainNav}"><ul>
<li class="phone"><a href="/"${path === '/' && html` aria-current="page"`}>${pictogram('home')}${t.commune.home}</a></li>
${(group === undefined ? siteMenu : groupMenu(group)).map(
  ({
    href,
    label,
    sign,
  }) => html`<li><a href="${href}"${href === path && html` aria-current="page"`}>${pictogram(sign)}${label}</a></li>
`,
)}<li><a href="#plus">${pictogram('more')}${t.commune.more}</a></li>
</ul></nav></div></header>
`

/** The way to all that the platform, or a group, offers. */
const siteFoot = (group: string | undefined) => ({
  edge: edge(platformLand),
  columns: html`<nav id="plus" aria-labelledby="tout"><p class="heading" id="tout">${t.goTo}</p><ul class="two">
${
  group &&
  html`${groupMenu(group).map(
    ({ href, label }) => html`<li><a href="${href}">${label}</a></li>
`,
  )}<li><a href="${group}/alertes">${t.alertes.title}</a></li>
`
}${siteMenu.map(
  ({ href, label }) => html`<li><a href="${href}">${label}</a></li>
`,
)}<li><a href="/groupes">${t.groups.title}</a></li>
<li><a href="/recherche">${t.search}</a></li>
</ul></nav>`,
})

/** Breadcrumbs of a page, for search engines. */
function breadcrumbs(
  site: Addresses,
  { crumbs = [], title, path, commune }: Page,
): schema.WithContext<schema.BreadcrumbList>[] {
  if (crumbs.length === 0 || path === null) return []
  const items = [...crumbs, { label: title, href: path }]
  const place = commune?.path ?? groupOf(path)
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: items.map(
        ({ label, href }, at): schema.ListItem => ({
          '@type': 'ListItem',
          position: at + 1,
          name: label,
          item: canonicalOf(site, href, place),
        }),
      ),
    },
  ]
}

/** Cuts a text at a word, without markup and line breaks. */
export function clipped(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  const cut = line.slice(0, length - 1).toWellFormed()
  const end = cut.lastIndexOf(' ')
  return `${end > length / 2 ? cut.slice(0, end) : cut}…`
}

/** Returns the text of a stored body, without its tags and entities. */
export const plainText = (body: string): string =>
  body
    .replace(/<\/?(?:p|br|li|ul|ol|h\d)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', '’')
    .replaceAll('&amp;', '&')
