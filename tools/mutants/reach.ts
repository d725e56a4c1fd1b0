import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject } from 'vitest'

/**
 * Records which functions of the service ran in each test file, as `src/a.ts#name`, so that other tests can
 * be skipped. Installed for each test file; the counters of a worker continue from one file to the next.
 */
declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of these records. */
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
