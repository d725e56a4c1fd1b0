import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Load, Printed } from './load.ts'
import { unseen } from './request.ts'

/**
 * Makes load where wrk is not installed, and where so many requests a second are asked for. One that finds all connections
 * taken waits for one, and the wait counts as part of its time.
 */
const wanted = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Load & { mark: string }
const { port, requests, connections, seconds, rate, mark } = wanted
const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
const times: number[] = []
const answered: Record<string, number> = {}
let next = 0
let refused = 0

async function ask(): Promise<void> {
  const number = next++
  const { method, path, headers, body } = requests[number % requests.length] ?? requests[0] ?? never()
  const startedAt = performance.now()
  let status = 0
  try {
    const target = wanted.unseen ? unseen(path, `${mark}${number}`) : path
    const answer = await pool.request({ method, path: target, headers, ...(body !== undefined && { body }) })
    status = answer.statusCode
    await answer.body.dump({ limit: 2 ** 30 })
  } catch {
    status = 0
  }
  times.push(performance.now() - startedAt)
  answered[status] = (answered[status] ?? 0) + 1
  if (status === 0 || status >= 400) refused++
}

async function askOneAfterAnother(end: number): Promise<void> {
  while (performance.now() < end) await ask()
}

async function askAtRate(rate: number, end: number): Promise<void> {
  const startedAt = performance.now()
  const open = new Set<Promise<void>>()
  for (let asked = 0; performance.now() < end; ) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * rate)
    for (; asked < due; asked++) {
      const asking = ask().finally(() => open.delete(asking))
      open.add(asking)
    }
    await sleep(1)
  }
  await Promise.all(open)
}

const never = () => {
  throw new Error('there is nothing to ask for')
}
const percentile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

const startedAt = performance.now()
const end = startedAt + seconds * 1_000
if (rate === undefined) await Promise.all(Array.from({ length: connections }, () => askOneAfterAnother(end)))
else await askAtRate(rate, end)
const took = (performance.now() - startedAt) / 1_000
await pool.destroy()
times.sort((a, b) => a - b)
console.log(
  JSON.stringify({
    requests: times.length,
    seconds: took,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    refused,
    answered,
  } satisfies Printed),
)
