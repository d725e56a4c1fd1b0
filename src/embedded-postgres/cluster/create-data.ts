import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import type { Binaries } from '../files/binaries.ts'
import type { Place } from '../files/place.ts'
import { syncFolder } from '../files/sync-folder.ts'
import { type ServerUser, spawnOptions } from '../user/server-user.ts'
import type { ClusterConnection } from './connections.ts'
import type { Launch } from './launch.ts'

/** Makes the cluster's files unless they are there, in a folder beside them: they take their name when whole. */
export async function createData(launch: Launch, superuser: ClusterConnection, product: string) {
  const { binaries, place, user, durable } = launch
  await removeHalfMade(place.home)
  if (existsSync(place.data)) return checkVersion(place, binaries, product)

  const folder = mkdtempSync(join(place.home, 'new-'))
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, superuser.password, { mode: 0o600 })
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid)
  const made = join(folder, 'data')
  // The builtin locale sorts and folds alike on every machine; checksums are on by default.
  await run(binaries.initdb, user, [
    ...['--pgdata', made, '--username', superuser.user, '--pwfile', passwordFile],
    ...['--auth-local=scram-sha-256', '--auth-host=scram-sha-256', '--encoding=UTF8', '--locale=C'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ])
  renameSync(made, place.data)
  syncFolder(place.home)
  await removeHalfMade(place.home)
}

/** Its own session, so that the terminal's Ctrl-C reaches us alone. */
async function run(program: string, user: ServerUser, parameters: string[]): Promise<void> {
  const child = spawn(program, parameters, {
    ...spawnOptions(user),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [status, signal] = await once(child, 'close')
  if (status === 0) return
  said ||= `initdb ended with ${signal ?? status}`
  throw new ClusterError(`The database could not be made: ${said.trim().replaceAll(/\s*\n\s*/g, '; ')}`)
}

/** What killed starts left. An initdb of theirs may still be writing there: then it goes at the next start. */
async function removeHalfMade(home: string): Promise<void> {
  for (const name of readdirSync(home).filter((each) => each.startsWith('new-'))) {
    await rm(join(home, name), { recursive: true, force: true }).catch(() => {})
  }
}

function checkVersion({ data }: Place, { version }: Binaries, product: string): void {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (version.startsWith(`${made}.`)) return
  throw new ClusterError(
    `The database in ${data} was made by PostgreSQL ${made} and this ${product} brings ${version}: dump it with the earlier ${product}, or run it there.`,
  )
}
