import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Snapshot } from './messages.ts'
import { sumMetrics } from './summed-metrics.ts'

function process(requests: number) {
  const registry = new Registry()
  new Counter({ name: 'requests_total', help: 'Requests', registers: [registry] }).inc(requests)
  new Gauge({ name: 'open', help: 'Open', registers: [registry] }).set(requests)
  new Gauge({ name: 'refused', help: 'Refused', aggregator: 'max', registers: [registry] }).set(1)
  new Gauge({ name: 'nodejs_eventloop_lag_p99_seconds', help: 'Lag', registers: [registry] }).set(requests)
  new Histogram({ name: 'seconds', help: 'Seconds', buckets: [1], registers: [registry] }).observe(0.5)
  return registry
}

test('sums counts of all processes, and keeps those of workers that have ended', async () => {
  const own = new Registry()
  new Gauge({ name: 'nodejs_eventloop_lag_p99_seconds', help: 'Lag', registers: [own] }).set(1)
  new Gauge({ name: 'process_start_time_seconds', help: 'Start', aggregator: 'omit', registers: [own] }).set(
    7,
  )
  let workers: Snapshot[] = await Promise.all([process(3), process(4)].map((each) => each.getMetricsAsJSON()))
  const summed = sumMetrics({ registry: own, measure: async () => workers })
  const values = async () => {
    const lines = (await summed.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return Object.fromEntries(lines.map((line) => line.split(' ')))
  }
  const whole = {
    requests_total: '7',
    open: '7',
    refused: '1',
    nodejs_eventloop_lag_p99_seconds: '4',
    process_start_time_seconds: '7',
    seconds_count: '2',
  }
  expect(await values()).toMatchObject(whole)
  const [first = [], ...others] = workers
  workers = others
  summed.keep(first)
  expect(await values()).toMatchObject({ ...whole, open: '4' })
  workers = []
  for (const last of others) summed.keep(last)
  const { open, refused, ...counts } = await values()
  expect([open, refused]).toEqual([undefined, undefined])
  expect(counts).toMatchObject({ requests_total: '7', seconds_count: '2', 'seconds_bucket{le="1"}': '2' })
})
