import Type from 'typebox'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { mairiePaths } from '../../modules/acteurs/mairies.ts'
import * as audiences from './audiences.ts'
import type { HttpServer, SignedInScope } from './http-server.ts'

const { get, db, client, user, acteur } = await openWorld({
  extraRoutes: (api, deps) => {
    const answer =
      (name: string, path = name) =>
      (scope: Pick<HttpServer, 'get'> | SignedInScope) => {
        const response = { 200: Type.Unknown() }
        const schema = { operationId: `see_${name}`, summary: name, tags: ['communes'], response }
        ;(scope as HttpServer).get(
          `/test/${path}`,
          { schema, config: { caching: { never: 'test' } } },
          async ({ caller }) => caller?.source ?? {},
        )
      }
    audiences.publicReads(api, deps, answer('public'))
    audiences.bearer(api, deps, answer('bearer'))
    audiences.mairie(api, deps, mairiePaths.acteur, answer('mairie', 'mairie/:acteurId'))
    audiences.admin(api, deps, 'communes', answer('admin'))
    audiences.webhook(api, answer('webhook'))
  },
})

type Open = typeof audiences.bearer
const writesOfMairie: Open = (api, deps, routes) => audiences.mairie(api, deps, mairiePaths.acteur, routes)
const officeWrites: Open = (api, deps, routes) => audiences.admin(api, deps, null, routes)
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

test('a public route requires X-App-Source and treats an empty one as missing', async () => {
  for (const source of [null, '', '  '])
    expect(await get('/test/public', { source })).toBeError(400, 'missing_app_source')
})

test('a public route ignores Authorization', async () => {
  expect((await get('/test/public', { token: 'nonsense' })).status).toBe(200)
})

test('an unknown source counts as public, an inactive one is refused, a restricted one limits the communes', async () => {
  const commune = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
  await db
    .insertInto('app_sources')
    .values([
      { code: 'closed', label: 'Closed', active: false },
      { code: 'bresse', label: 'Bresse', commune_ids: [commune] },
    ])
    .execute()
  expect((await get('/test/public', { source: 'who-knows' })).body).toEqual({
    code: 'public',
    communeIds: null,
  })
  expect((await get('/test/public', { source: 'Bresse' })).body).toEqual({
    code: 'bresse',
    communeIds: [commune],
  })
  expect(await get('/test/public', { source: 'closed' })).toBeError(403, 'scope_violation')
})

test('bearer, mairie and admin routes return 401 without a valid token, after the source check', async () => {
  for (const audience of ['bearer', `mairie/${nobody}`, 'admin']) {
    for (const token of [undefined, 'nonsense']) {
      const answer = await get(`/test/${audience}`, { source: 'backoffice', ...(token && { token }) })
      expect(answer).toBeError(401, 'unauthenticated')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  }
  expect(await get('/test/bearer', { source: null })).toBeError(401, 'unauthenticated')
  for (const audience of [`mairie/${nobody}`, 'admin']) {
    expect(await client({ source: null }).get(`/test/${audience}`)).toBeError(400, 'missing_app_source')
  }
})

test('admin routes check the token, then the application, then the area, then the id', async () => {
  const { token } = await user()
  const wrong = { source: 'closed' }
  expect(await get('/admin/acteurs/x', wrong)).toBeError(401, 'unauthenticated')
  expect(await get('/admin/acteurs/x', { ...wrong, token })).toBeError(403, 'scope_violation')
  expect(await get('/admin/acteurs/x', { source: 'public', token })).toBeError(403, 'scope_violation')
  expect(await get('/admin/acteurs/x', { source: 'backoffice', token })).toBeError(403, 'admin_required')
})

test('mairie routes check the token, then the application, then the id, then membership', async () => {
  const { token } = await user()
  const { id } = await acteur()
  const [path, malformed] = [`/mairie/acteurs/${id}/publications`, '/mairie/acteurs/x/publications']
  expect(await get(malformed, { source: 'closed' })).toBeError(401, 'unauthenticated')
  expect(await get(malformed, { source: 'closed', token })).toBeError(403, 'scope_violation')
  expect(await get(malformed, { source: 'public', token })).toBeError(404, 'not_found')
  expect(await get(path, { source: 'public', token })).toBeError(403, 'scope_violation')
})

test('a webhook route requires neither token nor application', async () => {
  expect((await get('/test/webhook', { source: null })).status).toBe(200)
})

test('a route without an audience prevents the start', async () => {
  const add = (routes: (api: HttpServer, deps: audiences.AudienceDeps) => void) =>
    openWorld({ extraRoutes: routes })
  await expect(add((api) => api.get('/bare', async () => ({})))).rejects.toThrow('declares no right')
  const schema = { operationId: 'bare', summary: 'Bare' }
  await expect(
    add((api, deps) =>
      audiences.mairie(api, deps, mairiePaths.acteur, (scope) =>
        scope.get('/mairie/:communeId/bare', { schema }, async () => ({})),
      ),
    ),
  ).rejects.toThrow('its path needs :acteurId')
  for (const open of [audiences.bearer, writesOfMairie, officeWrites]) {
    await expect(
      add((api, deps) =>
        open(api, deps, (scope) => scope.post('/:acteurId/bare', { schema }, async () => ({}))),
      ),
    ).rejects.toThrow('names no rule: give its config `needs`')
  }
  await expect(
    add((api, deps) =>
      audiences.bearer(api, deps, (scope) =>
        scope.post('/bare', { schema, config: { needs: 'bare.write' } }, async () => ({})),
      ),
    ),
  ).rejects.toThrow('needs bare.write, which no module defines')
  await expect(
    add((api, deps) =>
      audiences.publicReads(api, deps, (scope) => {
        scope.get('/bare', { schema, config: { refusals: ['nonsense'] } }, async () => ({}))
      }),
    ),
  ).rejects.toThrow('refuses with nonsense, which no module explains')
  await expect(
    add((api, deps) =>
      audiences.publicReads(api, deps, (scope) => {
        scope.get('/bare', { schema }, async () => ({}))
      }),
    ),
  ).rejects.toThrow('give its config `caching`')
  await expect(
    add((api, deps) =>
      audiences.publicReads(api, deps, (scope) => {
        scope.get('/bare', async () => ({}))
      }),
    ),
  ).rejects.toThrow('needs an operationId and a summary')
})
