// Not on another PostgreSQL, because other files run its statements too.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Audience } from '../../src/platform/http/http-server.ts'
import type { OpenApiDocument } from '../../src/platform/http/openapi/types.ts'
import { noBody } from '../../src/platform/http/validation/schemas.ts'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { sampled } from '../support/sample.ts'
import { openWorld } from '../support/world.ts'

type Route = {
  method: string
  path: string
  audience: Audience
  params: boolean
  body: boolean
  strict: boolean
}
const signedIn: Audience[] = ['bearer', 'mairie', 'admin']
/** No application is named there. */
const unnamed: Audience[] = ['webhook', 'navigation']

const routes: Route[] = []
const configKeys = new Set<string>()
const world = await openWorld({
  // Registered first in the API's scope: sees every later route.
  watchRoutes: ({ method, url, schema, config }) => {
    if (method === 'HEAD' || config?.scope === undefined) return
    for (const key of Object.keys(config)) configKeys.add(key)
    const body = schema?.body !== undefined && schema.body !== noBody
    const { additionalProperties } = (schema?.querystring ?? {}) as { additionalProperties?: boolean }
    const strict = additionalProperties === false
    const params = schema?.params !== undefined
    routes.push({ method: String(method), path: url, audience: config.scope.audience, params, body, strict })
  },
})

const { client, user, app, db } = world

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const short = (path: string) => path.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')

test('finds routes', () => expect(routes.length).toBeGreaterThan(0))

test('docs/architecture.md explains each key of a config: a misspelt one is none of them', () => {
  const page = readFileSync('docs/architecture.md', 'utf8')
  const [, table = ''] = page.split('And the `config` of a route:')
  const [ofConfig = ''] = table.split('\n## ')
  const explained = [...ofConfig.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, key]) => key),
  )
  expect(explained.length).toBe(13)
  expect([...configKeys].filter((key) => !explained.includes(key))).toEqual([])
})

const at = (path: string) => short(path).replaceAll(/\{\w+\}/g, '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e')

test('each route that requires an application returns 400 without one', async () => {
  for (const { method, path, audience } of routes.filter(
    ({ audience }) => !unnamed.includes(audience) && audience !== 'bearer',
  )) {
    const answer = await client({ source: null }).send(method, at(path))
    expect(answer, `${audience}: ${method} ${path}`).toBeError(400, 'missing_app_source')
  }
})

test('each route that requires a token returns 401 without one', async () => {
  for (const { method, path } of routes.filter(({ audience }) => signedIn.includes(audience))) {
    const answer = await client({ source: 'backoffice' }).send(method, at(path))
    expect(answer, `${method} ${path}`).toBeError(401, 'unauthenticated')
  }
})

test('each route returns 403 for an inactive application', async () => {
  await db.insertInto('app_sources').values({ code: 'off', label: 'Off', active: false }).execute()
  const { token } = await user({ roles: ['admin'] })
  for (const { method, path } of routes.filter(({ audience }) => !unnamed.includes(audience))) {
    const answer = await client({ source: 'off', token }).send(method, at(path))
    expect(answer, `${method} ${path}`).toBeError(403, 'scope_violation')
  }
})

test('each public read returns 304 to a client that has the response', async () => {
  const stage = await openStage(world)
  const calls = Object.entries(await callsOfEachModule(stage))
  const readings = routes.filter(({ audience, method }) => audience === 'public' && method === 'GET')
  for (const { path } of readings) {
    const [, make] = calls.find(([name]) => name.split('?')[0] === `GET ${short(path)}`) ?? []
    const { by, path: where } = (await make?.()) ?? expect.fail(`no call of ${path} is staged`)
    const etag = (await by.client.get(where)).headers.get('etag') ?? ''
    const again = await by.client.get(where, { headers: { 'if-none-match': etag } })
    expect(again.status, path).toBe(304)
  }
})

test('each admin route checks in order: source, token, back-office, area, id, body, record', async () => {
  const { token } = await user({ roles: ['admin'] })
  const { token: nobody } = await user()
  const malformed = (path: string) => short(path).replaceAll(/\{\w+\}/g, 'Mal.formed')
  const ofAdmins = routes.filter(({ audience }) => audience === 'admin')
  for (const { method, path, params, body } of sampled(ofAdmins, 1 / 3, nameOf)) {
    const name = `${method} ${path}`
    const bad = body ? { 'no such field': 1 } : undefined
    const ask = (call: Parameters<typeof client>[0], where = malformed(path)) =>
      client(call).send(method, where, bad)
    expect(await ask({ source: null, token: 'x' }), name).toBeError(400, 'missing_app_source')
    expect(await ask({ source: 'public', token: 'x' }), name).toBeError(401, 'unauthenticated')
    expect(await ask({ source: 'public', token }), name).toBeError(403, 'scope_violation')
    expect(await ask({ source: 'backoffice', token: nobody }), name).toBeError(403, 'admin_required')
    const admin = client({ source: 'backoffice', token })
    // The provider's ids of events have no form.
    const hasForm = params && !path.includes(':event_id')
    if (hasForm) expect(await admin.send(method, malformed(path), bad), name).toBeError(404, 'not_found')
    if (hasForm && body)
      expect(await admin.send(method, malformed(path), '{'), name).toBeError(404, 'not_found')
    if (body) expect(await admin.send(method, at(path), bad), name).toBeError(422, 'validation_failed')
    if (!params) continue
    const example = body ? documented(method, path) : undefined
    const headers = { 'if-match': '"999"' }
    expect(await admin.send(method, at(path), example, { headers }), name).toBeError(404, 'not_found')
  }
})

