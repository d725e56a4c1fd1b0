import swaggerUi from '@fastify/swagger-ui'
import { open } from '../audiences.ts'
import type { HttpServer } from '../http-server.ts'

/** `/docs`: the document to read and to try, without anything from elsewhere. */
export function documentationPage(server: HttpServer): void {
  open(server, async (scope) => {
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: policy,
      theme: {
        title: 'Parvis',
        favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
      },
      uiConfig: {
        // The other layout has a bar that loads documents from elsewhere, and a style that the policy refuses.
        layout: 'BaseLayout',
        persistAuthorization: true,
        displayRequestDuration: true,
        tryItOutEnabled: true,
        requestInterceptor: nameApplication,
      },
    })
    scope.get('/docs/openapi.json', async () => server.swagger())
  })
}

// Nothing is upgraded to https: where the service is called over plain http, nothing else would answer.
const policy = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
}

type Tried = { url: string; headers: Record<string, string>; loadSpec?: boolean }

/**
 * So that the first try succeeds: whoever has chosen no application calls as the one that the route is for. The browser
 * is sent the text of this function, which therefore names nothing around it.
 */
function nameApplication<Given>(given: Given): Given {
  const request = given as Tried
  if (request.loadSpec) return given
  const [, side = ''] = request.url.match(/\/api\/v1\/(admin|mairie)\//) ?? []
  request.headers['X-App-Source'] ??= { admin: 'backoffice', mairie: 'mairie' }[side] ?? 'public'
  return given
}

/** A door, and the square before it. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#1d4e89"/>
<path d="M10 20v-6a6 6 0 0 1 12 0v6z" fill="#fff"/>
<path d="M6 24h20M9 28h14" stroke="#f2b705" stroke-width="2.5" stroke-linecap="round"/>
</svg>`
