import pg from 'pg'
import { StartError } from '../../start-error.ts'

/** Work of the start on one connection: when that is lost, one sentence says so. */
export async function whileConnected<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  let lost = false
  const lose = () => {
    lost = true
  }
  // Without a listener the event would end the process, whatever becomes of the query at work.
  client.on('error', lose).on('end', lose)
  try {
    return await work()
  } catch (error) {
    if (!lost && !isAway(error)) throw error
    throw new StartError(
      `The database went away during the start (${(error as Error).message}): start again.`,
    )
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08...|57P0.)$/.test(error.code ?? '')
  const { syscall = '' } = error as NodeJS.ErrnoException
  return ['connect', 'read', 'write'].includes(syscall)
}
