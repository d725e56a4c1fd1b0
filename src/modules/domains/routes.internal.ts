import Type, { type Static } from 'typebox'
import { notFound } from '../../platform/errors.ts'
import { open } from '../../platform/http/audiences.ts'
import type { Hosts } from '../../platform/http/hosts.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { host } from './schema.ts'

const Query = Type.Object({ domain: host })

/** Tells a proxy for which hosts it may get a certificate: 200 for a proven domain, else 404. */
export function domainAllowedRoute(server: HttpServer, hosts: Pick<Hosts, 'domains'>): void {
  open(server, (scope) => {
    scope.get(
      '/internal/domain-allowed',
      { config: { hosts: 'any' }, schema: { querystring: Query } },
      async ({ query }) => {
        const { domain } = query as Static<typeof Query>
        const { byHost } = await hosts.domains()
        if (!byHost.has(domain.toLowerCase())) throw notFound()
        return { status: 'allowed' }
      },
    )
  })
}
