// Not on another PostgreSQL, because other files run its statements too.
import { expect, test } from 'vitest'
import { isUuid } from '../../src/platform/formats/uuid.ts'
import type { Answer } from '../support/client.ts'
import { fc } from '../support/fast-check.ts'
import { dereferenced } from '../support/openapi.ts'
import { fitting, idMarks, nearly, type Schema } from '../support/responses/values-of-schema.ts'
import { type Actor, callsOfEachModule, openStage } from '../support/route-calls.ts'
import { isWhole, sampled } from '../support/sample.ts'
import { openWorld } from '../support/world.ts'

/** Requests of each operation, on average. */
const runsOfEach = process.env.PARVIS_TEST_LONG ? 68 : 4
const atOnce = 4

const world = await openWorld({ countsResponses: false })
const document = dereferenced(world.app)
const stage = await openStage(world)

/** Ids seen so far by kind, the latest few, so that requests meet on the same records. */
const ids = new Map<string, string[]>()
const actors: Record<string, Actor> = Object.fromEntries(
  Object.entries(stage).flatMap(([name, one]) => (isActor(one) ? [[name, one]] : [])),
)
/** The callers, and the acteurs that they act for: they stay unchanged, or soon all requests would be refused. */
const kept = new Set([...Object.values(actors).map(({ id }) => id), stage.mairie.hall.id, stage.club.id])

function isActor(one: unknown): one is Actor {
  return typeof one === 'object' && one !== null && 'client' in one && 'source' in one
}

function learn(kind: string, value: unknown): void {
  if (Array.isArray(value)) for (const one of value) learn(kind, one)
  if (typeof value !== 'object' || value === null) return
  for (const [key, one] of Object.entries(value)) {
    const of = key === 'id' ? kind : key.endsWith('_id') ? key.slice(0, -3) : null
    if (of === null || typeof one !== 'string' || !isUuid(one) || kept.has(one)) learn(kindOf(key), one)
    else ids.set(of, [...(ids.get(of) ?? []).filter((other) => other !== one).slice(-15), one])
  }
}

/** `publications` → `publication`, `acteurId` → `acteur`. */
const kindOf = (name: string) =>
  name
    .replace(/_ids?$|Id$/, '')
    .replace(/s$/, '')
    .replaceAll('-', '_')

/** An id of the field's kind, else the path's, else any; sometimes any. */
function idOf(names: string[], number: number): string {
  const all = [...ids.values()].flat()
  const own = number % 8 === 0 ? all : (names.map((name) => ids.get(name)).find(Boolean) ?? all)
  return own[number % own.length] ?? '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
}

type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Operation = {
  method: string
  path: string
  parameters: Parameter[]
  body: Schema | null
}

const components = document.components.schemas as Record<string, Schema>
const follow = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components[schema.$ref.split('/').at(-1) ?? ''] ?? {})

const nameOf = (actor: Actor) => Object.entries(actors).find(([, one]) => one === actor)?.[0] ?? 'admin'

/** A successful call of each route as staged by its module: caller, path values, body. */
type Staged = { by: string; at: Record<string, string>; body: object | undefined }
const staged = new Map<string, Staged>()
for (const [name, make] of Object.entries(await callsOfEachModule(stage))) {
  const { by, path, body } = await make()
  const [route = ''] = name.split('?')
  const names = route.split(' ')[1]?.split('/') ?? []
  const segments = path.split('?')[0]?.split('/') ?? []
  const at = names.flatMap((one, index) =>
    one.startsWith('{') ? [[one.slice(1, -1), segments[index] ?? '']] : [],
  )
  staged.set(route, { by: nameOf(by), at: Object.fromEntries(at), body })
  for (const [index, one] of segments.entries())
    if (isUuid(one)) learn(kindOf(segments[index - 1] ?? ''), { id: one })
}

const all = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Operation => {
    const parameters = (operation.parameters ?? []) as unknown as Parameter[]
    const body = (operation.requestBody?.content?.['application/json']?.schema ?? null) as Schema | null
    return { method: method.toUpperCase(), path: path.replace('/api/v1', ''), parameters, body }
  }),
)
const operations = sampled(all, 1 / 4, ({ method, path }) => `${method} ${path}`)

/** Mostly valid values. */
const mixed = (values: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: values }, { weight: 2, arbitrary: nearly(values) })

const asText = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))
const oddPaths = ['', '.', '%00', '%ff', 'a'.repeat(300), '__proto__', '０', '1;2', '%2e%2e%2f', '%e2%82%82']

