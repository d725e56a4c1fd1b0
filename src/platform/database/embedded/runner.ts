import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../../start-error.ts'

/** The user that PostgreSQL runs as; null is the one we already are. */
export type Runner = { uid: number; gid: number } | null

export const stagingRoot = '/var/lib/parvis'

/** PostgreSQL refuses root: then a user of its own runs it, or the one that made this cluster in its own folder. */
export function chooseRunner(dataDir: string): Runner {
  if (process.getuid?.() !== 0) return null
  const folder = statSync(dataDir)
  const data = statSync(join(dataDir, 'postgres', 'data'), { throwIfNoEntry: false })
  if (folder.uid !== 0 && data?.uid === folder.uid) return { uid: data.uid, gid: data.gid }
  return findUser('parvis') ?? makeUser() ?? findUser('postgres') ?? findUser('nobody') ?? refuseRoot()
}

/** Where copies for that user go: beside the data, or, for root, where every user can pass and only root writes. */
export function stagingFolder(dataDir: string, runner: Runner): string {
  return runner ? stagingRoot : dataDir
}

/** Made at need, and refused when someone else could put programs or data there. */
export function ensureRootFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755)
  const { uid, mode } = statSync(folder)
  if (uid === 0 && (mode & 0o022) === 0) return
  throw new StartError(
    `${folder} must belong to root and be writable by root alone: run chown root, chmod 755.`,
  )
}

/** How to start a program as that user: its own environment, since ours holds secrets and PG… variables. */
export function spawnOptions(runner: Runner, environment: Record<string, string> = {}) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...environment }
  return { cwd: '/', env, ...(runner && { uid: runner.uid, gid: runner.gid }) }
}

/** Asked of the system rather than worked out from modes: access lists, mount options and masks count too. */
export function canEnter(runner: Runner, folder: string): boolean {
  return spawnSync('sh', ['-c', 'cd -- "$1"', 'sh', folder], spawnOptions(runner)).status === 0
}

function makeUser(): Runner {
  spawnSync('useradd', [
    ...['--system', '--user-group', '--no-create-home', '--home-dir', stagingRoot],
    ...['--shell', '/usr/sbin/nologin', '--comment', 'Parvis database', 'parvis'],
  ])
  return findUser('parvis')
}

function findUser(name: string): Runner {
  const [uid, gid] = ['-u', '-g'].map((which) =>
    Number.parseInt(spawnSync('id', [which, name]).stdout?.toString(), 10),
  )
  return uid && gid ? { uid, gid } : null
}

function refuseRoot(): never {
  throw new StartError(
    'PostgreSQL does not run as root and no other user could be made: start as an ordinary user, or set DATABASE_URL.',
  )
}
