// Not on another PostgreSQL, because other files run its statements too.
import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { roles } from '../../src/platform/access/areas.ts'
import { dereferenced } from '../support/openapi.ts'
import { isWhole, sampled } from '../support/sample.ts'
import { openWorld } from '../support/world.ts'
import { type Attempt, type Caller, type Kind, kindsOf } from './can.kinds.ts'

const adminRoutes: string[] = []
const world = await openWorld({
  watchRoutes: ({ method, url, config }: RouteOptions) => {
    if (method === 'HEAD' || method === 'GET' || config?.scope?.audience !== 'admin') return
    adminRoutes.push(`${String(method)} ${url.replace('/api/v1', '').replaceAll(/:(\w+)/g, '{$1}')}`)
  },
})
const { db, user, client, app } = world
const kinds = await kindsOf(world)

const callers: Caller[] = await Promise.all(
  roles.map(async (name) => {
    const { id, email, token } = await user({ roles: [name] })
    return { name, id, email: String(email), client: client({ source: 'backoffice', token }) }
  }),
)

const cases = Object.entries(kinds).flatMap(([name, kind]) =>
  Object.entries(kind.states).map(([state, make]) => [name, state, kind, make] as const),
)

/** Actions that some caller could do in some state. */
const seen = new Set<string>()

test.each(sampled(cases, 1 / 4, ([name, state]) => `${name} ${state}`))(
  '%s, %s: `can` names exactly the actions that change something',
  async (name, _, kind, make) => {
    await Promise.all(
      callers.map(async (caller) => {
        const id = await make(caller)
        const can = await canOf(kind, caller, id)
        const done: string[] = []
        for (const [action, attempts] of Object.entries(kind.actions)) {
          // An action that is not in `can` does not change the record.
          const its = can.includes(action) ? await make(caller) : id
          if (await changes(kind, caller, its, attempts)) done.push(action)
        }
        expect(done.sort(), caller.name).toEqual(can.toSorted())
        for (const action of can) seen.add(`${name} ${action}`)
      }),
    )
  },
)

/** Reads `can` of a record, the same on every path; empty if the caller can see it on none. */
async function canOf({ at }: Kind, caller: Caller, id: string): Promise<string[]> {
  const [first = [], ...others] = await Promise.all(
    at.map(async (pathOf): Promise<string[]> => {
      const answer = await caller.client.get(pathOf(id, caller))
      const { data = [] } = answer.body
      const row = Array.isArray(data) ? data.find((row: { id: string }) => row.id === id) : data
      return row?.can ?? []
    }),
  )
  for (const other of others) expect(other).toEqual(first)
  return first
}

/** Returns whether one of these requests returns 2xx and changes the record. */
async function changes({ stored }: Kind, caller: Caller, id: string, attempts: Attempt[]): Promise<boolean> {
  const read = async () => JSON.stringify((await stored(id).execute(db)).rows)
  const before = await read()
  let isDone = false
  for (const { route, body, path: pathOf } of attempts) {
    if (isDone) break
    const [method = '', path = ''] = route.split(' ')
    const target =
      pathOf?.(id) ?? path.replace(/{(id|userId|code|event_id)}/, id).replace('{role}', 'support')
    const answer = await caller.client.send(method, target, await body?.(id))
    expect(answer.status, `${route} ${answer.text}`).toBeLessThan(500)
    isDone = answer.status < 300 && (await read()) !== before
  }
  expect((await read()) !== before, attempts[0]?.route).toBe(isDone)
  return isDone
}

/** Routes with a record in their path that change none which has `can`. */
const besides = [
  'POST /admin/communes/{id}/defibrillateurs/sync',
  'POST /admin/templates/{id}/preview',
  'DELETE /admin/users/{userId}/keys/{id}',
  // The same in every state: a webhook that is disabled refuses a test.
  'PATCH /admin/webhooks/{id}',
  'DELETE /admin/webhooks/{id}',
  'POST /admin/webhooks/{id}/rotate',
  'POST /admin/webhooks/{id}/test',
  'POST /admin/webhooks/{id}/deliveries/{deliveryId}/resend',
]

test('each route that changes a record is an allowed action, named after its last segment or its verb', () => {
  const attempts = Object.values(kinds).flatMap(({ actions }) => Object.entries(actions))
  const routes = attempts.flatMap(([action, tried]) => tried.map(({ route }) => [route, action] as const))
  for (const [route, action] of routes) expect(wordOf(route), route).toBe(action)
  const ofRecords = adminRoutes.filter((route) => route.includes('{') && !besides.includes(route))
  const named = Object.entries(kinds).flatMap(([name, { actions }]) =>
    Object.keys(actions).map((action) => `${name} ${action}`),
  )
  const missing = new Set(named).difference(seen)
  expect([...seen].filter((action) => !named.includes(action))).toEqual([])
  if (isWhole) expect([...missing]).toEqual([])
  expect(new Set(routes.map(([route]) => route).filter((route) => route.includes('/admin/')))).toEqual(
    new Set(ofRecords),
  )
})

function wordOf(route: string): string {
  const [method, path = ''] = route.split(' ')
  const all = path.split('/')
  const record = all.includes('{id}') ? '{id}' : all.find((word) => word.startsWith('{'))
  const words = all.slice(all.indexOf(record ?? '') + 1)
  const last = words.findLast((word) => !word.startsWith('{'))
  return last ?? (method === 'DELETE' ? 'delete' : 'edit')
}

test.each(Object.entries(kinds))('the document lists the actions on a %s', (_, { titles, actions }) => {
  const schemas = dereferenced(app).components.schemas as Record<string, Shown>
  for (const title of titles)
    expect(schemas[title]?.properties.can?.items.enum.toSorted(), title).toEqual(Object.keys(actions).sort())
})

type Shown = { properties: { can?: { items: { enum: string[] } } } }
