import type * as schema from 'schema-dts'
import Type from 'typebox'
import { listGroups, mapCommunes } from '../modules/acteurs/queries.ts'
import { sendFile } from '../modules/acts/files.ts'
import { addressOf, isOpenAct } from '../modules/acts/open.ts'
import { type Presence, readPresence } from '../modules/acts/presence/presence.ts'
import { findPublicAct, getTypedText, listNamed, listYears, type PublicRow } from '../modules/acts/queries.ts'
import { actsList, tablesOfActs } from '../modules/acts/reading.ts'
import { actKinds, ById } from '../modules/acts/schema.ts'
import { endOfForce } from '../modules/acts/states.ts'
import { subjects } from '../modules/acts/subjects.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { notFound } from '../platform/errors.ts'
import { numberedPage } from '../platform/http/listing/list-page.ts'
import { oneOf, text } from '../platform/http/validation/schemas.ts'
import { dayInParis } from '../platform/time/paris-time.ts'
import { pageOfCommune, readHeader, SecteurOfCommune, secteurIn, tablesOfHeader } from './commune-pages.ts'
import { html, type Markup } from './html.ts'
import { canonicalOf, type Page, type StructuredData, sendPage } from './layout.ts'
import { daysTag } from './module.ts'
import { definitions, feedLinks, followLink, pager, searchText } from './rows.ts'
import { type Pages, type Site, type SiteBase, searchOf } from './site.ts'
import { capital, dateInWords, momentInWords, t } from './text.ts'

const perPage = 20
const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const Query = Type.Object({
  q: Type.Optional(text(200)),
  type: Type.Optional(oneOf(['', ...actKinds])),
  annee: Type.Optional(Type.String({ pattern: '^(?:[1-9]\\d{3})?$' })),
  page: Type.Optional(Type.Integer({ minimum: 1 })),
})

export const pathOfAct = (act: Pick<PublicRow, 'id' | 'title'>) => `/actes/${addressOf(act)}`

/** The acts of a commune, one act, and its file. */
export const actPages: Pages = (scope, site) => {
  // A search reads the texts too.
  const listed = { sub: '/actes', shows: [...tablesOfActs, 'act_files'], query: Query }
  pageOfCommune(scope, site, listed, async (commune, { q = '', type = '', annee = '', page = 1 }) => {
    const filters = {
      ...{ commune_id: commune.id, page },
      ...(q !== '' && { q }),
      ...(type !== '' && { kind: [type] }),
      ...(annee !== '' && { year: Number(annee) }),
    }
    const [{ data: acts, meta }, years] = await Promise.all([
      numberedPage(site.lists, actsList, filters, perPage),
      listYears(site.lists, commune.id),
    ])
    const path = `/communes/${commune.slug}/actes`
    const hrefOf = (at: number) => `${path}${searchText({ q, type, annee, page: at === 1 ? '' : `${at}` })}`
    const title = t.actes.of(commune.nom)
    const isPastEnd = page > meta.last_page
    const none = isPastEnd ? t.publications.pastEnd : t.actes.noneFound
    const body = html`<h1>${title}</h1>
${
  years.length === 0
    ? html`<p class="empty">${t.actes.none(commune.nom)}</p>`
    : html`<p class="lead">${t.actes.lead}</p>
${filterForm(path, { q, type, annee }, years)}
<section aria-label="${t.actes.title}">
${acts.length > 0 ? actRows(acts) : html`<p class="empty">${none}</p>`}
${pager(page, meta.last_page, hrefOf)}</section>
${followLink(`/communes/${commune.slug}`)}`
}`
    return {
      title: t.publications.titled(title, [
        type !== '' && t.actes.kinds[type],
        annee,
        t.publications.quoted(q),
        t.publications.pageNumber(page),
      ]),
      description: `${title}. ${t.actes.lead}`,
      // A page with an act about a person is not for search engines.
      path: q === '' && !isPastEnd && years.length > 0 && !acts.some(isIndividual) ? hrefOf(page) : null,
      ...(years.length > 0 && { alternates: feedLinks(path, title) }),
      body,
    }
  })

  scope.get(
    '/actes/:act',
    {
      config: { caching: { shows: [...new Set([...tablesOfActs, ...tablesOfHeader, 'groups']), daysTag] } },
      schema: {
        params: Type.Object({ act: Type.String({ pattern: `^${uuid}(?:-.*)?$` }) }),
        querystring: SecteurOfCommune,
      },
    },
    async ({ params, query, caller, url, site }, reply) => {
      const act = await shownAct(site, caller, params.act.slice(0, 36))
      const path = pathOfAct(act)
      if (path !== `/actes/${params.act}`) return reply.redirect(`${path}${searchOf(url)}`, 301)
      return sendPage(reply, site, await readAct(site, caller, act, query))
    },
  )

  scope.get(
    '/actes/:id/acte.pdf',
    { config: { caching: { never: 'a file is sent while it is read' } }, schema: { params: ById } },
    async (request, reply) => {
      const act = await shownAct(site, request.caller, request.params.id)
      if (act.state === 'occulted') throw notFound()
      reply.header('cache-control', 'no-cache')
      if (!isOpenAct(act)) reply.header('x-robots-tag', 'noindex')
      return sendFile(site.reads, request, reply, act)
    },
  )
}

