import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const run = promisify(execFile)
const { app, url, commune } = await openWorld()
const documentFile = resolve('docs/openapi.json')
const document = JSON.parse(await readFile(documentFile, 'utf8'))
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
type Json = { schema: object; example?: unknown }
type Content = { content?: Record<string, Json> }
type Operation = {
  summary?: string
  tags?: string[]
  security?: object[]
  operationId?: string
  requestBody?: Content
  responses: Record<string, Content>
}

test('the committed document is the one the service serves', async () => {
  expect(await (await fetch(`${url}/docs/openapi.json`)).json()).toEqual(document)
  expect(app.server.swagger()).toEqual(document)
})

test("the document is clean under Redocly's recommended rules", async () => {
  const { stderr } = await run(
    'redocly',
    ['lint', documentFile, '--extends', 'recommended', '--max-problems', '100'],
    {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  expect(stderr).toContain('Your API description is valid')
  expect(stderr).not.toContain('warning')
}, 60_000)

test('every operation has a summary, a tag, its security, its errors, and an example of each body', () => {
  expect(operations.length).toBeGreaterThan(0)
  for (const { name, operation } of operations) {
    expect(operation.summary, name).toBeTruthy()
    expect(operation.operationId, name).toBeTruthy()
    expect(operation.tags, name).toHaveLength(1)
    expect(operation.security, name).toBeDefined()
    expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['500', '503']))
    for (const { content } of [operation.requestBody, ...Object.values(operation.responses)].filter(isBody)) {
      expect(content?.['application/json'], name).toHaveProperty('example')
    }
  }
  const names = operations.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
})

test('every example fits its schema', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  for (const { name, operation } of operations) {
    for (const body of [operation.requestBody, ...Object.values(operation.responses)].filter(isBody)) {
      const { schema, example } = body.content?.['application/json'] ?? {}
      const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'))
      expect(ajv.validate(located, example), `${name}: ${ajv.errorsText()}`).toBe(true)
    }
  }
})

test('/docs shows the document, and is the only page that may run scripts', async () => {
  const page = await fetch(`${url}/docs/`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('swagger-ui')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect((await fetch(`${url}/api/v1/communes`)).headers.get('content-security-policy')).toContain(
    "default-src 'none'",
  )
})

test('a client generated from the document compiles and reads communes', async () => {
  const { slug } = await commune({ nom: 'Beynost' })
  const folder = await mkdtemp(join(tmpdir(), 'parvis-client-'))
  try {
    await run('openapi-typescript', [documentFile, '--output', join(folder, 'api.d.ts')])
    await writeFile(join(folder, 'client.ts'), client)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await symlink(resolve('node_modules'), join(folder, 'node_modules'))
    const options = [
      '--ignoreConfig',
      '--strict',
      '--noEmit',
      '--target',
      'esnext',
      '--module',
      'nodenext',
      '--types',
      'node',
    ]
    await run('tsc', [
      ...options,
      '--allowImportingTsExtensions',
      '--skipLibCheck',
      join(folder, 'client.ts'),
    ])
    const { stdout } = await run('node', [join(folder, 'client.ts'), url, slug])
    expect(stdout.trim()).toBe('Beynost')
  } finally {
    await rm(folder, { recursive: true })
  }
}, 60_000)

const isBody = (body: Content | undefined): body is Content => body?.content !== undefined

const client = `
import type { paths } from './api.d.ts'
type Read = paths['/api/v1/communes/{slug}']['get']['responses'][200]['content']['application/json']
const [, , url, slug] = process.argv
const response = await fetch(url + '/api/v1/communes/' + slug, { headers: { 'X-App-Source': 'public' } })
const { data } = (await response.json()) as Read
const population: number | null = data.population
// @ts-expect-error a field the document does not have
data.nonsense
console.log(data.nom, population ?? '')
`
