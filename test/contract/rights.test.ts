// Not on another PostgreSQL, because other files run its statements too.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Role, roles } from '../../src/platform/access/areas.ts'
import { sampled } from '../support/sample.ts'
import { openWorld } from '../support/world.ts'

type Route = { method: string; path: string }

const adminRoutes: Route[] = []
const { user, client } = await openWorld({
  watchRoutes: ({ method, url, config }) => {
    if (method === 'HEAD' || config?.scope?.audience !== 'admin') return
    adminRoutes.push({ method: String(method), path: url.replace('/api/v1', '') })
  },
})

/** Permissions as committed on the page: reviewers see a new or moved route there. */
const written = new Map(
  [...readFileSync('docs/rights.md', 'utf8').matchAll(/^\| (\w+ \/admin\S*) \| Roles: ([\w, ]+) \|/gm)].map(
    ([, name = '', names = '']) => [name, names.split(', ')] as const,
  ),
)

const nameOf = ({ method, path }: Route) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

test('each admin route is listed in docs/rights.md, and administrators may call all of them', () => {
  expect([...written.keys()].sort()).toEqual(adminRoutes.map(nameOf).sort())
  for (const [name, names] of written)
    expect(names, name).toEqual(expect.arrayContaining(['admin', 'platform_admin']))
})

test.each([...roles, 'no role'])('%s may call exactly the routes that docs/rights.md lists', async (role) => {
  const { token } = await user({ roles: role === 'no role' ? [] : [role as Role] })
  const its = client({ source: 'backoffice', token })
  for (const route of sampled(adminRoutes, 1 / 3, nameOf)) {
    const path = route.path.replace(':role', 'support').replace(/:\w+/g, nobody)
    const answer = await its.send(route.method, path)
    const mayEnter = written.get(nameOf(route))?.includes(role)
    if (mayEnter)
      expect([200, 202, 404, 409, 422], `${nameOf(route)} ${answer.text}`).toContain(answer.status)
    else expect(answer, nameOf(route)).toBeError(403, 'admin_required')
  }
})
