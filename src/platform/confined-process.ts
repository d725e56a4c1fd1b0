import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Processes that parse what strangers send, confined so that whoever takes one over finds nothing: no secret, no file, no
 * network, no other process. What JavaScript may do is limited by Node's permissions everywhere; what machine code may do, by
 * the system, as far as it has the means (docs/security.md).
 */

/** What the system does for a confined process, where it has the means. */
export type Means = 'user' | 'network' | 'privileges'
type Confinement = { command: string[]; missing: Means[] }

/** No account has this number, so that no file belongs to it, and no process but others of this kind. */
const ownUser = 61_111
const ownUserOptions = [`--reuid=${ownUser}`, `--regid=${ownUser}`, '--clear-groups']
const withoutPrivileges = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']

/** Beyond what any file takes: memory in kB, which libraries and V8 reserve and do not use, seconds of processor, open files; nothing is written, not even a core. */
const limits = { d: 4_000_000, t: 240, n: 64, f: 0, c: 0 }
const withLimits = [
  ...Object.entries(limits).map(([option, most]) => `ulimit -${option} ${most} 2>/dev/null`),
  'exec "$0" "$@"',
].join('\n')

/** Ends a process before the system would, while it is between two files. */
export const confinedForMs = 60_000

type Options = { arguments?: string[]; execArgv: string[]; env?: Record<string, string> }

/** Starts a script of ours in a confined process, with a channel for messages. It reads code, and nothing else. */
export async function startConfined(
  script: string,
  { arguments: given = [], execArgv, env = {} }: Options,
): Promise<ChildProcess> {
  const { command } = await confinement()
  const [program = '', ...rest] = [...command, process.execPath]
  const flags = ['--permission', '--allow-addons', '--allow-worker', '--disable-warning=SecurityWarning']
  const readable = code.map((path) => `--allow-fs-read=${path}`)
  return spawn(program, [...rest, ...flags, ...readable, ...execArgv, script, ...given], {
    env,
    cwd: '/',
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** Takes rights away that a process needed to start. An older Node cannot. */
export function dropPermission(...names: ('worker' | 'addon')[]): void {
  const { permission } = process as { permission?: { drop?(name: string): void } }
  for (const name of names) permission?.drop?.(name)
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const code = [`${root}src/`, `${root}node_modules/`, `${root}package.json`].flatMap((path) =>
  existsSync(path) ? [...new Set([path, path.endsWith('/') ? `${realpathSync(path)}/` : path])] : [],
)

let found: Promise<Confinement> | undefined

/** Finds out once which means the system has. */
export function confinement(): Promise<Confinement> {
  found ??= findMeans()
  return found
}

async function findMeans(): Promise<Confinement> {
  const isRoot = process.getuid?.() === 0
  const [setpriv, unshare] = [toolAt('setpriv'), toolAt('unshare')]
  const network = [unshare, '--net', ...(isRoot ? [] : ['--map-current-user'])]
  const privileges = [setpriv, ...withoutPrivileges]
  const user = [setpriv, ...ownUserOptions, ...withoutPrivileges]
  // The other user reads the code, and runs Node: not in a folder that is closed to it.
  const reachesCode = [
    '/bin/sh',
    '-c',
    'test -r "$0" && test -x "$1"',
    `${root}package.json`,
    process.execPath,
  ]
  const [hasNetwork, hasPrivileges, hasUser] = await Promise.all([
    works([...network, '/bin/sh', '-c', ':']),
    works([...privileges, '/bin/sh', '-c', ':']),
    isRoot && works([...user, ...reachesCode]),
  ])
  return {
    command: [
      ...['/bin/sh', '-c', withLimits],
      ...(hasNetwork ? network : []),
      ...(hasUser ? user : hasPrivileges ? privileges : []),
    ],
    missing: [
      ...(hasUser ? [] : ['user' as const]),
      ...(hasNetwork ? [] : ['network' as const]),
      ...(hasUser || hasPrivileges ? [] : ['privileges' as const]),
    ],
  }
}

/** Tools of the system alone: root runs nothing that another user may have put before them. */
const toolAt = (name: string) =>
  ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => `${folder}/${name}`).find(existsSync) ?? name

const works = ([program = '', ...rest]: string[]) =>
  new Promise<boolean>((resolve) => {
    execFile(program, rest, { env: {}, cwd: '/', timeout: 20_000 }, (error) => resolve(error === null))
  })
