import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Connection } from '../database/connection.ts'

export type Changes = {
  /** Grows with every change of these tables; null while changes may be missed, and nothing may be kept. */
  generationOf(tables: readonly string[]): number | null
  /** Once it resolves, every change that was committed before the call has been heard. */
  heard(): Promise<void>
  close(): Promise<void>
}

export type ListenTimes = { askEveryMs: number; answerMs: number; retryMs: number }
const usualTimes: ListenTimes = { askEveryMs: 1_000, answerMs: 1_000, retryMs: 500 }

/**
 * Hears which tables change, whoever changes them: triggers tell it with each commit. The connection is
 * - away → listening: PostgreSQL has taken `LISTEN`; what was missed before is unknown, so all generations grow;
 * - listening → away: it is lost, or a question stays without an answer for `answerMs`; tried again `retryMs` later.
 */
export function watchChanges(
  connection: Connection,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { askEveryMs, answerMs, retryMs } = usualTimes,
): Changes {
  const generations = new Map<string, number>()
  let missed = 0
  let client: pg.Client | null = null
  let isListening = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let asked: Promise<void> | null = null
  let next: Promise<void> | null = null

  function hear({ payload = '' }: pg.Notification) {
    generations.set(payload, (generations.get(payload) ?? 0) + 1)
  }
  function lose(listener: pg.Client) {
    if (client !== listener) return
    client = null
    if (isListening && !closed) log.warn('changes are not heard: nothing is kept in memory until they are')
    isListening = false
    missed++
    // A socket that is dead without knowing it would wait for long.
    listener.end().catch(() => {})
    ;(listener as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    clearTimeout(timer)
    if (!closed) timer = setTimeout(listen, retryMs).unref()
  }
  async function listen() {
    const listener = new pg.Client({
      ...connection,
      application_name: 'parvis-changes',
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    })
    client = listener
    listener.on('error', () => lose(listener)).on('end', () => lose(listener))
    listener.on('notification', hear)
    try {
      await listener.connect()
      await listener.query('listen parvis_changes')
    } catch {
      return lose(listener)
    }
    if (client !== listener) return
    isListening = true
    missed++
    askAgainLater()
  }
  function askAgainLater() {
    if (!isListening) return
    timer = setTimeout(() => ask().then(askAgainLater), askEveryMs).unref()
  }
  /** PostgreSQL sends what it has to tell before it answers. */
  async function ask(): Promise<void> {
    const listener = client
    if (!isListening || listener === null) return
    const { promise: late, resolve } = Promise.withResolvers<boolean>()
    const waiting = setTimeout(resolve, answerMs, false)
    const answered = listener.query('select').then(
      () => true,
      () => false,
    )
    if (!(await Promise.race([answered, late]))) lose(listener)
    clearTimeout(waiting)
  }
  /** One question at a time: who comes while it is under way shares the next one. */
  function heard(): Promise<void> {
    if (asked === null) {
      asked = ask().finally(() => {
        asked = null
      })
      return asked
    }
    next ??= asked.then(() => {
      next = null
      return heard()
    })
    return next
  }

  void listen()
  return {
    generationOf(tables) {
      if (!isListening) return null
      let sum = missed
      for (const table of tables) sum += generations.get(table) ?? 0
      return sum
    },
    heard,
    async close() {
      closed = true
      clearTimeout(timer)
      isListening = false
      const listener = client
      client = null
      await listener?.end().catch(() => {})
    },
  }
}
