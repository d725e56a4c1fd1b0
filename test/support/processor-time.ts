import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of the file: its worker from the first import to the last hook, and the processes it started. */
    processorMs?: number
  }
}

// A setup file runs before each test file, and hooks run in reverse order: this one is the last.
const before = processorMs()
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that a hook wants from its first pattern.
afterAll(({}, { file }) => {
  file.meta.processorMs = processorMs() - before
})

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + msOfChildren()
}

/** Processor time of children that have ended; 0 where the system does not tell. */
function msOfChildren(): number {
  try {
    return childrenMs(readFileSync('/proc/self/stat', 'utf8'))
  } catch {
    return 0
  }
}

const msPerTick = 10

/** Fields 16 and 17 of `/proc/<pid>/stat`, after the name in parentheses, which may contain spaces. */
function childrenMs(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * msPerTick
}
