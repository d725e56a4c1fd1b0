import { expect, test } from 'vitest'
import { listenOnceCalm } from './parts.ts'

test('the service listens only once the load of its start has ended', async () => {
  const steps: string[] = []
  const pressure = [true, true, false]
  const server = {
    ready: async () => void steps.push('ready'),
    isUnderPressure() {
      const isBusy = pressure.shift() ?? false
      steps.push(isBusy ? 'busy' : 'calm')
      return isBusy
    },
    async listen() {
      steps.push('listen')
      return 'http://localhost'
    },
  }
  expect(await listenOnceCalm(server as never, { port: 0 })).toBe('http://localhost')
  expect(steps).toEqual(['ready', 'busy', 'busy', 'calm', 'listen'])
})
