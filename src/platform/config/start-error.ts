import { statfsSync } from 'node:fs'
import { ClusterError } from '../../embedded-postgres/cluster-error.ts'

/** A reason not to start, written for people: one sentence that says what to do, printed without a stack. */
export class StartError extends Error {}

/** Returns the sentence for a person; for a programming error, the stack. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StartError || error instanceof ClusterError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Returns a handler of errors that names the disk of the database where that is full. */
export function refuseFullDisk({ databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string }) {
  const disk = databaseUrl === null ? dataDir : 'the server that DATABASE_URL names'
  return (error: unknown): never => {
    const { code, message } = error as NodeJS.ErrnoException
    // PostgreSQL ends when it cannot write its log.
    const wasLost = databaseUrl === null && message.includes('became unavailable')
    if (!fullDisk.test(`${code} ${message}`) && !(wasLost && freeBytes(dataDir) < 16_777_216)) throw error
    throw new StartError(`The disk of ${disk} is full: free some space on it, and start again.`)
  }
}

// As the system, its codes, SQLite (the lock of a data folder) and PostgreSQL say it.
const fullDisk =
  /no space left on device|disk quota exceeded|ENOSPC|EDQUOT|database or disk is full|\b53100\b/i

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Explains why the server cannot listen on HOST and the ports. */
export function refuseToListen(error: NodeJS.ErrnoException & Partial<Endpoint>): never {
  const { code, syscall, address, hostname, port } = error
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error
  if (code === 'EADDRINUSE')
    throw new StartError(
      `Port ${port} of ${address} is taken: stop what uses it, or set another PORT (or METRICS_PORT).`,
    )
  if (code === 'EACCES')
    throw new StartError(`Port ${port} may not be opened by this user: set another PORT (or METRICS_PORT).`)
  throw new StartError(
    `HOST must be an address or a name of this machine, and ${address ?? hostname} is none (${code}).`,
  )
}

type Endpoint = { address: string; hostname: string; port: number }
