import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type Process = { pid: number; ppid: number; command: string; cwd: string }

/** Lists the processes of this machine that are visible. An ended but unreaped one has no command. */
export function listProcesses(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => ({
    pid: Number(pid),
    ppid: Number(readOrEmpty(`/proc/${pid}/stat`).replace(nameInBrackets, '').split(' ')[0]),
    command: readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' '),
    cwd: linkOrEmpty(`/proc/${pid}/cwd`),
  }))
}

/** A negative number means a group. False when nobody is left. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The name may contain blanks and brackets; the state, one letter, follows. */
const nameInBrackets = /^.*\) . /s

function linkOrEmpty(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
