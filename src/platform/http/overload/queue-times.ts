import type { IncomingMessage } from 'node:http'

const times = new WeakMap<IncomingMessage, number>()

/**
 * Returns how long a request was queued before Fastify saw it. Log and metrics add it to Fastify's own time.
 */
export const queuedMs = (request: IncomingMessage): number => times.get(request) ?? 0

export function recordQueued(request: IncomingMessage, ms: number): void {
  // Most requests are not queued.
  if (ms > 0.1) times.set(request, ms)
}
