import { spawnSync } from 'node:child_process'
import { ClusterError } from '../cluster-error.ts'
import type { Names } from '../names.ts'

/** The user that runs PostgreSQL; null is the current user. */
export type ServerUser = { uid: number; gid: number } | null

/** PostgreSQL refuses to run as root, so root runs it as a separate user. */
export function chooseServerUser(names: Names): ServerUser {
  if (process.getuid?.() !== 0) return null
  const own = findUser(names.systemUser) ?? makeUser(names)
  return own ?? findUser('postgres') ?? findUser('nobody') ?? refuseRoot(names)
}

/** Returns options to run a program as the user, without our environment: secrets and PG… variables. */
export function spawnOptions(user: ServerUser, environment: Record<string, string> = {}) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...environment }
  return { cwd: '/', env, ...(user && { uid: user.uid, gid: user.gid }) }
}

/** Tries to enter the folder: access lists, mount options and masks count as well as modes. */
export function canEnter(user: ServerUser, folder: string): boolean {
  return spawnSync('sh', ['-c', 'cd -- "$1"', 'sh', folder], spawnOptions(user)).status === 0
}

function makeUser({ systemUser, stagingRoot, product }: Names): ServerUser {
  spawnSync('useradd', [
    ...['--system', '--user-group', '--no-create-home', '--home-dir', stagingRoot],
    ...['--shell', '/usr/sbin/nologin', '--comment', `${product} database`, systemUser],
  ])
  return findUser(systemUser)
}

function findUser(name: string): ServerUser {
  const [uid, gid] = ['-u', '-g'].map((which) =>
    Number.parseInt(spawnSync('id', [which, name]).stdout?.toString(), 10),
  )
  return uid && gid ? { uid, gid } : null
}

function refuseRoot({ databaseUrlSetting }: Names): never {
  throw new ClusterError(
    `PostgreSQL does not run as root and no other user could be made: start as an ordinary user, or set ${databaseUrlSetting}.`,
  )
}
