import { createStore } from './store.ts'

/**
 * State of the connection to the service.
 *
 * ok → offline (the browser has no network) → ok, when /readyz returns 200
 * ok → unreachable (a request had no response) → ok, after any response or a 200 of /readyz
 * ok → busy (503) → ok, after a 200 of /readyz: while one kind of request is refused, another one may be served
 */
export type Connection = 'ok' | 'offline' | 'unreachable' | 'busy'

export const connection = createStore<Connection>(navigator.onLine ? 'ok' : 'offline')

const probeEveryMs = 3_000
let probing: ReturnType<typeof setTimeout> | undefined

type Outcome = 'response' | 'none' | 'busy'

/** Records the outcome of a request. A response that arrives after the network was lost keeps `offline`. */
export function noteOutcome(outcome: Outcome): void {
  if (outcome !== 'response' || connection.get() === 'unreachable') note(outcome)
}

/** Sets the state, and probes the service every few seconds until it is `ok`. */
function note(outcome: Outcome): void {
  if (outcome === 'response') connection.set('ok')
  else if (!navigator.onLine) connection.set('offline')
  else connection.set(outcome === 'busy' ? 'busy' : 'unreachable')
  if (connection.get() === 'ok') {
    clearTimeout(probing)
    probing = undefined
  } else probing ??= setTimeout(probe, probeEveryMs)
}

async function probe(): Promise<void> {
  probing = undefined
  const status = await fetch('/readyz', { cache: 'no-store' }).then(
    (response) => response.status,
    () => 0,
  )
  note(status === 200 ? 'response' : status === 0 ? 'none' : 'busy')
}

window.addEventListener('online', () => void probe())
window.addEventListener('offline', () => note('none'))
