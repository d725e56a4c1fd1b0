import swaggerUi from '@fastify/swagger-ui'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { open } from '../audiences.ts'
import { namesTag, tagOf } from '../conditional.ts'
import type { HttpServer } from '../http-server.ts'

/** Serves `/docs`, the interactive documentation, without third-party resources. */
export function documentationPage(server: HttpServer): void {
  const sendDocument = documentSender(server)
  open(server, async (scope) => {
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
      uiHooks: {
        // The plugin serves the document under its own paths, and would serialise it for each request.
        onRequest(request, reply, next) {
          if (/\/docs\/(json|yaml)$/.test(request.routeOptions.url ?? '')) sendDocument(request, reply)
          else next()
        },
      },
    })
    scope.get('/docs/openapi.json', (request, reply) => sendDocument(request, reply))
  })
}

/** Sends the document, which is serialised once, at the first request: it does not change at run time. */
function documentSender(server: HttpServer) {
  let document: { text: string; etag: string } | undefined
  return (request: FastifyRequest, reply: FastifyReply) => {
    document ??= tagged(JSON.stringify(server.swagger()))
    const { text, etag } = document
    reply.header('etag', etag).header('cache-control', 'public, max-age=0, must-revalidate')
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(text)
  }
}

const tagged = (text: string) => ({ text, etag: tagOf(text) })

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
