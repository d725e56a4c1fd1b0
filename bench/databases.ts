import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openCluster } from '../src/embedded-postgres/cluster/cluster.ts'
import { clusterNames } from '../src/platform/database/cluster-names.ts'
import type { Connection } from '../src/platform/database/connection.ts'
import { type BenchDatabase, run } from './connections.ts'
import { type Landmarks, makePublications } from './data.ts'
import { makeOthers } from './other-data.ts'
import { folder } from './process.ts'
import { startService } from './service.ts'

export type Filled = { database: BenchDatabase; landmarks: Landmarks; count: number }

export type Databases = {
  /** Returns a writable copy of a database with `count` publications. */
  copy(count: number): Promise<Filled>
  /** Returns the original instead, which is made again the next time: for one of which no second fits on the disk. */
  take(count: number): Promise<Filled>
  /** Creates an empty database. */
  create(name: string): Promise<BenchDatabase>
  drop(name: string): Promise<unknown>
  version: string
  close(): Promise<void>
}

/**
 * Opens the PostgreSQL named by DATABASE_URL, as a superuser, or an embedded one in its own folder. Filled databases
 * are kept as templates until migrations or the generator change.
 */
export async function openDatabases(say: (text: string) => void): Promise<Databases> {
  const { named, root, close } = await openServer()
  const copies: string[] = []
  const [{ server_version: version }] = await run(root, 'show server_version')

  async function create(name: string): Promise<BenchDatabase> {
    await drop(name)
    await run(root, `create database ${name} owner ${named(name).owner.user}`)
    copies.push(name)
    return named(name)
  }
  const drop = (name: string) => run(root, `drop database if exists ${name} with (force)`)

  async function ensureMade(count: number): Promise<{ name: string; landmarks: Landmarks }> {
    const name = `bench_made_${count}`
    const [found] = await run(
      root,
      `select shobj_description(oid, 'pg_database') as made from pg_database where datname = '${name}'`,
    )
    const made = found?.made ? JSON.parse(found.made) : null
    if (made?.digest === digest) return { name, landmarks: made.landmarks }
    say(`Making ${count.toLocaleString('en')} publications and what goes with them, once …`)
    const startedAt = performance.now()
    const database = await create(name)
    copies.pop()
    // The first start migrates and loads the communes.
    await (await startService({ name: 'first-start', database })).stop()
    const landmarks = await makePublications(database.superuser, count)
    await makeOthers(database.superuser, count)
    await run(root, `comment on database ${name} is '${JSON.stringify({ digest, landmarks })}'`)
    say(`… made in ${Math.round((performance.now() - startedAt) / 1_000)} s.`)
    return { name, landmarks }
  }

  return {
    version: version.split(' ')[0],
    create,
    drop,
    async copy(count) {
      const { name: template, landmarks } = await ensureMade(count)
      const name = `bench_${count}`
      await drop(name)
      const { user } = named(name).owner
      await run(root, `create database ${name} owner ${user} template ${template} strategy file_copy`)
      copies.push(name)
      return { database: named(name), landmarks, count }
    },
    async take(count) {
      const { name: made, landmarks } = await ensureMade(count)
      const name = `bench_${count}`
      await drop(name)
      await run(root, `alter database ${made} rename to ${name}`)
      copies.push(name)
      return { database: named(name), landmarks, count }
    },
    async close() {
      // Ignores errors here, so that an earlier one is reported.
      for (const name of copies) await drop(name).catch(() => {})
      await close()
    },
  }
}

/** `root` is connected to a database that always exists. */
async function openServer() {
  const url = process.env.DATABASE_URL
  if (url) {
    const named = (database: string): BenchDatabase => {
      const { host, port, user, password } = new pg.Client({ connectionString: url })
      const all = { host, port, user, password, database } as Connection
      return { superuser: all, owner: all, service: all }
    }
    return { named, root: { connectionString: url }, close: async () => {} }
  }
  const cluster = await openCluster({ dataDir: join(folder, 'data'), names: clusterNames, log: () => {} })
  const named = (database: string): BenchDatabase => ({
    superuser: { ...cluster.superuser, database },
    owner: { ...cluster.owner, database },
    service: { ...cluster.service, database },
  })
  return { named, root: cluster.superuser, close: cluster.stop }
}

const here = (path: string) => join(import.meta.dirname, path)
const migrations = here('../src/platform/database/migrations')
/** A digest of everything that determines the content. */
const digest = hash(
  'sha256',
  [
    here('data.ts'),
    here('other-data.ts'),
    here('words.ts'),
    ...readdirSync(migrations).map((name) => join(migrations, name)),
  ]
    .sort()
    .map((file) => readFileSync(file, 'utf8'))
    .join(),
)
