// Not on another PostgreSQL, because other files run its statements too.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { createConfig, lint } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../support/world.ts'

const { app, url } = await openWorld()
const documentFile = resolve('docs/openapi.json')
const document = JSON.parse(await readFile(documentFile, 'utf8'))
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
type Json = { schema: object; example?: unknown }
type Content = { content?: Record<string, Json> }
type Parameter = { name?: string; required?: boolean; schema?: object }
type Operation = {
  parameters?: Parameter[]
  summary?: string
  tags?: string[]
  security?: object[]
  operationId?: string
  requestBody?: Content
  responses: Record<string, Content>
}

test('the document says what every request needs and who is responsible', () => {
  const { info } = app.server.swagger()
  expect(info).toMatchObject({
    description: expect.stringContaining('X-App-Source'),
    contact: { name: expect.any(String) },
  })
})

test('the committed document equals the served one', async () => {
  expect(await (await fetch(`${url}/docs/openapi.json`)).json()).toEqual(document)
  expect(app.server.swagger()).toEqual(document)
})

test('the catalog of interfaces leads to the document and to what people read', async () => {
  const response = await fetch(`${url}/.well-known/api-catalog`)
  expect(response.headers.get('content-type')).toMatch(/^application\/linkset\+json; profile="[^"]+rfc9727"/)
  const { linkset } = (await response.json()) as { linkset: Record<string, { href: string }[] | string>[] }
  const hrefs = Object.values(linkset[0] ?? {}).flatMap((links) =>
    typeof links === 'string' ? [] : links.map(({ href }) => href),
  )
  expect(hrefs).toContain('/docs/openapi.json')
  for (const href of hrefs) expect((await fetch(`${url}${href}`)).status, href).toBe(200)
})

test('operations share their error responses', () => {
  for (const { name, operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) expect(response, `${name} ${status}`).toHaveProperty('$ref')
    }
  }
})

test("the document passes Redocly's recommended rules", async () => {
  // An address that redirects has no 2xx: the next test looks at that.
  const rules = { 'operation-2xx-response': 'off' } as const
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lint({ ref: documentFile, config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('every operation has a summary, a tag, security, errors, and an example of its body', () => {
  expect(operations.length).toBeGreaterThan(0)
  for (const { name, operation } of operations) {
    expect(operation.summary, name).toBeTruthy()
    expect(operation.operationId, name).toBeTruthy()
    expect(operation.tags, name).toHaveLength(1)
    expect(operation.security, name).toBeDefined()
    expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['500', '503']))
    expect(Object.keys(operation.responses)[0], name).toMatch(/^(2\d\d|302)$/)
    if (operation.requestBody !== undefined)
      expect(Object.values(operation.requestBody.content ?? {})[0], name).toHaveProperty('example')
  }
  const names = operations.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
})

test('every example matches its schema', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  const check = (schema: object, example: unknown, where: string) => {
    const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'))
    expect(ajv.validate(located, example), `${where}: ${ajv.errorsText()}`).toBe(true)
  }
  let checked = 0
  for (const { name, operation } of operations) {
    const { schema, example } = operation.requestBody?.content?.['application/json'] ?? {}
    if (schema === undefined) continue
    check(schema, example, name)
    checked++
  }
  for (const { path, schema } of schemasWithExamples(document, '')) {
    for (const example of schema.examples) check(schema, example, path)
    checked++
  }
  expect(checked).toBeGreaterThan(500)
})

type WithExamples = { path: string; schema: { examples: unknown[] } }

/** Finds every schema with examples: those in examples of others are no schemas. */
function schemasWithExamples(node: unknown, path: string): WithExamples[] {
  if (typeof node !== 'object' || node === null) return []
  const within = Object.entries(node)
    .filter(([key]) => key !== 'example' && key !== 'examples')
    .flatMap(([key, value]) => schemasWithExamples(value, `${path}/${key}`))
  const { examples } = node as { examples?: unknown }
  return Array.isArray(examples) ? [{ path, schema: node as WithExamples['schema'] }, ...within] : within
}

test('no optional parameter has a default or example that documentation pages would prefill', () => {
  const optional = [
    ...operations.flatMap(({ operation }) => operation.parameters ?? []),
    ...Object.values<Parameter>(document.components.parameters),
  ].filter(({ required }) => !required)
  expect(optional.length).toBeGreaterThan(100)
  for (const parameter of optional) {
    expect(parameter).not.toHaveProperty('example')
    expect(parameter.schema ?? {}).not.toHaveProperty('default')
    expect(parameter.schema ?? {}).not.toHaveProperty('example')
  }
})

test('the document is serialised once, has an ETag, and is not sent to a client that has it', async () => {
  const serialise = vi.spyOn(app.server, 'swagger')
  onTestFinished(async () => serialise.mockRestore())
  for (const path of ['/docs/openapi.json', '/docs/json', '/docs/yaml']) {
    const plain = { 'accept-encoding': 'identity' }
    const { headers } = await fetch(`${url}${path}`, { headers: plain })
    const etag = headers.get('etag') ?? ''
    const head = await fetch(`${url}${path}`, { method: 'HEAD', headers: plain })
    expect([
      head.status,
      head.headers.get('etag'),
      Number(head.headers.get('content-length')) > 100_000,
    ]).toEqual([200, etag, true])
    const known = await fetch(`${url}${path}`, { headers: { ...plain, 'if-none-match': etag } })
    expect([known.status, await known.text()]).toEqual([304, ''])
  }
  expect(serialise.mock.calls.length).toBeLessThanOrEqual(1)
})

test.each(['/docs/openapi.json', '/docs/static/swagger-ui-bundle.js', '/docs/static/swagger-ui.css'])(
  '%s is sent compressed by Brotli or gzip, with an ETag for each form',
  async (path) => {
    const forms = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) => {
        const response = await fetch(`${url}${path}`, { headers: { 'accept-encoding': encoding } })
        expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding)
        expect(response.headers.get('vary')).toContain('Accept-Encoding')
        const etag = response.headers.get('etag') ?? ''
        const headers = { 'accept-encoding': encoding, 'if-none-match': etag }
        expect((await fetch(`${url}${path}`, { headers })).status).toBe(304)
        return { etag, size: Number(response.headers.get('content-length')), text: await response.text() }
      }),
    )
    expect(new Set(forms.map(({ etag }) => etag)).size).toBe(3)
    expect(new Set(forms.map(({ text }) => text)).size).toBe(1)
    const [br = 0, gzip = 0, identity = 0] = forms.map(({ size }) => size)
    expect([br < gzip, 3 * gzip < identity]).toEqual([true, true])
  },
)

