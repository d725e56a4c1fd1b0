import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../../config/start-error.ts'
import { ApiError } from '../../errors.ts'
import type { Connection } from '../connection.ts'
import { connectPatiently } from './start-connection.ts'
import { sentenceOfLoss } from './while-connected.ts'

type Step = {
  connection: Connection
  /** Names the step in messages. */
  what: string
  say: (message: string) => void
  /** For tests: lets the time between two attempts pass. */
  pause?: (ms: number) => Promise<unknown>
}

const pauseMs = 1_000
const triesPerMessage = 10

/**
 * Runs a step of the start on the pools of the service, whose timeouts are those of requests: on a busy machine, they fail
 * work that only takes longer. Runs it again for as long as the database accepts connections, so `work` must be repeatable.
 * A refusal that waiting does not change, such as a read-only database, ends the start.
 */
export async function untilAvailable<T>(
  { connection, what, say, pause = sleep }: Step,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'unavailable')) throw error
      const reason = reasonOf(error)
      if (lasts(error.cause)) throw new StartError(sentenceOfLoss({ message: reason } as Error))
      if (tries % triesPerMessage === 0) say(`${what} waits for the database (${reason})`)
      await refuseDead(connection, say)
      await pause(pauseMs)
    }
  }
}

/** Throws unless the server accepts a new connection. */
async function refuseDead(connection: Connection, say: Step['say']): Promise<void> {
  const client = await connectPatiently(connection, { name: 'The database', say }).catch((error) => {
    throw new StartError(sentenceOfLoss(error))
  })
  await client.end()
}

function reasonOf({ cause, message }: ApiError): string {
  if (typeof cause === 'string') return cause
  return cause instanceof Error ? cause.message : message
}

/** Read-only, or a disk or file that cannot be read. */
const lasts = (cause: unknown) =>
  cause instanceof pg.DatabaseError && ['25006', '58030', '58P01'].includes(cause.code ?? '')
