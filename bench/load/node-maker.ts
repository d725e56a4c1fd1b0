import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answered, Load, Printed } from './load.ts'
import { openClient } from './raw-client.ts'

/**
 * Load generator for machines without wrk and for fixed rates. Does not send requests that find no free
 * connection, and reports them as `unsent`.
 */
const wanted = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Load
const { port, requests, connections, seconds, rate } = wanted
const client = openClient(port, requests)
const times: number[] = []
const refusalTimes: number[] = []
const answered: Answered = {}
let next = 0

async function ask(): Promise<void> {
  const startedAt = performance.now()
  const status = await client.send(next++ % requests.length)
  const isRefusal = !(Number(status) < 400)
  ;(isRefusal ? refusalTimes : times).push(performance.now() - startedAt)
  count(status)
}

function count(status: string): void {
  answered[status] = (answered[status] ?? 0) + 1
}

async function askOneAfterAnother(end: number): Promise<void> {
  do await ask()
  while (performance.now() < end)
}

async function askAtRate(rate: number, end: number): Promise<void> {
  const startedAt = performance.now()
  const open = new Set<Promise<void>>()
  for (let asked = 0; performance.now() < end; ) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * rate)
    for (; asked < due; asked++) {
      if (open.size >= connections) {
        count('unsent')
        continue
      }
      const asking = ask().finally(() => open.delete(asking))
      open.add(asking)
    }
    await sleep(1)
  }
  await Promise.all(open)
}

const percentile = (values: number[], share: number) => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

const startedAt = performance.now()
const end = startedAt + seconds * 1_000
if (rate === undefined) await Promise.all(Array.from({ length: connections }, () => askOneAfterAnother(end)))
else await askAtRate(rate, end)
const took = (performance.now() - startedAt) / 1_000
client.close()
const printed: Printed = {
  seconds: took,
  p50Ms: percentile(times, 0.5),
  p99Ms: percentile(times, 0.99),
  maxMs: percentile(times, 1),
  refusalMs: percentile(refusalTimes, 0.5),
  answered,
}
console.log(JSON.stringify(printed))
