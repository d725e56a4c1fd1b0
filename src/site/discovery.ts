import type { FastifyReply } from 'fastify'
import type { HttpServer } from '../platform/http/http-server.ts'
import { type IconSize, iconDrawer, installed, outline } from './look/icons.ts'
import { sendManifest } from './manifest.ts'
import type { SiteBase } from './site.ts'

const yearMs = 365 * 86_400_000

/** Serves what search engines, browsers and security researchers look for. */
export function discoveryRoutes(scope: HttpServer, { settings: { contact }, clock }: SiteBase): void {
  scope.get('/robots.txt', async ({ site: { url } }, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\nDisallow: /api/\nDisallow: /backoffice/\nDisallow: /recherche?\nSitemap: ${url}/sitemap.xml\n`,
      ),
  )
  // Browsers ask for these by themselves. The arms of a domain stand under the address of their picture.
  const toArms = (reply: FastifyReply, blason: string, size: IconSize) =>
    reply.header('cache-control', 'no-cache').redirect(`/media/${blason}/icone-${size}.png`, 302)
  scope.get('/favicon.svg', async ({ site: { settings, domain } }, reply) => {
    if (domain?.blason) return toArms(reply, domain.blason, 192)
    return reply
      .type('image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${settings.color}"/><path d="${outline}" fill="#fff"/></svg>`,
      )
  })
  scope.get('/manifest.webmanifest', async ({ site: { settings, domain } }, reply) =>
    sendManifest(reply, {
      ...{ name: settings.name, color: settings.color, id: '/', start: '/' },
      icons: domain?.blason ? `/media/${domain.blason}` : null,
    }),
  )
  const iconOf = iconDrawer()
  for (const { path, size } of [...installed, { path: '/apple-touch-icon.png', size: 180 as const }])
    scope.get(path, async ({ site: { settings, domain } }, reply) =>
      domain?.blason
        ? toArms(reply, domain.blason, size)
        : reply
            .type('image/png')
            .header('cache-control', 'public, max-age=86400')
            .send(iconOf(settings.color, size)),
    )
  if (contact !== null)
    scope.get('/.well-known/security.txt', async ({ site: { url } }, reply) => {
      const expires = new Date(clock().getTime() + yearMs).toISOString()
      const address = contact.includes('://') ? contact : `mailto:${contact}`
      return reply
        .type('text/plain; charset=utf-8')
        .send(
          `Contact: ${address}\nExpires: ${expires}\nPreferred-Languages: fr, en\nCanonical: ${url}/.well-known/security.txt\n`,
        )
    })
}