test('with DOCS=off, /docs and everything below it return 404', async () => {
  const without = await openWorld({ env: { DOCS: 'off' } })
  for (const path of ['', '/', '/openapi.json', '/json', '/static/swagger-ui.css'])
    expect((await fetch(`${without.url}/docs${path}`)).status).toBe(404)
  expect((await without.get('/communes')).status).toBe(200)
})

test('/docs shows the document with its own name and icon and loads nothing from elsewhere', async () => {
  const page = await fetch(`${url}/docs/`)
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain('<title>Parvis</title>')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/https?:|unsafe/)
  const files = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, file = '']) => file)
  expect(files).toContain('./static/theme/icon.svg')
  for (const file of files) {
    const answer = await fetch(new URL(file, `${url}/docs/`))
    expect(`${file} ${answer.status}`).toBe(`${file} 200`)
    if (file.endsWith('.svg')) expect(answer.headers.get('content-type')).toContain('image/svg+xml')
    await answer.arrayBuffer()
  }
  expect((await fetch(`${url}/api/v1/communes`)).headers.get('content-security-policy')).toContain(
    "default-src 'none'",
  )
})

test('requests from /docs send the application that the route is for, unless another is chosen', async () => {
  const { requestInterceptor, ...config } = await pageConfig()
  expect(config).toMatchObject({ tryItOutEnabled: true, layout: 'BaseLayout' })
  expect(await (await fetch(config.url)).json()).toEqual(document)
  const named = (path: string, headers: Record<string, string> = {}) =>
    requestInterceptor({ url: `${url}/api/v1${path}`, headers }).headers['X-App-Source']
  expect(named('/communes')).toBe('public')
  expect(named('/admin/communes?q=x')).toBe('backoffice')
  expect(named(`/mairie/acteurs/${crypto.randomUUID()}/publications`)).toBe('mairie')
  expect(named('/communes', { 'X-App-Source': 'carte' })).toBe('carte')
  expect(requestInterceptor({ url: `${url}/docs/json`, headers: {}, loadSpec: true }).headers).toEqual({})

  const request = requestInterceptor({ url: `${url}/api/v1/communes`, headers: {} })
  expect((await fetch(request.url, request)).status).toBe(200)
})

type Tried = { url: string; headers: Record<string, string>; loadSpec?: boolean }
type PageConfig = { url: string; requestInterceptor(request: Tried): Tried }

/** The configuration the page's script passes to the viewer, evaluated without a browser. */
async function pageConfig(): Promise<PageConfig> {
  const script = await (await fetch(`${url}/docs/static/swagger-initializer.js`)).text()
  const window: { location: { href: string }; onload?: () => void } = { location: { href: `${url}/docs/` } }
  let given: PageConfig | undefined
  const viewer = (config: PageConfig) => {
    given = config
    return { initOAuth: () => {} }
  }
  const SwaggerUIBundle = Object.assign(viewer, { presets: {}, plugins: {} })
  const page = { createElement: () => ({}) }
  runInNewContext(script, { window, document: page, SwaggerUIBundle, SwaggerUIStandalonePreset: {} })
  window.onload?.()
  if (given === undefined) throw new Error('The page gives the viewer nothing.')
  return given
}
