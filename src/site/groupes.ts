import { listMembers } from '../modules/groups/queries.ts'
import { ByIdOrSlug, findGroup } from '../modules/groups/reading.ts'
import type { Group } from '../modules/groups/schema.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import { notFound } from '../platform/errors.ts'
import { communeNames } from './home.ts'
import { html } from './html.ts'
import { type StructuredData, sendPage } from './layout.ts'
import { type Pages, type Site, searchOf } from './site.ts'
import { t } from './text.ts'

/** The page of a group of communes. A site restricted to communes shows the groups of these, and only these of them. */
export const groupPage: Pages = (scope, site) => {
  scope.get(
    '/groupes/:idOrSlug',
    {
      config: { caching: { shows: ['groups', 'group_communes', 'communes'] }, load: 'list' },
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
      const { nom, kind } = group
      const body = html`<h1>${nom}</h1>
<p class="tag">${t.groups.kinds[kind]}</p>
<section aria-labelledby="communes"><h2 id="communes">${t.groups.members(members.length)}</h2>
${members.length > 0 ? communeNames(members) : html`<p class="empty">${t.groups.none}</p>`}</section>`
      return sendPage(reply, site, {
        ...{ title: nom, description: t.groups.description(nom, t.groups.kinds[kind]), path, body },
        crumbs: [{ label: t.communes.title, href: '/communes' }],
        data: [organisation(site, group)],
      })
    },
  )
}

const organisation = (site: Site, { nom, slug, siren }: Group): StructuredData => ({
  '@context': 'https://schema.org',
  '@type': 'GovernmentOrganization',
  name: nom,
  url: `${site.url}/groupes/${slug}`,
  ...(siren !== null && { identifier: siren }),
})
