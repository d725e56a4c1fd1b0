import { readFileSync } from 'node:fs'

const msPerTick = 10

/** Processor time of a process of Linux and of its children that have ended. */
export function processorMsOf(pid: string): number {
  const { own, ended } = ticksOf(pid)
  return (own + ended) * msPerTick
}

/** Processor time of the children of this process that have ended; 0 where the system does not tell it. */
export const msOfEndedChildren = (): number =>
  process.platform === 'linux' ? ticksOf('self').ended * msPerTick : 0

/** Fields 14 to 17 of `/proc/<pid>/stat`, after the name in parentheses, which may contain spaces. */
function ticksOf(pid: string): { own: number; ended: number } {
  const stat = readStat(pid)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return { own: user + system, ended: endedUser + endedSystem }
}

/** A process may have ended meanwhile. */
function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
