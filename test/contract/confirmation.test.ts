import type { RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../src/platform/access/tokens.ts'
import { jwtSecret } from '../support/factories.ts'
import { callsOfEachModule, openStage, type RouteCall } from '../support/route-calls.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'

type Route = { name: string; method: string; config: NonNullable<RouteOptions['config']> }

const routes: Route[] = []
const world = await openWorld({
  watchRoutes: ({ method, url, config = {} }) => {
    const name = `${String(method)} ${url.replace('/api/v1', '').replaceAll(/:(\w+)/g, '{$1}')}`
    routes.push({ name, method: String(method), config })
  },
})
const { db, client } = world
const calls = await callsOfEachModule(await openStage(world))

/** What takes an account, or gives somebody else one: it outlives a stolen token. */
const takingAccounts = [
  'DELETE /me/sessions',
  'DELETE /me/sessions/{id}',
  'POST /me/totp',
  'POST /me/totp/confirm',
  'DELETE /me/totp',
  'POST /me/recovery-codes',
  'POST /me/passkeys/options',
  'POST /me/passkeys',
  'DELETE /me/passkeys/{id}',
  'POST /me/email',
  'POST /me/email/verify',
  'POST /me/keys',
  'POST /me/keys/{id}/rotate',
  'DELETE /me/keys/{id}',
  'POST /admin/users',
  'DELETE /admin/users/{userId}/sessions',
  'POST /admin/users/{userId}/factors/reset',
  'DELETE /admin/users/{userId}/keys/{id}',
]

/** Tokens need no fresh sign-in here: these routes change records, or the API promises them to programs with a token. */
const openToTokens = [
  'PATCH /mairie/acteurs/{acteurId}/acts/{id}/publish',
  'PATCH /mairie/acteurs/{acteurId}/acts/{id}/archive',
  'PATCH /mairie/acteurs/{acteurId}/acts/{id}/occult',
  'POST /admin/communes/{id}/defibrillateurs/sync',
  'POST /admin/defibrillateurs-france/sync',
  'POST /admin/acteurs/{id}/merge',
  'DELETE /admin/import-sources/{id}',
  'POST /me/acteurs/{acteurId}/members',
  'PATCH /me/acteurs/{acteurId}/members/{userId}',
  'POST /admin/communes/{id}/mairie',
  'POST /me/acteurs/{acteurId}/webhooks',
  'PATCH /me/acteurs/{acteurId}/webhooks/{id}',
  'POST /me/acteurs/{acteurId}/webhooks/{id}/rotate',
  'POST /admin/webhooks',
  'PATCH /admin/webhooks/{id}',
  'POST /admin/webhooks/{id}/rotate',
  'PATCH /admin/users/{userId}',
  'POST /admin/users/{userId}/roles',
  'DELETE /admin/users/{userId}/roles/{role}',
  'POST /admin/people/export',
  'POST /admin/people/exports/{id}/download',
  'POST /admin/people/erase',
]

/** Requests that need a confirmation, where the staged call needs none. */
const changed: Record<string, (call: RouteCall) => Partial<RouteCall>> = {
  'POST /admin/communes/{id}/defibrillateurs/sync': ({ path }) => ({ path: `${path}?accept_fall=true` }),
  'POST /admin/defibrillateurs-france/sync': ({ path }) => ({ path: `${path}?accept_fall=true` }),
  'POST /me/acteurs/{acteurId}/members': ({ body }) => ({ body: { ...body, role: 'owner' } }),
  'PATCH /me/acteurs/{acteurId}/members/{userId}': () => ({ body: { role: 'owner' } }),
}

const minutes = 60_000

async function stage(name: string): Promise<RouteCall> {
  const call = (await calls[name]?.()) ?? expect.fail(`${name} has no staged call`)
  return { ...call, ...changed[name]?.(call) }
}

/** Sends the call with a new token of its caller, who signed in at `authenticatedAt`. */
async function sendWithToken({ method }: Route, call: RouteCall, authenticatedAt: Date | null) {
  const { subject, email } = await db
    .selectFrom('users')
    .select(['subject', 'email'])
    .where('id', '=', call.by.id)
    .executeTakeFirstOrThrow()
  const token = await signToken(jwtSecret, subject ?? '', email ?? '', 120, new Date(), authenticatedAt)
  return client({ source: call.by.source, token }).send(method, call.path, call.body)
}

/** Sends the call in a session whose confirmation is over. */
async function sendInSession({ method }: Route, call: RouteCall) {
  const { id, headers } = await openSession(db, call.by.id, { hasShownFactor: true })
  await sql`update sessions set confirmed_until = now() - interval '1 second' where id = ${id}`.execute(db)
  return client({ source: call.by.source }).send(method, call.path, call.body, { headers })
}

const confirming = routes.filter(({ config: { confirms } }) => confirms !== undefined && confirms !== false)
const named = (names: string[]) => confirming.filter(({ name }) => names.includes(name))

test('every route that needs a confirmation says whether a token needs a fresh sign-in', () => {
  const strict = confirming.filter(({ config }) => config.confirmsTokens === true)
  expect(strict.map(({ name }) => name).sort()).toEqual(takingAccounts.toSorted())
  const others = confirming.filter(({ config }) => config.confirmsTokens !== true)
  expect(others.map(({ name }) => name).sort()).toEqual(openToTokens.toSorted())
  expect(
    routes.filter((route) => route.config.confirmsTokens === true && !confirming.includes(route)),
  ).toEqual([])
})

test('every change of addresses, factors, keys and sessions is such a route', () => {
  const ofAccount =
    /^(POST|PUT|PATCH|DELETE) \/(me|admin\/users\/\{userId\})\/(email|totp|passkeys|recovery-codes|factors|keys|sessions)\b/
  const found = routes.filter(({ name }) => ofAccount.test(name)).map(({ name }) => name)
  expect(found.length).toBeGreaterThan(15)
  expect(found.filter((name) => !takingAccounts.includes(name))).toEqual([])
})

describe.each(named(takingAccounts).map((route) => [route.name, route] as const))('%s', (name, route) => {
  test('refuses a token whose owner did not sign in within five minutes', async () => {
    for (const at of [null, new Date(Date.now() - 6 * minutes), new Date(Date.now() + 60 * minutes)]) {
      const call = await stage(name)
      expect(await sendWithToken(route, call, at), String(at)).toBeError(403, 'confirmation_required')
    }
  })

  test('accepts a token whose owner has just signed in', async () => {
    const call = await stage(name)
    const answer = await sendWithToken(route, call, new Date(Date.now() - 3 * minutes))
    expect(answer.status, answer.text).toBeLessThan(300)
  })
})

test.each(named(openToTokens).map((route) => [route.name, route] as const))(
  '%s accepts a token whose owner signed in long ago',
  async (name, route) => {
    const call = await stage(name)
    const answer = await sendWithToken(route, call, new Date(Date.now() - 600 * minutes))
    expect(answer.status, answer.text).toBeLessThan(300)
  },
)

test.each(confirming.map((route) => [route.name, route] as const))(
  '%s refuses a session without a confirmation',
  async (name, route) => {
    expect(await sendInSession(route, await stage(name))).toBeError(403, 'confirmation_required')
  },
)
