// Not on another PostgreSQL, because other files run its statements too.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { insertDefibrillateur } from '../../src/modules/defibrillateurs/defibrillateurs.test-kit.ts'
import { png } from '../../src/modules/media/media.test-kit.ts'
import {
  insertPublication,
  insertPublications,
} from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'

/* The package is made and installed in an empty folder, and each recipe of its README runs there as it is written. */
const run = promisify(execFile)
const modules = join(import.meta.dirname, '../../node_modules')
const folder = mkdtempSync(join(tmpdir(), 'parvis-client-'))
afterAll(() => rmSync(folder, { recursive: true }))

const packed = await run(process.execPath, [join(import.meta.dirname, '../../tools/client/main.ts'), folder])
const file = packed.stdout.trim()
// Links to what it needs, so that nothing is downloaded.
const needed = ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks', '@types/node']
writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
await run('npm', ['install', '--offline', file, ...needed.map((name) => join(modules, name))], {
  cwd: folder,
})
const readme = readFileSync(join(folder, 'node_modules/@parvis/client/README.md'), 'utf8')
const recipes = [...readme.matchAll(/^```ts\n(\/\/ ([\w.]+)[\s\S]*?)^```$/gm)].map(([, code, name]) => {
  writeFileSync(join(folder, `${name}`), `${code}`)
  return `${name}`
})

const world = await openWorld()
const { db, acteur, commune, user } = world
const town = await commune({ nom: 'Saint-Martin-le-Vinoux', departement: '38' })
const club = await acteur({ nom: 'Comité des fêtes', valide: true, commune_id: town.id })
const member = await user({ memberships: [{ acteur: club, role: 'owner' }] })
const session = world.client({ source: 'public', headers: (await openSession(db, member.id)).headers })
const scopes = ['publication.read', 'publication.write', 'media.write', 'own.read']
const made = await session.post('/me/keys', { name: 'Recettes', scopes })
const PARVIS_KEY: string = made.body.data.key

