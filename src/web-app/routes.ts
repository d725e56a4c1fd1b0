import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../platform/config/config.ts'
import { notFound } from '../platform/errors.ts'
import { sendAsset } from '../platform/http/assets.ts'
import { open } from '../platform/http/audiences.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import { languageOf } from '../platform/http/language.ts'
import { mapMark, nonceMark, publicSiteMark } from './site.ts'
import { reloadScript, waitingPage } from './waiting-page.ts'
import type { WebApp } from './web-app.ts'

/**
 * Returns the content security policy of the application's pages. Scripts and styles come only from this
 * service; none is inline.
 */
const policyOf = (nonce: string, mapHosts: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // React Aria adds a few rules of its own to the page: they carry the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    // A picture that is not yet sent is data.
    "img-src 'self' data:",
    // The map loads its data from these hosts.
    connectTo(mapHosts),
    "worker-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Policy of scripts, which counts where one runs as a worker: that of the map loads tiles. */
const workerPolicyOf = (mapHosts: readonly string[]) =>
  ["default-src 'none'", connectTo(mapHosts), "frame-ancestors 'none'"].join('; ')

const connectTo = (hosts: readonly string[]) => ["connect-src 'self'", ...hosts].join(' ')

/** Settings that the page tells to the application. */
type PageSettings = Pick<Config, 'map' | 'publicSiteUrl'>

/** The name of an asset contains a digest of its content. */
const forever = 'public, max-age=31536000, immutable'

/** Serves `/backoffice/`: the page for every screen of the application, and the files that it loads. */
export function webAppRoutes(
  server: HttpServer,
  webApp: Pick<WebApp, 'site' | 'state'>,
  settings: PageSettings,
): void {
  const workerPolicy = workerPolicyOf(settings.map.hosts)
  open(server, (scope) => {
    scope.get('/backoffice', async (_request, reply) => reply.redirect('/backoffice/', 308))
    scope.get('/backoffice/reload.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(reloadScript),
    )
    const config = { load: 'static' } as const
    scope.get<{ Params: { '*': string } }>('/backoffice/assets/*', { config }, async (request, reply) => {
      const asset = webApp.site?.assets.get(`assets/${request.params['*']}`)
      if (asset === undefined) throw notFound()
      if (asset.type.startsWith('text/javascript')) reply.header('content-security-policy', workerPolicy)
      return sendAsset(request, reply, asset, forever)
    })
    scope.get('/backoffice/*', async (request, reply) => sendPage(request, reply, webApp, settings))
  })
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, state }: Pick<WebApp, 'site' | 'state'>,
  { map, publicSiteUrl }: PageSettings,
) {
  const nonce = randomBytes(16).toString('base64url')
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(nonce, map.hosts))
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cache-control', 'no-store')
  if (site !== null)
    return reply.send(
      site.page
        .replaceAll(nonceMark, nonce)
        .replace(mapMark, () => attribute(shownMap(map)))
        .replace(publicSiteMark, () => attribute(publicSiteUrl ?? '')),
    )
  const isFailed = state === 'failed'
  const reason = isFailed ? 'the application could not be built' : 'the application is being built'
  request.failure = { error: 'unavailable', reason }
  const language = languageOf(request.headers['accept-language'])
  return reply
    .code(503)
    .header('retry-after', '2')
    .header('vary', 'Accept-Language')
    .send(waitingPage(language, isFailed ? 'failed' : 'building', nonce))
}

const shownMap = ({ styleUrl, pmtilesUrl }: Config['map']) => JSON.stringify({ styleUrl, pmtilesUrl })

/** Escapes the content of an HTML attribute. */
const attribute = (content: string) =>
  content.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
