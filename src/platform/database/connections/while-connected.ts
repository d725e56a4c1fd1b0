import pg from 'pg'
import { StartError } from '../../config/start-error.ts'

/** Runs start-up work on one connection and reports its loss in one sentence. */
export async function whileConnected<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  let lost = false
  const lose = () => {
    lost = true
  }
  // Without a listener, the event would end the process, even if the query's error is handled.
  client.on('error', lose).on('end', lose)
  try {
    return await work()
  } catch (error) {
    if (!lost && !isDisconnect(error)) throw error
    throw new StartError(
      `The database became unavailable during the start (${(error as Error).message}): start again.`,
    )
  }
}

function isDisconnect(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08...|57P0.|25006)$/.test(error.code ?? '')
  const { syscall = '' } = error as NodeJS.ErrnoException
  return ['connect', 'read', 'write'].includes(syscall)
}
