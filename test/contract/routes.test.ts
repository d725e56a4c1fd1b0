import { expect, test } from 'vitest'
import type { Audience } from '../../src/platform/http/http-server.ts'
import type { OpenApiDocument } from '../../src/platform/http/openapi/document.ts'
import { noBody } from '../../src/platform/http/schemas.ts'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
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

const routes: Route[] = []
const world = await openWorld({
  // First in the API's scope: sees each route that comes after.
  watchRoutes: ({ method, url, schema, config }) => {
    if (method === 'HEAD' || config?.audience === undefined) return
    const body = schema?.body !== undefined && schema.body !== noBody
    const { additionalProperties } = (schema?.querystring ?? {}) as { additionalProperties?: boolean }
    const strict = additionalProperties === false
    const params = schema?.params !== undefined
    routes.push({ method: String(method), path: url, audience: config.audience, params, body, strict })
  },
})

const { client, user, app, db } = world

const short = (path: string) => path.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')

test('there are routes', () => expect(routes.length).toBeGreaterThan(0))

const at = (path: string) => short(path).replaceAll(/\{\w+\}/g, '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e')

test('each route that needs the application named answers 400 without it', async () => {
  for (const { method, path, audience } of routes.filter(
    ({ audience }) => audience !== 'webhook' && audience !== 'bearer',
  )) {
    const answer = await client({ source: null }).send(method, at(path))
    expect(answer, `${audience}: ${method} ${path}`).toBeError(400, 'missing_app_source')
  }
})

test('each route that needs a token answers 401 without one', async () => {
  for (const { method, path } of routes.filter(({ audience }) => signedIn.includes(audience))) {
    const answer = await client({ source: 'backoffice' }).send(method, at(path))
    expect(answer, `${method} ${path}`).toBeError(401, 'unauthenticated')
  }
})

test('each route answers 403 in an application that is switched off', async () => {
  await db.insertInto('app_sources').values({ code: 'off', label: 'Off', active: false }).execute()
  const { token } = await user({ roles: ['admin'] })
  for (const { method, path } of routes.filter(({ audience }) => audience !== 'webhook')) {
    const answer = await client({ source: 'off', token }).send(method, at(path))
    expect(answer, `${method} ${path}`).toBeError(403, 'scope_violation')
  }
})

test('each public reading answers 304 to who has the answer already', async () => {
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

test('each admin route keeps the order of checks: source, token, back-office, area, id, body, record', async () => {
  const { token } = await user({ roles: ['admin'] })
  const { token: nobody } = await user()
  const malformed = (path: string) => short(path).replaceAll(/\{\w+\}/g, 'malformed')
  for (const { method, path, params, body } of routes.filter(({ audience }) => audience === 'admin')) {
    const name = `${method} ${path}`
    const bad = body ? { 'no such field': 1 } : undefined
    const ask = (call: Parameters<typeof client>[0], where = malformed(path)) =>
      client(call).send(method, where, bad)
    expect(await ask({ source: null, token: 'x' }), name).toBeError(400, 'missing_app_source')
    expect(await ask({ source: 'public', token: 'x' }), name).toBeError(401, 'unauthenticated')
    expect(await ask({ source: 'public', token }), name).toBeError(403, 'scope_violation')
    expect(await ask({ source: 'backoffice', token: nobody }), name).toBeError(403, 'admin_required')
    const admin = client({ source: 'backoffice', token })
    if (params) expect(await admin.send(method, malformed(path), bad), name).toBeError(404, 'not_found')
    if (params && body)
      expect(await admin.send(method, malformed(path), '{'), name).toBeError(404, 'not_found')
    if (body) expect(await admin.send(method, at(path), bad), name).toBeError(422, 'validation_failed')
    if (!params) continue
    const example = body ? documented(method, path) : undefined
    const headers = { 'if-match': '"999"' }
    expect(await admin.send(method, at(path), example, { headers }), name).toBeError(404, 'not_found')
  }
})

test('each route but the public readings answers 422 to a parameter of the query that it does not know', async () => {
  const { token } = await user({ roles: ['admin'] })
  const its = client({ source: 'backoffice', token })
  const lenient = routes.filter(({ strict }) => !strict)
  for (const { method, audience } of lenient) expect(`${method} ${audience}`).toMatch(/^GET public$|webhook$/)
  for (const { method, path, body } of routes.filter(({ strict }) => strict)) {
    const where = `${at(path.replace(':role', 'support'))}?moderation_satus=pending`
    const answer = await its.send(method, where, body ? documented(method, path) : undefined)
    // A mairie that is not there comes first.
    if (path.includes('/mairie/')) expect(answer, path).toBeError(404, 'not_found')
    else {
      expect(answer, `${method} ${path}`).toBeError(422, 'validation_failed')
      expect(answer.body.details[0].field).toBe('moderation_satus')
    }
  }
})

test('each writing route that takes no body answers 422 to one that says something', async () => {
  const { token } = await user({ roles: ['admin'] })
  const its = client({ source: 'backoffice', token })
  const without = routes.filter(({ method, body }) => method !== 'GET' && !body)
  expect(without.length).toBeGreaterThan(0)
  for (const { method, path } of without) {
    const where = at(path.replace(':role', 'support'))
    const answer = await its.send(method, where, { ids: [] })
    expect(answer, `${method} ${path}`).toBeError(422, 'validation_failed')
    expect(answer.body.details[0].field).toBe('ids')
    const empty = await its.send(method, where, {})
    // Where the path names no record, none is missing.
    if (path.includes(':')) expect(empty, `${method} ${path}`).toBeError(404, 'not_found')
    else expect(empty.status, `${method} ${path}`).toBeLessThan(300)
  }
})

test('each writing route answers 400 to a body that cannot be read, and 412 to a version that is past', async () => {
  const { paths } = app.server.swagger() as unknown as OpenApiDocument
  for (const [name, stageCall] of Object.entries(await callsOfEachModule(await openStage(world)))) {
    const [method = '', path = ''] = name.split('?')[0]?.split(' ') ?? []
    // A webhook looks at the signature first.
    if (method === 'GET' || path.startsWith('/webhooks/')) continue
    const call = await stageCall()
    expect(await call.by.client.send(method, call.path, '{'), name).toBeError(400, 'malformed_request')
    if (!('412' in (paths[`/api/v1${path}`]?.[method.toLowerCase()]?.responses ?? {}))) continue
    const past = { headers: { 'if-match': '"999"' } }
    const answer = await call.by.client.send(method, call.path, call.body, past)
    expect(answer, name).toBeError(412, 'precondition_failed')
  }
})

/** The body that the document shows for a route: a good one. */
function documented(method: string, path: string): unknown {
  const { paths } = app.server.swagger() as unknown as OpenApiDocument
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  return operation?.requestBody?.content?.['application/json']?.example
}
