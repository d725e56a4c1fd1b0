import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A load balancer in front of several instances: round robin, and requests that may be repeated go to the next instance
 * when one is down or unavailable. These are reads and requests with an `Idempotency-Key`.
 */
export function openBalancer(urls: () => (string | null)[]) {
  let turn = 0
  return async function send(path: string, options: RequestInit & { headers: Record<string, string> }) {
    const { method = 'GET', headers } = options
    const mayRepeat = method === 'GET' || 'idempotency-key' in headers
    for (let tries = 1; ; tries++) {
      const up = urls().filter((url) => url !== null)
      const answer = await sendOnce(`${up[turn++ % up.length]}${path}`, options)
      const isOver = answer !== null && answer.status !== 503
      if (isOver || !mayRepeat || tries === maxTries) return { status: 0, text: '', ...answer, tries }
      // All of them may be busy for a moment.
      if (tries > up.length) await sleep(50)
    }
  }
}

const maxTries = 40

async function sendOnce(url: string, options: RequestInit) {
  try {
    const response = await fetch(url, options)
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}
