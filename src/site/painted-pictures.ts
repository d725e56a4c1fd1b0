import { BySlug } from '../modules/communes/reading.ts'
import { createPainter, type PaintedFile, painted } from './look/painter.ts'
import { colorOfLand, landOf } from './look/relief.ts'
import type { SharedImage } from './pictures.ts'
import { type Pages, shownCommune } from './site.ts'

/** The picture of a town that other sites show with a page without one. */
export const paintedImage = (path: string): SharedImage => ({ path: `${path}/partage.png`, alt: null })

/** The pictures that are drawn of a commune: for other sites, and as icons of its page on a device. */
export const paintedPictures: Pages = (scope) => {
  const paint = createPainter()
  for (const file of Object.keys(painted) as PaintedFile[])
    scope.get(
      `/communes/:slug/${file}`,
      { config: { caching: { shows: ['communes'] } }, schema: { params: BySlug } },
      async ({ params, caller, site }, reply) => {
        const commune = await shownCommune(site, caller, params.slug)
        const land = landOf(commune)
        const content = await paint(land, commune.couleur ?? colorOfLand(land), file)
        return reply.type('image/png').send(content)
      },
    )
}
