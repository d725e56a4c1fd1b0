import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { Connection } from '../../src/platform/database/connection.ts'
import { run } from '../connections.ts'
import type { Request } from '../load/request.ts'
import { startProcess } from '../process.ts'
import { type Scenario, scenarioNamed } from '../scenarios.ts'
import { secret } from '../service.ts'
import type { World } from '../world.ts'

const token = 'a-token-of-the-administrator-who-measures'
const fields = ['id', 'slug', 'title', 'body', 'acteur_id', 'commune_id', 'moderation_status', 'publie_le']

/** Starts Directus from a folder in which `npm install directus` ran, on an empty database that gets these publications. */
export async function startDirectus(
  { folder, node }: { folder: string; node: string },
  database: Connection,
  publicationsOf: Connection,
) {
  const command = join(folder, 'node_modules/directus/cli.js')
  const environment = environmentOf(database)
  bootstrap([node, command], environment)
  await copyPublications(publicationsOf, database)
  const start = (name: string, isCaching: boolean) =>
    startProcess({
      name,
      node,
      arguments: [command, 'start'],
      env: { ...environment, CACHE_ENABLED: `${isCaching}` },
      readyPath: '/server/ping',
    })
  return { plain: await start('directus', false), caching: await start('directus-caching', true) }
}

function environmentOf({ host = '', port, user, password, database }: Connection) {
  return {
    ...{ DB_CLIENT: 'pg', DB_HOST: host, DB_PORT: `${port}`, DB_USER: `${user}`, DB_PASSWORD: `${password}` },
    ...{ DB_DATABASE: `${database}`, SECRET: secret, TELEMETRY: 'false', LOG_LEVEL: 'warn' },
    ...{ ADMIN_EMAIL: 'bench@example.org', ADMIN_PASSWORD: secret, ADMIN_TOKEN: token },
    ...{
      CACHE_STORE: 'memory',
      CACHE_AUTO_PURGE: 'true',
      RATE_LIMITER_ENABLED: 'false',
      PRESSURE_LIMITER_ENABLED: 'false',
    },
  }
}

function bootstrap([node, command]: [string, string], environment: Record<string, string>): void {
  const { status, stdout, stderr } = spawnSync(node, [command, 'bootstrap'], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`directus bootstrap: ${stdout}${stderr}`)
}

async function copyPublications(source: Connection, target: Connection): Promise<void> {
  await run(
    target,
    `create table publications (
       id uuid primary key, slug text not null unique, title text not null, body text not null, acteur_id uuid not null,
       commune_id uuid, moderation_status text not null, publie_le timestamptz)`,
  )
  const [reader, writer] = [new pg.Client(source), new pg.Client(target)]
  await Promise.all([reader.connect(), writer.connect()])
  const columns = fields.join(', ')
  try {
    await pipeline(
      reader.query(to(`copy (select ${columns} from publications where deleted_at is null) to stdout`)),
      writer.query(from(`copy publications (${columns}) from stdin`)),
    )
  } finally {
    await Promise.all([reader.end(), writer.end()])
  }
  await run(target, 'create index on publications (commune_id, publie_le desc)')
  await run(target, 'create index on publications (acteur_id, publie_le desc)')
  await run(target, 'vacuum analyze publications')
  await run(target, "insert into directus_collections (collection) values ('publications')")
}

/** How Directus is asked for what a scenario of the service asks. */
export const directusScenarios: Pick<Scenario, 'name' | 'requests'>[] = [
  { name: 'one publication, from memory', requests: (world) => [read(`/${world.publications[0]}`)] },
  { name: 'one publication', requests: (world) => world.publications.map((id) => read(`/${id}`)) },
  {
    name: "a commune's publications",
    requests: (world) => world.communes.map(({ id }) => list('commune_id', id)),
  },
  { name: "an acteur's publications", requests: (world) => world.acteurs.map((id) => list('acteur_id', id)) },
  {
    name: 'create a publication',
    requests: (world) =>
      asWrites(world, 'create a publication', ({ body }) => ({
        ...{ method: 'POST', path: '/items/publications' },
        body: {
          ...JSON.parse(body ?? ''),
          ...{ id: crypto.randomUUID(), slug: crypto.randomUUID() },
          ...{ moderation_status: 'pending', publie_le: new Date() },
        },
      })),
  },
  {
    name: 'moderate one',
    requests: (world) =>
      asWrites(world, 'moderate one', ({ path, body }) => ({
        ...{ method: 'PATCH', path: `/items/publications/${path.split('/').at(-2)}` },
        body: JSON.parse(body ?? ''),
      })),
  },
]

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

const read = (path: string): Request => ({
  ...{ method: 'GET', path: `/items/publications${path}` },
  headers: { authorization: headers.authorization },
})

const list = (column: string, id: string) =>
  read(
    `?filter[${column}][_eq]=${id}&filter[moderation_status][_eq]=published&sort=-publie_le&limit=20&meta=filter_count`,
  )

type Write = { method: Request['method']; path: string; body: object }

const asWrites = (world: World, name: string, write: (request: Request) => Write): Request[] =>
  scenarioNamed(name)
    .requests(world)
    .map((request) => {
      const { body, ...rest } = write(request)
      return { ...rest, headers, body: JSON.stringify(body) }
    })