/** The text that a mairie typed for a scan, for the search and for who does not see pictures. */
export const actTextPage: Pages = (scope, site) => {
  scope.get(
    '/actes/:id/texte.txt',
    { config: { caching: { shows: ['acts', 'act_files'] } }, schema: { params: ById } },
    async (request, reply) => {
      const act = await shownAct(site, request.caller, request.params.id)
      const text = act.state === 'occulted' ? null : await getTypedText(site.reads, act.id)
      if (text === null) throw notFound()
      if (!isOpenAct(act)) reply.header('x-robots-tag', 'noindex')
      return reply.type('text/plain; charset=utf-8').send(text)
    },
  )
}

const isIndividual = ({ individual }: PublicRow) => individual

/** Returns a published act if the site shows it; 404 otherwise. */
async function shownAct({ reads }: SiteBase, caller: Caller, id: string): Promise<PublicRow> {
  const act = await findPublicAct(reads, id.toLowerCase(), restrictionOf(caller))
  if (act === undefined) throw notFound()
  return act
}

type Filters = Record<'q' | 'type' | 'annee', string>

const filterForm = (
  path: string,
  { q, type, annee }: Filters,
  years: readonly number[],
): Markup => html`<details class="filters"${(q !== '' || type !== '' || annee !== '') && html` open`}><summary>${t.actes.filter}</summary>
<form class="search" action="${path}" role="search">
<div><label for="q">${t.actes.words}</label>
<input type="search" id="q" name="q" value="${q}" maxlength="200"></div>
<div class="short"><label for="type">${t.actes.kind}</label>
<select id="type" name="type"><option value="">${t.actes.allKinds}</option>
${actKinds.map((kind) => option(kind, t.actes.kinds[kind], type))}</select></div>
<div class="short"><label for="annee">${t.actes.year}</label>
<select id="annee" name="annee"><option value="">${t.actes.allYears}</option>
${years.map((year) => option(`${year}`, `${year}`, annee))}</select></div>
<button type="submit">${t.publications.filter}</button>
</form></details>`

