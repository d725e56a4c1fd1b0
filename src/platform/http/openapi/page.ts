import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyRequest } from 'fastify'
import { type Asset, compressedAsset, sendAsset, typeOf } from '../assets.ts'
import { open } from '../audiences.ts'
import type { HttpServer } from '../http-server.ts'

/**
 * Serves `/docs`, the interactive documentation, without third-party resources. The document and the files of the viewer are
 * read and compressed once, at the first request for each.
 */
export function documentationPage(server: HttpServer): void {
  const document = once(async () => {
    const text = JSON.stringify(server.swagger())
    return compressedAsset('application/json; charset=utf-8', Buffer.from(text))
  })
  const files = new Map(
    readdirSync(viewerFolder).map((name) => [
      name,
      once(async () => compressedAsset(typeOf(name), await readFile(join(viewerFolder, name)))),
    ]),
  )
  /** Finds what the plugin itself would read from the disk, or serialise, for each request. */
  function findAsset({ routeOptions, params }: FastifyRequest) {
    if (/^\/docs\/(json|yaml|openapi\.json)$/.test(routeOptions.url ?? '')) return document
    return routeOptions.url === '/docs/static/*' ? files.get((params as { '*': string })['*']) : undefined
  }
  open(server, async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const asset = findAsset(request)
      if (asset) return sendAsset(request, reply, await asset(), 'public, max-age=0, must-revalidate')
    })
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: policy,
      theme: {
        title: 'Parvis',
        favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
      },
      uiConfig: {
        // The standalone layout loads external documents and needs a style that the policy refuses.
        layout: 'BaseLayout',
        persistAuthorization: true,
        displayRequestDuration: true,
        tryItOutEnabled: true,
        requestInterceptor: nameApplication,
      },
    })
    // Served by the hook above.
    scope.get('/docs/openapi.json', async () => {})
    scope.get('/.well-known/api-catalog', async (_request, reply) =>
      reply
        .type('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
        .header('access-control-allow-origin', '*')
        .send(JSON.stringify(catalog)),
    )
  })
}

/** Tells programs where the interface and its description are (RFC 9727). */
const catalog = {
  linkset: [
    {
      anchor: '/api/v1',
      'service-desc': [{ href: '/docs/openapi.json', type: 'application/vnd.oai.openapi+json;version=3.1' }],
      'service-doc': [{ href: '/docs', type: 'text/html' }],
      status: [{ href: '/readyz', type: 'application/json' }],
    },
  ],
}

const viewerFolder = join(
  dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
  'static',
)

/** Makes an asset at the first request for it, and again only if that failed. */
function once(make: () => Promise<Asset>): () => Promise<Asset> {
  let made: Promise<Asset> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

// Without upgrade-insecure-requests, which would break a service reached over plain HTTP.
const policy = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
}

type Tried = { url: string; headers: Record<string, string>; loadSpec?: boolean }

/**
 * Sets `X-App-Source` to the application that the route is for, unless one is chosen, so that the first
 * request from the page succeeds. The browser gets the text of this function: it must not refer to anything
 * outside.
 */
function nameApplication<Given>(given: Given): Given {
  const request = given as Tried
  if (request.loadSpec) return given
  const [, side = ''] = request.url.match(/\/api\/v1\/(admin|mairie)\//) ?? []
  request.headers['X-App-Source'] ??= { admin: 'backoffice', mairie: 'mairie' }[side] ?? 'public'
  return given
}

/** A door and the square in front of it. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#1d4e89"/>
<path d="M10 20v-6a6 6 0 0 1 12 0v6z" fill="#fff"/>
<path d="M6 24h20M9 28h14" stroke="#f2b705" stroke-width="2.5" stroke-linecap="round"/>
</svg>`
