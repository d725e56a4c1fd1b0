import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Snapshot } from './messages.ts'

type Source = {
  registry: Registry
  /** Returns the values of each worker that serves. */
  measure(): Promise<Snapshot[]>
}
export type SummedMetrics = ReturnType<typeof sumMetrics>

/**
 * Sums the metrics of the primary process and its workers. The counts of a worker that has ended remain, as it last
 * reported them: otherwise a sum would fall, which Prometheus takes for a restart that counted everything again.
 */
export function sumMetrics({ registry, measure }: Source) {
  let ended: Snapshot = []
  return {
    contentType: registry.contentType,
    async metrics(): Promise<string> {
      const own = (await registry.getMetricsAsJSON()).map((metric) => ({
        ...metric,
        ...aggregatorOf(metric),
      }))
      const workers = await measure()
      // The first snapshot that has a metric decides how it is combined.
      return sum([own, ended, ...workers]).metrics()
    },
    /** Keeps the counts of a worker that has ended. At once: it is no longer measured. */
    keep(last: Snapshot): void {
      const counts = last.filter(({ type }) => `${type}` === 'counter' || `${type}` === 'histogram')
      ended = sum([ended, counts]).getMetricsAsArray() as unknown as Snapshot
    },
  }
}

const sum = (snapshots: Snapshot[]) => AggregatorRegistry.aggregate(snapshots)

/** Shows the worst delay of any process instead of their mean, and since when the instance has run. */
function aggregatorOf({ name }: { name: string }) {
  if (name === 'process_start_time_seconds') return { aggregator: 'first' as const }
  const isDelay = name.startsWith('nodejs_eventloop_lag') && !name.includes('_min_')
  return isDelay ? { aggregator: 'max' as const } : {}
}