const option = (
  value: string,
  label: string,
  chosen: string,
): Markup => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>
`

/** Lists acts, each with its kind, its number and date, and when it was put on line. */
export const actRows = (
  acts: readonly PublicRow[],
  heading: 'h2' | 'h3' = 'h2',
): Markup => html`<ul class="rows">
${acts.map(
  (act) => html`<li><span class="tag">${t.actes.kinds[act.kind]}</span>
<${heading} class="row-title"><a href="${pathOfAct(act)}">${act.title}</a></${heading}>
<p class="meta">${capital(numberAndDate(act))} · ${t.actes.online(momentInWords(act.published_at))}</p>${
    (act.state === 'superseded' || act.state === 'occulted') &&
    html`
<p class="state">${t.actes.states[act.state]}</p>`
  }</li>
`,
)}</ul>`

export const numberAndDate = ({ number, date }: PublicRow) =>
  [number !== null && t.actes.number(number), t.actes.dated(dateInWords(date))].filter(Boolean).join(' ')

type CommuneNamed = { id: string; slug: string; nom: string }
type Named = Pick<PublicRow, 'id' | 'title'>
/** An act, with what stands around it as far as the site shows it. */
type Around = { communes: CommuneNamed[]; groups: CommuneNamed[]; others: Named[]; presence: Presence }

async function readAct(site: Site, caller: Caller, act: PublicRow, query: SecteurOfCommune): Promise<Page> {
  const restriction = restrictionOf(caller)
  const ids = act.communes.map(({ id }) => id).filter((id) => restriction?.includes(id) ?? true)
  const related = [act.supersedes, act.superseded_by].filter((id) => id !== null)
  const [found, groups, others, presence] = await Promise.all([
    mapCommunes(site.reads, ids),
    act.communes.length > 1 ? listGroups(site.reads, act.acteur.id) : [],
    related.length > 0 ? listNamed(site.reads, related, restriction) : [],
    readPresence(site.reads, act, site.clock()),
  ])
  const communes = [...found.values()].toSorted((one, other) => one.nom.localeCompare(other.nom, 'fr'))
  const [group] = groups
  const home = group === undefined ? communes[0] : undefined
  const place = home ? `/communes/${home.slug}` : group && `/groupes/${group.slug}`
  const crumbs = place && [
    { label: home?.nom ?? group?.nom ?? '', href: place },
    { label: t.actes.title, href: `${place}/actes` },
  ]
  const header = home && (await readHeader(site, home, caller, secteurIn(home, query)))
  return {
    title: act.title,
    description: `${t.actes.kinds[act.kind]} ${numberAndDate(act)} : ${act.title}`,
    path: isOpenAct(act) ? pathOfAct(act) : null,
    body: bodyOf(act, { communes, groups, others, presence }),
    ...(crumbs && { crumbs }),
    ...(header && { commune: header }),
    ...(isOpenAct(act) && { data: [legislation(site, act, { communes, groups, place: header?.path })] }),
  }
}

const bodyOf = (act: PublicRow, around: Around): Markup => html`<article class="wide act">
<p class="tag">${t.actes.kinds[act.kind]}</p>
<h1>${act.title}</h1>
<div class="facts">${definitions(factsOf(act, around))}</div>
${notesOf(act, around)}
${
  act.state !== 'occulted' &&
  html`<p class="deeds"><a class="button" href="/actes/${act.id}/acte.pdf">${t.actes.download}</a> <span class="meta">${t.publication.document(act.bytes, act.pages)}</span></p>
${
  act.typed_text &&
  html`<p><a href="/actes/${act.id}/texte.txt">${t.actes.typedText}</a></p>
`
}`
}${isAppealable(act) && appealOf(act)}
${proofOf(act, around)}
</article>`

function factsOf(act: PublicRow, { communes, groups }: Around): [string, Markup][] {
  const { facts } = t.actes
  const { subject } = act
  return [
    ...(act.number === null ? [] : [[facts.number, html`${act.number}`] as [string, Markup]]),
    [facts.date, html`<time datetime="${act.date}">${dateInWords(act.date)}</time>`],
    [
      facts.online,
      html`<time datetime="${act.published_at.toISOString()}">${momentInWords(act.published_at)}</time>`,
    ],
    [facts.author, html`${act.author_first_name} ${act.author_name}, ${act.author_quality}`],
    [facts.by, html`${act.acteur.nom}`],
    ...(groups.length > 0 ? [[facts.group, linksTo('groupes', groups)] as [string, Markup]] : []),
    ...(communes.length > 1 ? [[facts.communes, communesOf(communes)] as [string, Markup]] : []),
    ...(subject === null ? [] : [[facts.subject, html`${subjects[subject]}`] as [string, Markup]]),
  ]
}

const linksTo = (kind: 'communes' | 'groupes', named: readonly CommuneNamed[]): Markup =>
  html`${named.map(({ slug, nom }, at) => html`${at > 0 && ', '}<a href="/${kind}/${slug}">${nom}</a>`)}`

/** So many communes are named at once: a group has up to hundreds. */
const maxNamed = 12

const communesOf = (communes: readonly CommuneNamed[]): Markup =>
  communes.length <= maxNamed
    ? linksTo('communes', communes)
    : html`<details><summary>${t.groups.members(communes.length)}</summary>${linksTo('communes', communes)}</details>`

/** Says what became of an act, and what it did to another one. */
function notesOf(act: PublicRow, { others }: Around): Markup {
  const linkTo = (id: string) => {
    const other = others.find((one) => one.id === id)
    return other ? html`<a href="${pathOfAct(other)}">${other.title}</a>` : html`${t.actes.otherAct}`
  }
  const day = (at: Date) => dateInWords(dayInParis(at))
  return html`${
    act.superseded_by !== null &&
    html`<p class="note">${t.actes.supersededBy} ${linkTo(act.superseded_by)}</p>
`
  }${
    act.supersedes !== null &&
    html`<p class="meta">${t.actes.supersedes} ${linkTo(act.supersedes)}</p>
`
  }${
    act.state === 'archived' &&
    act.archived_at !== null &&
    html`<p class="note">${t.actes.archived(day(act.archived_at))}</p>
`
  }${
    act.occulted_at !== null &&
    html`<p class="note">${t.actes.occulted(day(act.occulted_at))} <q>${act.occulted_reason}</q></p>
`
  }`
}

/** Minutes and lists decide nothing. */
const isAppealable = ({ kind }: PublicRow) => kind !== 'proces_verbal' && kind !== 'liste_des_deliberations'

const appealOf = ({ published_at, individual }: PublicRow): Markup => {
  const from = dateInWords(dayInParis(published_at))
  const to = dateInWords(dayInParis(endOfForce(published_at)))
  return html`<section aria-labelledby="recours"><h2 id="recours">${t.actes.appeal}</h2>
