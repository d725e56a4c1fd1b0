import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { notFound } from './platform/errors.ts'
import { open } from './platform/http/audiences.ts'
import type { HttpServer } from './platform/http/http-server.ts'

const folder = new URL('../demo/pictures/', import.meta.url)

/** Serves the pictures of the demo content, so that it needs no other site. An installation may leave `demo/` out. */
export function demoPictureRoutes(server: HttpServer): void {
  if (!existsSync(folder)) return
  const drawings = readdirSync(folder).filter((name) => name.endsWith('.svg'))
  const pictures = new Map(drawings.map((name) => [name, readFileSync(new URL(name, folder))]))
  open(server, (scope) => {
    scope.get<{ Params: { name: string } }>('/demo/:name', async ({ params }, reply) => {
      const picture = pictures.get(params.name)
      if (picture === undefined) throw notFound()
      return reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=86400')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
        .send(picture)
    })
  })
}
