import Type from 'typebox'
import { BySlug } from '../modules/communes/reading.ts'
import type { Commune } from '../modules/communes/schema.ts'
import { findShown, listShown } from '../modules/pages/queries.ts'
import { keyOf } from '../modules/pages/reading.ts'
import type { PageContact, PageLinked, PageListed, PublicPage } from '../modules/pages/schema.ts'
import { notFound } from '../platform/errors.ts'
import { IdOrSlug } from '../platform/http/validation/schemas.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { pageOfCommune, readHeader, Secteur, tablesOfHeader } from './commune-pages.ts'
import { html, type Markup, sanitisedText } from './html.ts'
import { clipped, type Page, plainText, sendPage } from './layout.ts'
import { documentList, picture, sharedImage } from './pictures.ts'
import { mailLink, phoneLink } from './rows.ts'
import { countReadings, type Pages, searchOf, shownCommune } from './site.ts'
import { dateInWords, t } from './text.ts'

/** The pages that a mairie writes about life in its commune: all of them, and each. */
export const lifePages: Pages = (scope, site) => {
  const shows = ['communes', 'commune_pages']
  pageOfCommune(scope, site, { sub: '/pages', shows }, async (commune) => {
    const pages = await listShown(site.reads, commune.id)
    const path = `/communes/${commune.slug}`
    const title = t.pages.of(commune.nom)
    const body = html`<h1>${title}</h1>
${pages.length > 0 ? html`<p class="lead">${t.pages.lead}</p>${tree(pages, path)}` : html`<p class="empty">${t.pages.none(commune.nom)}</p>`}`
    const isEmpty = pages.length === 0
    return { title, description: t.pages.lead, path: isEmpty ? null : `${path}/pages`, body }
  })

  scope.get(
    '/communes/:slug/pages/:page',
    {
      config: { caching: { shows: tablesOfHeader }, load: 'list' },
      schema: {
        params: Type.Object({ ...BySlug.properties, page: IdOrSlug('Slug or id of the page', 'ecole') }),
        querystring: Secteur,
      },
    },
    async (request, reply) => {
      const { params, query, caller, url, site } = request
      const commune = await shownCommune(site, caller, params.slug)
      const page = await findShown(site.reads, commune.id, keyOf(params.page))
      if (page === undefined) throw notFound()
      const path = `/communes/${commune.slug}/pages/${page.slug}`
      if (path !== `/communes/${params.slug}/pages/${params.page}`)
        return reply.redirect(`${path}${searchOf(url)}`, 301)
      const [header, pages] = await Promise.all([
        readHeader(site, commune, caller, query.secteur),
        listShown(site.reads, commune.id),
      ])
      countReadings(request, 'page', page)
      return sendPage(reply, site, { ...onePage(commune, page, pages), commune: header })
    },
  )
}

/** The pages at the top, each with those below it. */
const tree = (pages: readonly PageListed[], path: string): Markup => html`<ul class="rows">
${pages
  .filter(({ parent_id }) => parent_id === null)
  .map(({ id, slug, title }) => {
    const below = pages.filter(({ parent_id }) => parent_id === id)
    return html`<li><h2 class="row-title"><a href="${path}/pages/${slug}">${title}</a></h2>${below.length > 0 && links(below, path)}</li>
`
  })}</ul>`

const links = (
  pages: readonly Pick<PageLinked, 'slug' | 'title'>[],
  path: string,
): Markup => html`<ul class="links">
${pages.map(
  ({ slug, title }) => html`<li><a href="${path}/pages/${slug}">${title}</a></li>
`,
)}</ul>`

/** Pages that a search has found. */
export const pageRows = (pages: readonly PageLinked[], path: string): Markup => html`<ul class="rows">
${pages.map(
  ({ slug, title }) => html`<li><h3><a href="${path}/pages/${slug}">${title}</a></h3></li>
`,
)}</ul>`

function onePage(commune: Commune, page: PublicPage, pages: readonly PageListed[]): Page {
  const { id, slug, title, body, images, documents, contacts, updated_at, parent, pages: below } = page
  const path = `/communes/${commune.slug}`
  const [cover, ...others] = images
  const beside = parent === null ? [] : pages.filter((one) => one.parent_id === parent.id && one.id !== id)
  const day = todayInParis(updated_at)
  return {
    title,
    description: clipped(plainText(body), 200) || t.pages.of(commune.nom),
    path: `${path}/pages/${slug}`,
    ...(cover && { image: sharedImage(cover) }),
    crumbs: [
      { label: commune.nom, href: path },
      { label: t.pages.title, href: `${path}/pages` },
      ...(parent === null ? [] : [{ label: parent.title, href: `${path}/pages/${parent.slug}` }]),
    ],
    body: html`<article class="wide">
<h1>${title}</h1>
${cover && picture(cover, { isFirst: true })}
${body !== '' && html`<div class="text">${sanitisedText(body)}</div>`}${others.map((image) => picture(image))}${documents.length > 0 && documentList(documents)}
${contacts.length > 0 && contactList(contacts)}
<p class="meta">${t.pages.updated} <time datetime="${day}">${dateInWords(day)}</time></p>
</article>
${below.length > 0 && section('rubrique', t.pages.below, links(below, path))}${beside.length > 0 && section('voisines', t.pages.beside, links(beside, path))}`,
  }
}

const section = (id: string, title: string, rows: Markup): Markup => html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${rows}</section>`

const contactList = (contacts: readonly PageContact[]): Markup => html`<section aria-labelledby="contacts">
<h2 id="contacts">${t.pages.contacts}</h2>
<ul class="rows">${contacts.map(
  ({ nom, adresse, telephone, email }) => html`<li><h3>${nom}</h3>
${adresse && html`<p>${adresse}</p>`}${telephone && html`<p>${phoneLink(telephone)}</p>`}${email && html`<p>${mailLink(email)}</p>`}</li>
`,
)}</ul></section>`