<p>${t.actes.appealText(from, to)}${individual && ` ${t.actes.appealOfPerson}`}</p></section>`
}

const proofOf = (
  { id, state, sha256, seal, published_at }: PublicRow,
  { presence }: Around,
): Markup => html`<section aria-labelledby="preuve">
<h2 id="preuve">${t.actes.proof}</h2>
<p>${t.actes.proofText(momentInWords(published_at))}${seal.timestamp !== null && ` ${t.actes.stamped(seal.timestamp.authority, momentInWords(seal.timestamp.at))}`}</p>
<p>${t.actes.proofHow}${state === 'occulted' && ` ${t.actes.proofOcculted}`}</p>
${presenceOf(presence)}<ul class="links"><li><a href="/actes/${id}/preuve.zip">${t.actes.proofLink}</a></li>
${
  presence.samples > 0 &&
  html`<li><a href="/actes/${id}/presence.zip">${t.actes.presenceLink}</a></li>
`
}<li><a href="/actes/racines.json">${t.actes.roots}</a></li>
<li><a href="/actes/racines.rss" type="application/rss+xml">${t.actes.rootsFeed}</a></li></ul>
<details><summary>${t.actes.digests}</summary>
<dl class="digests"><dt>${t.actes.sha256}</dt><dd><code>${sha256}</code></dd>
<dt>${t.actes.seal(seal.number)}</dt><dd><code>${seal.seal}</code></dd></dl></details></section>`

/** So many interruptions are named. */
const maxInterruptions = 5

/** Says how long the act was seen on line, and when it was not. Empty before the first sample. */
const presenceOf = ({ from, until, samples, missing, interruptions }: Presence): Markup => {
  if (samples === 0) return html``
  const [first, last] = [momentInWords(from), momentInWords(until)]
  const named = interruptions.slice(0, maxInterruptions)
  return html`<p>${t.actes.presence(samples, missing)} ${interruptions.length === 0 ? t.actes.uninterrupted(first, last) : t.actes.interrupted(interruptions.length)}</p>
${
  named.length > 0 &&
  html`<ul>${named.map(
    (each) => html`<li>${t.actes.interruption(momentInWords(each.from), momentInWords(each.until))}</li>
`,
  )}</ul>
`
}`
}

function legislation(
  site: Site,
  act: PublicRow,
  { communes, groups, place }: Pick<Around, 'communes' | 'groups'> & { place: string | undefined },
): StructuredData {
  const addressOf = (path: string) => canonicalOf(site, path, place)
  const file: schema.MediaObject = {
    '@type': 'MediaObject',
    contentUrl: addressOf(`/actes/${act.id}/acte.pdf`),
    encodingFormat: 'application/pdf',
    contentSize: `${act.bytes} B`,
    sha256: act.sha256,
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'Legislation',
    name: act.title,
    url: addressOf(pathOfAct(act)),
    inLanguage: 'fr',
    ...(act.number !== null && { legislationIdentifier: act.number }),
    legislationType: t.actes.kinds[act.kind],
    legislationDate: act.date,
    datePublished: act.published_at.toISOString(),
    legislationPassedBy: { '@type': 'Organization', name: act.acteur.nom },
    legislationJurisdiction: (groups.length > 0 ? groups : communes).map(({ nom }) => nom).join(', '),
    ...(act.state === 'superseded' && { legislationLegalForce: 'NotInForce' }),
    ...(act.supersedes !== null && { legislationRepeals: { '@id': addressOf(`/actes/${act.supersedes}`) } }),
    encoding: file,
  }
}
