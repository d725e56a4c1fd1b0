import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import type { Binaries } from '../files/binaries.ts'
import type { ClusterPaths } from '../files/paths.ts'
import { readPlainFile, syncFolder } from '../files/plain-file.ts'
import { type ServerUser, spawnOptions } from '../user/server-user.ts'
import type { ClusterConnection } from './connections.ts'
import type { Launch } from './keep-running.ts'

/** Creates the cluster's files unless they exist, in a temporary folder that is renamed when complete. */
export async function createData(launch: Launch, superuser: ClusterConnection, product: string) {
  const { binaries, paths, user, durable } = launch
  removeHalfMade(paths.home, user)
  if (existsSync(paths.data)) return checkVersion(paths, binaries, product)

  const folder = mkdtempSync(join(paths.home, 'new-'))
  const [made, passwordFile] = [join(folder, 'data'), join(folder, 'password')]
  mkdirSync(made, 0o700)
  writeFileSync(passwordFile, superuser.password, { mode: 0o600, flag: 'wx' })
  if (user) {
    // Root keeps the folder, so that the user cannot replace `made` before it is renamed below.
    chmodSync(folder, 0o711)
    for (const path of [made, passwordFile]) lchownSync(path, user.uid, user.gid)
  }
  // The built-in locale sorts and folds identically on every machine; checksums are on by default.
  await run(binaries.initdb, user, [
    ...['--pgdata', made, '--username', superuser.user, '--pwfile', passwordFile],
    ...['--auth-local=scram-sha-256', '--auth-host=scram-sha-256', '--encoding=UTF8', '--locale=C'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ])
  renameSync(made, paths.data)
  syncFolder(paths.home)
  removeHalfMade(paths.home, user)
}

/** Runs a program in its own session, so that Ctrl-C in the terminal reaches only this process. */
async function run(program: string, user: ServerUser, parameters: string[]): Promise<void> {
  const child = spawn(program, parameters, {
    ...spawnOptions(user),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [status, signal] = await once(child, 'close')
  if (status === 0) return
  output ||= `initdb ended with ${signal ?? status}`
  throw new ClusterError(`The database could not be made: ${output.trim().replaceAll(/\s*\n\s*/g, '; ')}`)
}

/**
 * Deletes leftovers of killed starts as the user who created them, because that user could otherwise mislead
 * root. If one of their initdb processes is still writing, the next start deletes the rest.
 */
function removeHalfMade(home: string, user: ServerUser): void {
  for (const name of readdirSync(home).filter((each) => each.startsWith('new-'))) {
    const folder = join(home, name)
    spawnSync('rm', ['-rf', '--', join(folder, 'data')], spawnOptions(user))
    try {
      rmSync(join(folder, 'password'), { force: true })
      if (existsSync(join(folder, 'data'))) rmdirSync(join(folder, 'data'))
      rmdirSync(folder)
    } catch {}
  }
}

function checkVersion({ data }: ClusterPaths, { version }: Binaries, product: string): void {
  const made = readVersion(data)
  if (version.startsWith(`${made}.`)) return
  if (Number(made) > Number.parseInt(version, 10))
    throw new ClusterError(
      `The database in ${data} was made by PostgreSQL ${made}, which is later than the ${version} of this ${product}: start the later ${product}, or restore a backup from before the upgrade.`,
    )
  throw new ClusterError(
    `The database in ${data} was made by PostgreSQL ${made} and this ${product} has ${version}: dump it with the earlier ${product}, or run it there.`,
  )
}

function readVersion(data: string): string {
  try {
    return readPlainFile(join(data, 'PG_VERSION')).trim()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ClusterError(
      `The database in ${data} cannot be used: its PG_VERSION cannot be read (${code ?? message}).`,
    )
  }
}
