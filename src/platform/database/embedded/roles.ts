import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, DatabaseError } from 'pg'
import { StartError } from '../../start-error.ts'
import { whileConnected } from '../while-connected.ts'
import type { ClusterConnections } from './connections.ts'
import { type Launch, ownStalePid } from './postmaster.ts'
import { spawnOptions } from './runner.ts'

/** Two roles and a database, made or completed; every start does it all, so a crash in between needs no repair. */
export async function prepareRoles({ superuser, owner, service }: ClusterConnections): Promise<void> {
  const client = new Client(superuser)
  await whileConnected(client, async () => {
    await client.connect()
    const existing = await listNames(client, 'SELECT rolname AS name FROM pg_roles')
    for (const { user, password } of [owner, service]) {
      // The owner clones templates in tests; the service owns nothing.
      const rights = user === owner.user ? 'CREATEDB' : 'NOCREATEDB'
      const verb = existing.includes(user) ? 'ALTER' : 'CREATE'
      await client.query(`${verb} ROLE ${user} LOGIN ${rights} PASSWORD ${client.escapeLiteral(password)}`)
    }
    const databases = await listNames(client, 'SELECT datname AS name FROM pg_database')
    if (!databases.includes(owner.database)) {
      await client.query(`CREATE DATABASE ${owner.database} OWNER ${owner.user}`)
    }
    await client.query(`REVOKE ALL ON DATABASE ${owner.database} FROM PUBLIC`)
    await client.query(`GRANT CONNECT ON DATABASE ${owner.database} TO ${service.user}`)
  }).finally(() => client.end())
}

/** The secrets were lost, or brought back from elsewhere. */
export function isPasswordRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '28P01'
}

/** Whoever holds the files holds the database: single-user mode asks for no password. */
export async function resetSuperuser({ binaries, place, runner, superuser }: Launch): Promise<void> {
  const child = spawn(binaries.postgres, ['--single', '-D', place.data, superuser.database], {
    ...spawnOptions(runner, ownStalePid(place.data)),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.on('error', () => {}) // Its end tells more.
  child.stdin.end(`ALTER ROLE ${superuser.user} PASSWORD '${superuser.password}'\n`)
  const [status] = await once(child, 'close')
  if (status !== 0)
    throw new StartError(`The passwords of the database in ${place.data} could not be set anew.`)
}

async function listNames(client: Client, query: string): Promise<string[]> {
  return (await client.query<{ name: string }>(query)).rows.map((row) => row.name)
}
