import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject } from 'vitest'

/**
 * Notes for each test file which functions of the service ran in it, as `src/a.ts#name`: the others it need not be asked
 * about. Set up for each test file; workers of several count on from one to the next.
 */
declare module 'vitest' {
  interface ProvidedContext {
    /** The folder where that is noted. */
    reached: string
  }
}

const worker = globalThis as { coverage?: Session }
if (worker.coverage === undefined) {
  worker.coverage = new Session()
  worker.coverage.connect()
  worker.coverage.post('Profiler.enable')
  worker.coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
} else {
  worker.coverage.post('Profiler.takePreciseCoverage')
}

afterAll(() => {
  const file = relative('.', expect.getState().testPath ?? '')
  worker.coverage?.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    const called = result
      .filter(({ url }) => url.startsWith('file:') && url.includes('/src/'))
      .flatMap(({ url, functions }) =>
        functions
          .filter(({ functionName, ranges }) => functionName !== '' && ranges[0]?.count !== 0)
          .map(({ functionName }) => `${relative('.', fileURLToPath(url))}#${functionName}`),
      )
    writeFileSync(join(inject('reached'), file.replaceAll('/', '+')), [...new Set(called)].join('\n'))
  })
})
