import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type Patience = {
  /** Names the database in messages, such as `The database that DATABASE_URL names`. */
  name: string
  say: (message: string) => void
  /** For tests: lets the time between two looks pass. */
  pause?: (ms: number) => Promise<unknown>
}

const lookMs = 1_000
/** A minute. Looks count, and not the time: this process may have been starved or suspended. */
const mostSilentLooks = 60
const looksPerMessage = 30

/**
 * Opens a connection for start-up work. A start has no deadline while the server shows that it lives. States:
 * - connecting → connected: the server accepts;
 * - connecting → connecting: bytes arrive, however slowly;
 * - connecting → starting: it refuses with 57P03, as while it starts or recovers; tried again, for as long as it says so;
 * - connecting, starting → failed: no sign of life for a minute;
 * - connecting → failed: any other refusal. One that was starting may also be gone for a moment, as during a restart.
 */
export async function connectPatiently(
  config: pg.ClientConfig,
  { name, say, pause = sleep }: Patience,
): Promise<pg.Client> {
  let looks = 0
  let silentLooks = 0
  let wasStarting = false

  /** Counts a look that found the server not ready. Throws the error once there was no sign of life for too long. */
  function note(state: string, isAlive: boolean, error: Error) {
    silentLooks = isAlive ? 0 : silentLooks + 1
    if (silentLooks >= mostSilentLooks) throw error
    if (looks++ % looksPerMessage === 0) say(`${name} ${state}: waiting`)
  }

  for (;;) {
    const client = new pg.Client(config)
    // Without listeners, these events would end the process. For an invalid address, pg throws before it listens itself.
    client.on('error', () => {})
    client.connection.stream.on('error', () => {})
    const opening = client.connect().then(
      () => 'connected' as const,
      (error: Error) => error,
    )
    try {
      let bytes = 0
      let outcome = await Promise.race([opening, pause(lookMs).then(() => null)])
      while (outcome === null) {
        const { bytesRead } = client.connection.stream as Socket
        note('has not answered yet', bytesRead !== bytes, new Error('it does not answer'))
        bytes = bytesRead
        outcome = await Promise.race([opening, pause(lookMs).then(() => null)])
      }
      if (outcome === 'connected') return client
      const error = outcome as pg.DatabaseError
      const isStarting = error.code === cannotConnectNow
      wasStarting ||= isStarting
      if (!isStarting && !(wasStarting && isGone(error))) throw error
      note(`is not ready (${sentenceOf(error)})`, isStarting, error)
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
    await pause(lookMs)
  }
}

/** Starting, recovering or shutting down. */
const cannotConnectNow = '57P03'
const isGone = ({ code = '' }: pg.DatabaseError) => ['ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(code)

const sentenceOf = ({ message, code, detail }: pg.DatabaseError) =>
  [message || code, detail?.replace(/\.$/, '')].filter(Boolean).join(': ')
