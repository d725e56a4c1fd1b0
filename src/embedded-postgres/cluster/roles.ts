import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, DatabaseError } from 'pg'
import { ClusterError } from '../cluster-error.ts'
import { spawnOptions } from '../user/server-user.ts'
import type { ClusterConnection, ClusterConnections } from './connections.ts'
import type { Launch } from './keep-running.ts'
import { ownStalePid } from './postmaster-pid.ts'

/**
 * Creates or completes two roles and a database. Every start repeats it, so a crash in between needs no repair, and no
 * commit waits for the disk.
 */
export function prepareRoles({ superuser, owner, service }: ClusterConnections): Promise<void> {
  return whileConnected(superuser, async (client) => {
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
  })
}

/** Returns true if a password was refused: secrets were lost or restored from elsewhere. */
export function isPasswordRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '28P01'
}

/** Resets the superuser's password in single-user mode, which needs only the files. */
export async function resetSuperuser(launch: Launch, superuser: ClusterConnection): Promise<void> {
  const { binaries, paths, user } = launch
  const child = spawn(binaries.postgres, ['--single', '-D', paths.data, superuser.database], {
    ...spawnOptions(user, ownStalePid(paths.data)),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.on('error', () => {}) // Its exit status tells more.
  child.stdin.end(`ALTER ROLE ${superuser.user} PASSWORD '${superuser.password}'\n`)
  const [status] = await once(child, 'close')
  if (status !== 0)
    throw new ClusterError(`The passwords of the database in ${paths.data} could not be reset.`)
}

/** Runs the work on a connection and reports its loss in one sentence. */
async function whileConnected(superuser: ClusterConnection, work: (client: Client) => Promise<void>) {
  const client = new Client({ ...superuser, options: '-c synchronous_commit=off' })
  let lost = false
  const lose = () => {
    lost = true
  }
  // Without a listener, the event would end the process, even if the query's error is handled.
  client.on('error', lose).on('end', lose)
  try {
    await client.connect()
    await work(client)
  } catch (error) {
    if (!lost && !isDisconnect(error)) throw error
    throw new ClusterError(
      `The database became unavailable during the start (${(error as Error).message}): start again.`,
    )
  } finally {
    await client.end()
  }
}

function isDisconnect(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(08...|57P0.)$/.test(error.code ?? '')
  const { syscall = '' } = error as NodeJS.ErrnoException
  return ['connect', 'read', 'write'].includes(syscall)
}

async function listNames(client: Client, query: string): Promise<string[]> {
  return (await client.query<{ name: string }>(query)).rows.map((row) => row.name)
}
