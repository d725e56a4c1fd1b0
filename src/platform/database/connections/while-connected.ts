import pg from 'pg'
import { StartError } from '../../config/start-error.ts'
import { connectPatiently } from './start-connection.ts'

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
    throw new StartError(sentenceOfLoss(error as Error))
  }
}

/** Connects for start-up work, for as long as the server shows that it lives, and reports in one sentence that it does not. */
export async function connectForStart(
  config: pg.ClientConfig,
  say: (message: string) => void,
): Promise<pg.Client> {
  try {
    return await connectPatiently(config, { name: 'The database', say })
  } catch (error) {
    if (error instanceof pg.DatabaseError && !isDisconnect(error)) throw error
    throw new StartError(sentenceOfLoss(error as Error))
  }
}

export const sentenceOfLoss = ({ message, code }: NodeJS.ErrnoException) =>
  `The database became unavailable during the start (${message || code}): start again.`

function isDisconnect(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08...|57P0.|25006)$/.test(error.code ?? '')
  const { syscall = '' } = error as NodeJS.ErrnoException
  return ['connect', 'read', 'write'].includes(syscall)
}
