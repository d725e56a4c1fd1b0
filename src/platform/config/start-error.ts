import { ClusterError } from '../../embedded-postgres/cluster-error.ts'

/** A reason not to start, written for people: one sentence that says what to do, printed without a stack. */
export class StartError extends Error {}

/** Returns the sentence for a person; for a programming error, the stack. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StartError || error instanceof ClusterError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
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