/** A request of a route in which every part matches the document, or nearly. */
function requestsOf(operation: Operation) {
  const { method, path, parameters, body } = operation
  const valuesOf = (place: string, kind: (name: string) => string) => {
    const those = parameters.filter((one) => one.in === place)
    return Object.fromEntries(those.map(({ name, schema }) => [name, fitting(schema, kind(name), follow)]))
  }
  const segments = path.split('/')
  const known = staged.get(`${method} ${path}`) ?? { by: 'admin', at: {}, body: undefined }
  const inPath = valuesOf('path', (name) =>
    kindOf(name === 'id' || name === 'slug' ? (segments[segments.indexOf(`{${name}}`) - 1] ?? '') : name),
  )
  const inQuery = valuesOf('query', kindOf)
  const names = Object.keys(inQuery)
  return fc.record({
    method: fc.constant(method),
    path: fc.constant(path),
    at: fc.oneof(
      fc.constant(known.at),
      fc.record(
        Object.fromEntries(
          Object.entries(inPath).map(([name, values]) => [name, mostly(12, values, oddPaths)]),
        ),
      ),
    ),
    query: fc
      .tuple(mixed(fc.record(inQuery)), fc.subarray(names, { maxLength: Math.min(4, names.length) }))
      .map(only),
    body:
      body === null
        ? fc.constant(undefined)
        : mixed(fc.oneof(fc.constant(known.body), fitting(body, '', follow))),
    wrapped: mostly(20, fc.constant(''), wraps),
    by: mostly(6, fc.constant(known.by), Object.keys(actors)),
    headers: mostly(3, fc.constant({}), headers),
  })
}
type Request = ReturnType<typeof requestsOf> extends fc.Arbitrary<infer T> ? T : never

const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, others: T[]) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...others) })

/** Some of the parameters, and some unknown ones. */
function only([values, names]: [unknown, string[]]): [string, unknown][] {
  if (typeof values !== 'object' || values === null) return []
  return Object.entries(values).filter(([key]) => names.includes(key) || key.includes(' '))
}

const wraps = ['__proto__', 'twice', 'cut', 'bom', 'list']
const headers: Record<string, string>[] = [
  { 'if-match': '"1"' },
  { 'if-match': '"999"' },
  { 'if-match': 'W/"1", *' },
  { 'if-none-match': '*' },
  { 'idempotency-key': 'the same' },
  { 'idempotency-key': 'a b' },
  { 'accept-language': 'fr-FR,*;q=0.5' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'text/plain' },
  { authorization: 'Bearer e30.e30.e30' },
  { authorization: 'Basic YTpi' },
  { 'x-app-source': 'nobody-knows' },
  { 'x-app-source': '__proto__' },
  { 'x-app-source': 'public' },
  { accept: 'text/html' },
  { range: 'bytes=0-1' },
]

function bodyOf({ body, wrapped }: Request): string | undefined {
  if (body === undefined) return undefined
  const text = JSON.stringify(body)
  switch (wrapped) {
    case '__proto__':
      return text.replace('{', '{"__proto__":{"role":"admin"},')
    case 'twice':
      return text.replace(/^\{(".*?":)/, '{$1null,$1')
    case 'cut':
      return text.slice(0, -1)
    case 'bom':
      return `\ufeff${text}`
    case 'list':
      return `[${text}]`
    default:
      return text
  }
}

function encoded(text: string): string {
  return oddPaths.includes(text) ? text : encodeURIComponent(text.toWellFormed())
}

const succeeded = new Set<string>()

async function send(request: Request): Promise<void> {
  const { method, path, at, query, by, headers } = request
  const kinds = path.split('/').reverse().map(kindOf)
  const withIds = (text: string) =>
    text.replaceAll(idMarks, (_, name, number) => idOf([kindOf(name), ...kinds], Number(number)))
  const values = at as Record<string, unknown>
  const where = path.replaceAll(/\{(\w+)\}/g, (_, name) => encoded(withIds(String(values[name] ?? 'none'))))
  const pairs = query.map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(withIds(asText(value).toWellFormed().slice(0, 300)))}`,
  )
  const target = pairs.length === 0 ? where : `${where}?${pairs.join('&')}`
  const body = bodyOf(request)
  // The client checks every response against the document and throws.
  const answer = await (actors[by] ?? stage.admin).client.send(method, target, body && withIds(body), {
    headers,
  })
  expectWhole(`${method} ${target} ${body?.slice(0, 300)}`, answer)
  if (answer.status >= 300) return
  succeeded.add(`${method} ${path}`)
  learn(kindOf(path.split('/').findLast((one) => !one.startsWith('{')) ?? ''), answer.body)
}

/** Properties of every response, whatever the route. */
function expectWhole(what: string, { status, headers, text, body }: Answer): void {
  expect(status, `${what} ${text.slice(0, 300)}`).toBeLessThan(500)
  expect(headers.get('x-request-id'), what).toMatch(/^[0-9a-f-]{36}$/)
  if (status < 400) return
  // The pages of the site.
  if (headers.get('content-type')?.startsWith('text/html') && !what.includes(' /api/')) return
  const { error, message, details, ...rest } = body
  expect({ error, message, rest }, what).toEqual({
    error: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/\S/),
    rest: {},
  })
  if (status === 422) expect(details, what).toSatisfy(Array.isArray)
  else expect(details, what).toBeUndefined()
}

test('no request, valid or nearly valid, returns 5xx or a response outside the document', async () => {
  const batches = fc.array(fc.oneof(...operations.map(requestsOf)), {
    minLength: 1,
    maxLength: atOnce,
    size: 'max',
  })
  const property = fc.asyncProperty(batches, async (batch) => {
    await Promise.all(batch.map(send))
  })
  const numRuns = Math.ceil((operations.length * runsOfEach * 2) / (atOnce + 1))
  await fc.assert(property, { numRuns, endOnFailure: true })
  // If all requests were refused early the test would show nothing.
  expect(succeeded.size).toBeGreaterThan(operations.length * (isWhole ? 2 / 3 : 1 / 3))
}, 1_200_000)
