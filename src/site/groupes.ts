import { listMembers } from '../modules/groups/queries.ts'
import { ByIdOrSlug, findGroup } from '../modules/groups/reading.ts'
import type { Group } from '../modules/groups/schema.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { notFound } from '../platform/errors.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { publicationsOfActeur } from './acteurs.ts'
import { nextDatesOfActeur } from './commune/events.ts'
import { tablesOfPublications } from './commune-pages.ts'
import { communeNames } from './home.ts'
import { html, type Markup } from './html.ts'
import { type StructuredData, sendPage } from './layout.ts'
import { daysTag } from './module.ts'
import { calendarLink, eventRows, feedLinks, publicationRows } from './rows.ts'
import { type Pages, type Site, searchOf } from './site.ts'
import { t } from './text.ts'

/**
 * The page of a group of communes, with what its acteur publishes. A site restricted to communes shows the groups of these, and
 * only these of them.
 */
export const groupPage: Pages = (scope, site) => {
  scope.get(
    '/groupes/:idOrSlug',
    {
      config: {
        caching: {
          shows: ['groups', 'group_communes', 'publication_communes', ...tablesOfPublications, daysTag],
        },
        load: 'list',
      },
      schema: { params: ByIdOrSlug },
    },
    async ({ params: { idOrSlug }, caller, url }, reply) => {
      const group = await findGroup(site.reads, idOrSlug)
      if (group === null) throw notFound()
      const communeIds = restrictionOf(caller)
      const members = await listMembers(site.lists, group.id, communeIds)
      if (communeIds !== null && members.length === 0) throw notFound()
      const path = `/groupes/${group.slug}`
      if (group.slug !== idOrSlug) return reply.redirect(`${path}${searchOf(url)}`, 301)
      const { nom, kind, acteur } = group
      const published = acteur && (await publishedBy(site, caller, acteur))
      const body = html`<h1>${nom}</h1>
<p class="tag">${t.groups.kinds[kind]}</p>
${published}<section aria-labelledby="communes"><h2 id="communes">${t.groups.members(members.length)}</h2>
${members.length > 0 ? communeNames(members) : html`<p class="empty">${t.groups.none}</p>`}</section>`
      return sendPage(reply, site, {
        ...{ title: nom, description: t.groups.description(nom, t.groups.kinds[kind]), path, body },
        crumbs: [{ label: t.communes.title, href: '/communes' }],
        data: [organisation(site, group)],
        ...(acteur && {
          alternates: [
            ...feedLinks(`/acteurs/${acteur.slug}/publications`, nom),
            calendarLink(`/acteurs/${acteur.slug}/agenda`, t.agenda.of(nom)),
          ],
        }),
      })
    },
  )
}

const maxPublications = 10
const maxEvents = 5

/** The news and the next events that the acteur of a group publishes, as far as the site shows them. */
async function publishedBy(
  site: Site,
  caller: Caller,
  { id, slug }: NonNullable<Group['acteur']>,
): Promise<Markup> {
  const today = todayInParis(site.clock())
  const [{ rows, total }, events] = await Promise.all([
    publicationsOfActeur(site, caller, { id }, maxPublications),
    nextDatesOfActeur(site, { acteurId: id, communeIds: restrictionOf(caller) }, today, maxEvents),
  ])
  return html`<section aria-labelledby="actualites"><h2 id="actualites">${t.groups.news}</h2>
${rows.length > 0 ? publicationRows(rows) : html`<p class="empty">${t.acteurs.noPublication}</p>`}
${total > rows.length && html`<p><a class="more" href="/acteurs/${slug}">${t.groups.allNews}<span aria-hidden="true"> ›</span></a></p>`}</section>
${
  events.length > 0 &&
  html`<section aria-labelledby="agenda"><h2 id="agenda">${t.groups.agenda}</h2>
${eventRows(events, today)}</section>
`
}`
}

const organisation = (site: Site, { nom, slug, siren }: Group): StructuredData => ({
  '@context': 'https://schema.org',
  '@type': 'GovernmentOrganization',
  name: nom,
  url: `${site.url}/groupes/${slug}`,
  ...(siren !== null && { identifier: siren }),
})
