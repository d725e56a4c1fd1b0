import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchDatabase, run } from '../connections.ts'
import { type Bench, ms, verdictOf, whole } from '../measure.ts'
import type { Row } from '../report.ts'
import { startService } from '../service.ts'

/** Measures the resources of an idle service. */
export async function footprint({ database, world }: Pick<Bench, 'database' | 'world'>): Promise<Row[]> {
  const { startMs, memoryMb, stop } = await startService({ name: 'another-start', database })
  await sleep(3_000)
  const idle = memoryMb()
  await stop()
  const disk = await diskMb(database)
  const maxDisk = (3 * 1_024 * world.count) / 1_000_000
  return [
    row('later start', startMs, ms, 1_000, 'start_ms'),
    row('idle memory of one process', idle, (mb) => `${whole(mb)} MB`, 200, 'idle_mb'),
    row('publications on disk, with indexes', disk, (mb) => `${whole(mb)} MB`, maxDisk, 'disk_mb'),
  ]
}

function row(
  scenario: string,
  value: number | null,
  shown: (value: number) => string,
  most: number,
  name: string,
): Row {
  return {
    scenario,
    measured: value === null ? '' : shown(value),
    target: `≤ ${shown(most)}`,
    verdict: value === null ? 'skipped' : verdictOf(value <= most),
    notes: [],
    figures: value === null ? {} : { [name]: value },
  }
}

/** Returns the disk space of publications and their dependent tables. */
async function diskMb({ superuser }: BenchDatabase): Promise<number> {
  const [{ mb }] = await run(
    superuser,
    `select sum(pg_total_relation_size(oid)) / 1024 ^ 2 as mb from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname ~ '^(publication|duplicate_groups)'`,
  )
  return mb
}
