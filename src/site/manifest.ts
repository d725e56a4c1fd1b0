import type { FastifyReply } from 'fastify'
import { BySlug } from '../modules/communes/reading.ts'
import { ByIdOrSlug } from '../modules/groups/reading.ts'
import { Secteur } from './commune-pages.ts'
import { shownGroup, tablesOfGroup } from './groupes/shown-group.ts'
import { installed } from './look/icons.ts'
import { colorOfLand, landOf } from './look/relief.ts'
import { searchText } from './rows.ts'
import { type Pages, type Site, shownCommune } from './site.ts'

/** `icons`: where they are; null: those of the site. `id`: by which browsers tell installed sites apart. `start`: the page that an installed one opens. */
type Installed = { name: string; color: string; id: string; start: string; icons?: string | null }

/** Describes the site as a device installs it. */
export function sendManifest(
  reply: FastifyReply,
  { name, color, id, start, icons = null }: Installed,
): FastifyReply {
  const manifest = {
    ...{ id, name, lang: 'fr', start_url: start, scope: '/', display: 'standalone' },
    ...{ theme_color: color, background_color: '#ffffff' },
    icons: [
      ...installed.map(({ path, size }) => ({
        ...{
          src: `${icons ?? ''}${path}`,
          sizes: `${size}x${size}`,
          type: 'image/png',
          purpose: 'any maskable',
        },
      })),
      ...(icons === null ? [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }] : []),
    ],
  }
  return reply.type('application/manifest+json').send(JSON.stringify(manifest))
}

/** The manifests of a commune and of a group, which a device installs under their name; that of a commune keeps the secteur. */
export const manifestPages: Pages = (scope) => {
  scope.get(
    '/communes/:slug/manifest.webmanifest',
    { config: { caching: { shows: ['communes'] } }, schema: { params: BySlug, querystring: Secteur } },
    async ({ params, query: { secteur }, caller, site }, reply) => {
      const commune = await shownCommune(site, caller, params.slug)
      const { slug, nom, nom_affiche, couleur, blason } = commune
      return sendManifest(reply, {
        name: nom_affiche ?? nom,
        color: couleur ?? colorOfLand(landOf(commune)),
        icons: blason ? `/media/${blason.id}` : `/communes/${slug}`,
        ...placeOf(site, `/communes/${slug}`, searchText({ secteur })),
      })
    },
  )

  scope.get(
    '/groupes/:idOrSlug/manifest.webmanifest',
    { config: { caching: { shows: tablesOfGroup } }, schema: { params: ByIdOrSlug } },
    async ({ params, caller, site }, reply) => {
      const { group } = await shownGroup(site, caller, params.idOrSlug)
      return sendManifest(reply, {
        ...{ name: group.nom, color: site.settings.color },
        ...placeOf(site, `/groupes/${group.slug}`),
      })
    },
  )
}

/** Where a place has a domain, it is the whole site there. */
function placeOf({ domain }: Site, path: string, search = ''): Pick<Installed, 'id' | 'start'> {
  const id = domain?.home === path ? '/' : path
  return { id, start: `${id}${search}` }
}
