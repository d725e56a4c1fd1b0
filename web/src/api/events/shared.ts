import { connection } from '../connection.ts'
import { session } from '../session.ts'
import { createStore } from '../store.ts'
import { type Events, readEvents } from './stream.ts'

/** Whether this tab receives events. While it does, it does not poll. */
export const isLive = createStore(false)

/** Name of the lock and of the broadcast channel that all tabs of a browser share. */
const name = 'parvis.events'
/** After this time without a message, a tab assumes that the leading tab has failed, and polls. */
const leaseMs = 30_000
const longestPauseMs = 30_000

type Update = Events & { isFlowing: boolean }
type Message = Update | 'ask'

/**
 * Receives the events of the service over one connection per browser. Returns a function that stops.
 *
 * following → leading, once this tab has the lock: it reads the events and broadcasts them to the other tabs
 * leading → closed, when the tab is closed, crashes or is discarded: another tab gets the lock
 *
 * `onChange` gets the topics, or `all` when changes may have been missed: after a gap and when events start.
 */
export function receiveEvents(onChange: (topics: readonly string[] | 'all') => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const channel = new BroadcastChannel(name)
  let lastId = ''
  let isLeading = false
  let lease: ReturnType<typeof setTimeout> | undefined

  function receive({ isFlowing, topics, isGap, ...update }: Update): void {
    const begins = isFlowing && !isLive.get()
    if (update.lastId !== '') lastId = update.lastId
    clearTimeout(lease)
    if (isFlowing) lease = setTimeout(() => isLive.set(false), leaseMs)
    isLive.set(isFlowing)
    if (begins || isGap) onChange('all')
    else if (topics.length > 0) onChange(topics)
  }
  const post = (message: Message) => channel.postMessage(message)
  const broadcast = (isFlowing: boolean, events: Partial<Events> = {}) => {
    const update = { isFlowing, topics: [], isGap: false, lastId, ...events }
    post(update)
    receive(update)
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data !== 'ask') receive(data)
    else if (isLeading && isLive.get()) post({ isFlowing: true, topics: [], isGap: false, lastId })
  }
  post('ask')

  async function lead(): Promise<void> {
    isLeading = true
    for (let failures = 0; !signal.aborted; failures++) {
      const onEvents = (events: Events) => {
        failures = 0
        broadcast(true, events)
      }
      await readEvents({ lastId, signal, onEvents }).catch(() => {})
      if (signal.aborted) return
      // A connection that was open is reopened within a second: too short a gap to start polling.
      if (failures > 0) broadcast(false)
      await pause(Math.min(longestPauseMs, 500 * 2 ** failures), signal)
    }
  }

  // The Web Locks API exists in secure contexts only; elsewhere each tab opens its own connection.
  if ('locks' in navigator) void navigator.locks.request(name, { signal }, lead).catch(() => {})
  else void lead()
  return () => {
    ending.abort()
    channel.close()
    clearTimeout(lease)
    isLive.set(false)
  }
}

/** Waits with jitter. Ends early when the service is reachable again or the session resumes. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms * (0.5 + Math.random() / 2))
  const leave = [
    connection.subscribe(() => connection.get() === 'ok' && resolve()),
    session.subscribe(() => session.get() === 'in' && resolve()),
  ]
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    for (const each of leave) each()
  })
}