type Settings = { args?: string[]; env?: Record<string, string> }
const start = (recipe: string, { args = [], env = {} }: Settings) =>
  spawn(process.execPath, [join(folder, recipe), ...args], {
    env: { PATH: process.env.PATH, PARVIS_URL: world.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Runs a recipe to its end and returns the lines that it printed. */
async function printed(recipe: string, settings: Settings = {}): Promise<string[]> {
  const program = start(recipe, settings)
  const [out, err, [code]] = await Promise.all([
    buffer(program.stdout),
    buffer(program.stderr),
    once(program, 'close'),
  ])
  expect(code, `${err}`).toBe(0)
  return `${out}`.trim().split('\n')
}

test('the package has one dependency and no code but its own', async () => {
  const { stdout } = await run('tar', ['tzf', file])
  const files = ['LICENSE', 'README.md', 'api.d.ts', 'index.d.ts', 'index.js', 'package.json']
  expect(stdout.trim().split('\n').sort()).toEqual(files.map((name) => `package/${name}`))
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@parvis/client/package.json'), 'utf8'))
  expect(manifest.dependencies).toEqual({ 'openapi-fetch': dependencies['openapi-fetch'] })
})

test('its README has ten recipes, which a strict compiler accepts, and it refuses a wrong one', async () => {
  expect(recipes).toHaveLength(11)
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes']
  const options = ['--noEmit', '--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node']
  const tsc = [join(modules, 'typescript/bin/tsc'), ...strict, ...options, '--ignoreConfig']
  const check = (files: string[]) =>
    run(process.execPath, [...tsc, ...files], { cwd: folder }).catch((error) => error)
  expect((await check(recipes)).stdout).toBe('')
  const wrong = `import { parvis } from './parvis.ts'\nawait parvis.GET('/api/v1/communes', { params: { query: { page: 'un' } } })\n`
  writeFileSync(join(folder, 'wrong.ts'), wrong)
  expect((await check(['wrong.ts'])).stdout).toContain('wrong.ts(2,')
})

test('public recipes print what the service has', async () => {
  const gala = { commune_id: town.id, acteur_id: club.id, title: 'Gala', date_debut: '2099-12-05' }
  await insertPublication(world, { ...gala, date_fin: '2099-12-05', heure_debut: '20:30' })
  await insertDefibrillateur(db, { nom: 'Gymnase', latitude: 45.61, longitude: 4.05 })
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  const glass = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', dates: [soon] }
  const never = { jours: [], toutes_les_semaines: 1, exceptions: '[]', position: 0 }
  await db
    .insertInto('collectes')
    .values({ id: uuidv7(), commune_id: town.id, ...glass, ...never } as never)
    .execute()
  const of = (recipe: string, ...args: string[]) => printed(recipe, { args })
  expect(await of('communes.ts', 'saint martin')).toEqual([`${town.id} Saint-Martin-le-Vinoux 38`])
  expect(await of('publications.ts', town.id)).toEqual(['Gala (Comité des fêtes)'])
  expect(await of('agenda.ts', town.id, '2099-12-01')).toEqual(['2099-12-05 20:30 Gala'])
  expect(await of('bins.ts', town.id)).toEqual([expect.stringMatching(`^Verre +${soon}\\??$`)])
  expect(await of('defibrillator.ts', '45.61', '4.05')).toEqual(['Gymnase, 0 m'])
})

test('a recipe walks a list of several pages to its end', async () => {
  await insertPublications(
    world,
    Array.from({ length: 230 }, (_, index) => ({ title: `Ancienne ${index}` })),
  )
  const lines = await printed('copy.ts', { args: ['2020-01-01T00:00:00Z'] })
  const all = await db
    .selectFrom('publications')
    .select('id')
    .where('moderation_status', '=', 'published')
    .execute()
  expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(all.map(({ id }) => id).sort())
})

test('a key publishes a text, which waits for review, and a picture', async () => {
  const env = { PARVIS_KEY }
  const args = [club.id, 'Fête de la pomme', 'Sur la place.']
  const [line] = await printed('publish.ts', { args, env })
  expect(line).toMatch(/^[0-9a-f-]{36} pending$/)
  writeFileSync(join(folder, 'fete.png'), await png())
  const [picture] = await printed('picture.ts', {
    args: [club.id, join(folder, 'fete.png'), 'Des pommes'],
    env,
  })
  expect(picture).toMatch(/^[0-9a-f-]{36} Des pommes$/)
})

test('a webhook is accepted with the signature of its secret only', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const receiver = start('webhook.ts', { env: { WEBHOOK_SECRET: secret, PORT: '0' } })
  try {
    const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
    const port = /port: (\d+)/.exec((await untilLine(lines, 'port:')) ?? '')?.[1]
    const body = JSON.stringify({ type: 'webhook.test', data: { id: '1', url: 'https://parvis.example/1' } })
    const send = (signedWith: string) => {
      const at = new Date()
      const headers = {
        'webhook-id': 'm1',
        'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
        'webhook-signature': new Webhook(signedWith).sign('m1', at, body),
      }
      return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
    }
    expect((await send('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')).status).toBe(400)
    expect((await send(secret)).status).toBe(204)
    expect(await untilLine(lines, 'webhook.test')).toBe('m1 webhook.test https://parvis.example/1')
  } finally {
    receiver.kill()
  }
})

async function untilLine(lines: AsyncIterator<string>, words: string): Promise<string | undefined> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done || value.includes(words)) return value
  }
}

test('a recipe reads again after a 412 and waits after a 429', async () => {
  const values = { acteur_id: club.id, commune_id: town.id, title: 'Loto' }
  const { id } = await insertPublication(world, values)
  // Between the recipe and the service: a colleague changes the title first, then the limit is reached once.
  let changes = 0
  const between = createServer(async (request, response): Promise<void> => {
    const { authorization = '', 'if-match': match, 'content-type': type } = request.headers
    const body = await buffer(request)
    const isChange = request.method === 'PATCH'
    if (isChange) changes += 1
    if (isChange && changes === 2)
      return void response.writeHead(429, { 'retry-after': '0' }).end('{"error":"rate_limited","message":""}')
    if (isChange && changes === 1)
      await db.updateTable('publications').set({ title: 'Grand loto' }).where('id', '=', id).execute()
    const headers = new Headers({ authorization, 'x-app-source': 'public' })
    if (match) headers.set('if-match', match)
    if (type) headers.set('content-type', type)
    const asked = { method: `${request.method}`, headers, ...(isChange && { body }) }
    const answer = await fetch(`${world.url}${request.url}`, asked)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }).listen(0, '127.0.0.1')
  try {
    await once(between, 'listening')
    const PARVIS_URL = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
    const lines = await printed('rename.ts', { args: [id, '(complet)'], env: { PARVIS_KEY, PARVIS_URL } })
    expect(lines).toEqual(['read again', 'wait 0 s', 'Grand loto (complet)'])
  } finally {
    between.closeAllConnections()
    between.close()
  }
})
