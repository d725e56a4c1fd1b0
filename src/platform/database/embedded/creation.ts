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
import { StartError } from '../../start-error.ts'
import type { Binaries } from './binaries.ts'
import type { Place } from './place.ts'
import type { Launch } from './postmaster.ts'
import { type Runner, spawnOptions } from './runner.ts'
import { syncFolder } from './secrets.ts'

/** Makes the cluster's files unless they are there, in a workshop beside them: they take their name when whole. */
export async function createData({ binaries, place, runner, superuser, durable }: Launch): Promise<void> {
  await removeWorkshops(place.home)
  if (existsSync(place.data)) return checkVersion(place, binaries)

  const workshop = mkdtempSync(join(place.home, 'new-'))
  const passwordFile = join(workshop, 'password')
  writeFileSync(passwordFile, superuser.password, { mode: 0o600 })
  if (runner) for (const path of [workshop, passwordFile]) chownSync(path, runner.uid, runner.gid)
  const made = join(workshop, 'data')
  // The builtin locale sorts and folds alike on every machine; checksums are on by default.
  await run(binaries.initdb, runner, [
    ...['--pgdata', made, '--username', superuser.user, '--pwfile', passwordFile],
    ...['--auth-local=scram-sha-256', '--auth-host=scram-sha-256', '--encoding=UTF8', '--locale=C'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ])
  renameSync(made, place.data)
  syncFolder(place.home)
  await removeWorkshops(place.home)
}

/** Its own session, so that the terminal's Ctrl-C reaches us alone. */
async function run(program: string, runner: Runner, parameters: string[]): Promise<void> {
  const child = spawn(program, parameters, {
    ...spawnOptions(runner),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const [status, signal] = await once(child, 'close')
  if (status === 0) return
  complaint ||= `initdb ended with ${signal ?? status}`
  throw new StartError(`The database could not be made: ${complaint.trim().replaceAll(/\s*\n\s*/g, '; ')}`)
}

/** What killed starts left. An initdb of theirs may still be writing there: then it goes at the next start. */
async function removeWorkshops(home: string): Promise<void> {
  for (const name of readdirSync(home).filter((each) => each.startsWith('new-'))) {
    await rm(join(home, name), { recursive: true, force: true }).catch(() => {})
  }
}

function checkVersion({ data }: Place, binaries: Binaries): void {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (binaries.version.startsWith(`${made}.`)) return
  throw new StartError(
    `The database in ${data} was made by PostgreSQL ${made} and this Parvis brings ${binaries.version}: dump it with the earlier Parvis, or run it there.`,
  )
}
