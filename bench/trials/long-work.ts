import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, skipped, verdictOf, whole } from '../measure.ts'
import type { Row } from '../report.ts'

type Work = {
  scenario: string
  /** Number of rows or items. */
  count: number
  atLeast: number
  unit: string
  /** Starts the work; null when the checkout lacks the route. */
  begin(): Promise<Response>
  /** Null until the work ends; then its error, if any. */
  outcome(): Promise<{ error: string | null } | null>
}

const maxGrowthMb = 150

/** Measures background work: items per second and memory growth. */
export async function measureWork({ service, say }: Bench, work: Work): Promise<Row[]> {
  const { scenario, count, atLeast, unit } = work
  const before = service.memoryMb()
  let most = before ?? 0
  const startedAt = performance.now()
  const began = await work.begin()
  if (began.status === 404) return [skipped(scenario, 'the route is not there')]
  if (began.status !== 202)
    return [skipped(scenario, `it answered ${began.status}: ${(await began.text()).slice(0, 100)}`)]
  await began.body?.cancel()
  let ended: { error: string | null } | null = null
  for (; ended === null && performance.now() - startedAt < 300_000; await sleep(100)) {
    most = Math.max(most, service.memoryMb() ?? 0)
    ended = await work.outcome()
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const error = ended === null ? 'it did not end' : ended.error
  if (error !== null) say(`  ${scenario}: ${error}`)
  const grown = most - (before ?? 0)
  const notes = error === null ? [] : [error]
  return [
    {
      scenario,
      measured: `${whole(count / seconds)} ${unit}/s`,
      target: `≥ ${whole(atLeast)} ${unit}/s`,
      verdict: verdictOf(error === null && count / seconds >= atLeast),
      notes,
      figures: { per_second: count / seconds, count, seconds },
    },
    {
      scenario: `${scenario}, growth of memory`,
      measured: before === null ? '' : `${whole(grown)} MB`,
      target: `≤ ${maxGrowthMb} MB`,
      verdict: before === null ? 'skipped' : verdictOf(grown <= maxGrowthMb),
      notes,
      figures: { grown_mb: grown },
    },
  ]
}

/** Starts a remote server for the service to fetch from. */
export async function serve(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

export function asAdmin(
  { service, world }: Pick<Bench, 'service' | 'world'>,
  method: string,
  path: string,
  body?: object,
  accept = 'application/json',
): Promise<Response> {
  return fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
    method,
    headers: {
      'x-app-source': 'backoffice',
      authorization: `Bearer ${world.token}`,
      accept,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** Creates a record through the API. */
export async function created(
  bench: Pick<Bench, 'service' | 'world'>,
  path: string,
  body: object,
): Promise<void> {
  const response = await asAdmin(bench, 'POST', path, body)
  if (response.status !== 201)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
}