test('each route of a person returns 404 for an id that has no form', async () => {
  const { token } = await user({ roles: ['admin'] })
  const its = client({ source: 'public', token })
  for (const { method, path, body, params } of routes.filter(({ audience }) => audience === 'bearer')) {
    // The name of a role or a file has another form.
    if (!params || /:(role|file)\b/.test(path)) continue
    const malformed = short(path).replaceAll(/\{\w+\}/g, 'Mal.formed')
    const answer = await its.send(method, malformed, body ? documented(method, path) : undefined)
    expect(answer, `${method} ${path}`).toBeError(404, 'not_found')
  }
})

test('each route except public reads returns 422 for an unknown query parameter', async () => {
  const { mairie, mayor, admin } = await openStage(world)
  const ofMairie = (path: string) =>
    path
      .replace(':acteurId', mairie.hall.id)
      .replace('/mairie/communes/:communeId', `/mairie/communes/${mairie.commune.id}`)
  const lenient = routes.filter(({ strict }) => !strict)
  for (const { method, audience } of lenient)
    expect(`${method} ${audience}`).toMatch(/^GET (public|navigation)$|webhook$/)
  for (const { method, path, body } of routes.filter(({ strict }) => strict)) {
    const { client: its } = path.includes('/mairie/') ? mayor : admin
    const named = path.replace(':role', 'support').replace(':file', '400.webp')
    const ask = (whole: string) =>
      its.send(method, `${at(whole)}?moderation_satus=pending`, body ? documented(method, path) : undefined)
    // A missing mairie comes first.
    if (path.includes('/mairie/')) expect(await ask(named), path).toBeError(404, 'not_found')
    const answer = await ask(ofMairie(named))
    expect(answer, `${method} ${path}`).toBeError(422, 'validation_failed')
    // A required parameter of the route is missing too.
    const fields = answer.body.details.map(({ field }: { field: string }) => field)
    expect(fields, `${method} ${path}`).toContain('moderation_satus')
  }
})

test('each writing route without a body returns 422 for a non-empty one', async () => {
  const { token } = await user({ roles: ['admin'] })
  const its = client({ source: 'backoffice', token })
  const without = routes.filter(({ method, body }) => method !== 'GET' && !body)
  expect(without.length).toBeGreaterThan(0)
  for (const { method, path } of without) {
    const where = at(path.replace(':role', 'support'))
    const answer = await its.send(method, where, { ids: [] })
    // A mairie that does not exist comes first.
    if (path.includes('/mairie/')) {
      expect(answer, path).toBeError(404, 'not_found')
      continue
    }
    expect(answer, `${method} ${path}`).toBeError(422, 'validation_failed')
    expect(answer.body.details[0].field).toBe('ids')
    const empty = await its.send(method, where, {})
    // A path without an id cannot miss a record.
    if (path.includes(':')) expect(empty, `${method} ${path}`).toBeError(404, 'not_found')
    // Some need a session, and some a second factor.
    else expect([200, 201, 202, 401, 409], `${method} ${path}`).toContain(empty.status)
  }
})

test('each writing route returns 400 for an unreadable body and 412 for an outdated version', async () => {
  const { paths } = app.server.swagger() as unknown as OpenApiDocument
  const calls = Object.entries(await callsOfEachModule(await openStage(world)))
  for (const [name, stageCall] of sampled(calls, 1 / 3, ([name]) => name)) {
    const [method = '', path = ''] = name.split('?')[0]?.split(' ') ?? []
    // A webhook checks the signature first.
    if (method === 'GET' || path.startsWith('/webhooks/')) continue
    const call = await stageCall()
    const { headers = {} } = call
    expect(await call.by.client.send(method, call.path, '{', { headers }), name).toBeError(
      400,
      'malformed_request',
    )
    if (!('412' in (paths[`/api/v1${path}`]?.[method.toLowerCase()]?.responses ?? {}))) continue
    const past = { headers: { ...headers, 'if-match': '"999"' } }
    const answer = await call.by.client.send(method, call.path, call.body, past)
    expect(answer, name).toBeError(412, 'precondition_failed')
  }
})

/** The documented, valid example body of a route. */
function documented(method: string, path: string): unknown {
  const { paths } = app.server.swagger() as unknown as OpenApiDocument
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  return Object.values(operation?.requestBody?.content ?? {})[0]?.example
}
