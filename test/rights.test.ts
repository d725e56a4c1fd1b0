import { expect, test } from 'vitest'
import type { Role } from '../src/platform/access/areas.ts'
import { openWorld } from './harness/world.ts'

type Route = { method: string; path: string; audience: string; area: string | undefined }

const routes: Route[] = []
const { user, client } = await openWorld({
  watchRoutes: ({ method, url, config }) => {
    if (method === 'HEAD' || config?.audience === undefined) return
    const path = url.replace('/api/v1', '')
    routes.push({ method: String(method), path, audience: config.audience, area: config.area })
  },
})
const adminRoutes = routes.filter(({ audience }) => audience === 'admin')

/** The area of each admin route, said a second time: a route that is new, or moved, is said here on purpose. */
const areaOf: Record<string, string> = {
  'GET /admin/dashboard': 'dashboard',
  'GET /admin/audit': 'audit',
  'GET /admin/users': 'users',
  'GET /admin/users/:userId': 'users',
  'PATCH /admin/users/:userId': 'users',
  'POST /admin/users/:userId/roles': 'users',
  'DELETE /admin/users/:userId/roles/:role': 'users',
  'GET /admin/acteurs': 'acteurs',
  'POST /admin/acteurs': 'acteurs',
  'GET /admin/acteurs/:id': 'acteurs',
  'PATCH /admin/acteurs/:id': 'acteurs',
  'DELETE /admin/acteurs/:id': 'acteurs',
  'DELETE /admin/acteurs/:id/restore': 'acteurs',
  'PATCH /admin/acteurs/:id/validate': 'acteurs',
  'PATCH /admin/acteurs/:id/badge': 'acteurs',
  'PATCH /admin/acteurs/:id/active': 'acteurs',
  'POST /admin/acteurs/:id/can-publish': 'acteurs',
  'GET /admin/claims': 'claims',
  'PATCH /admin/claims/:id': 'claims',
  'GET /admin/publications': 'publications',
  'GET /admin/publications/:id': 'publications',
  'DELETE /admin/publications/:id': 'publications',
  'PATCH /admin/publications/:id/restore': 'publications',
  'PATCH /admin/publications/bulk/moderate': 'publications',
  'PATCH /admin/publications/:id/moderate': 'publications',
  'PATCH /admin/publications/:id/valide': 'publications',
  'PATCH /admin/publications/:id/feature': 'publications',
  'POST /admin/communes': 'communes',
  'PATCH /admin/communes/:id': 'communes',
  'GET /admin/communes/:id/full': 'communes',
}

/** What the roles open, said a second time too. */
const everything = [...new Set(Object.values(areaOf))]
const opened: Record<Role | 'no role', string[]> = {
  admin: everything,
  platform_admin: everything,
  moderator: ['publications', 'claims', 'dashboard'],
  support: ['messages', 'dashboard'],
  'no role': [],
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

test('each admin route lies in the area that is said here', () => {
  expect(adminRoutes.length).toBeGreaterThan(0)
  for (const route of adminRoutes) expect(route.area, nameOf(route)).toBe(areaOf[nameOf(route)])
})

test.each(Object.entries(opened))('%s enters just the routes of its areas', async (role, areas) => {
  const { token } = await user({ roles: role === 'no role' ? [] : [role as Role] })
  const its = client({ source: 'backoffice', token })
  for (const route of adminRoutes) {
    const path = route.path.replace(':role', 'support').replace(/:\w+/g, nobody)
    const answer = await its.send(route.method, path)
    const mayEnter = areas.includes(areaOf[nameOf(route)] ?? '')
    if (mayEnter) expect([200, 202, 404, 422], `${nameOf(route)} ${answer.text}`).toContain(answer.status)
    else expect(answer, nameOf(route)).toBeError(403, 'admin_required')
  }
})
