import { expect } from 'vitest'
import { type Content, loadFewCommunes } from './content.ts'
import { killPostgres } from './postgres.ts'
import { endedWell, killService, type Service, startService, stop, timeoutMs, until } from './service.ts'

export const isLong = Boolean(process.env.PARVIS_TEST_LONG)
/** In each round each victim is killed once; the long run explores more delays and orders. */
export const rounds = isLong ? 20 : 1
export const timeout = rounds * timeoutMs

export const victims = ['service', 'PostgreSQL', 'both'] as const
type Victim = (typeof victims)[number]

export const withoutDemo: Content = { demo: false }
export const settingsFor = ({ demo, few }: Content) => ({
  SEED: demo ? 'demo' : 'none',
  ...(few && loadFewCommunes()),
})

export const startIn = (dataDir: string, random: () => number, content = withoutDemo) =>
  startService({ dataDir, by: random() < 0.5 ? 'npm' : 'node', env: settingsFor(content) })

/** Kills PostgreSQL alone: the service recovers, or exits with a reason and leaves none behind. Then all are gone. */
export async function kill(service: Service, victim: Victim): Promise<void> {
  if (victim === 'service') return killService(service)
  killPostgres(service.dataDir, { whole: victim === 'both' })
  if (victim === 'both') return killService(service)
  await until(() => service.state.readyMs !== null || service.state.ending !== null)
  if (service.state.readyMs !== null) {
    expect(await stop(service)).toEqual(endedWell)
    return
  }
  expect(await service.ended).toEqual({ status: 1, signal: null })
  expect(service.state.err).toMatch(/^[^\n]+[^\s:]\n$/)
}

export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const placed = values.map((value) => ({ value, place: random() }))
  return placed.sort((a, b) => a.place - b.place).map(({ value }) => value)
}
