import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// For the workers and for the services that tests start: what is compiled once is read the next time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url))

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'demo/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/matchers.ts'],
    // A loaded machine is slow, not wrong.
    testTimeout: process.env.PARVIS_TEST_LONG ? 600_000 : 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    pool: 'threads',
    // What a file changes for the whole process it puts back: importing everything anew for each costs a second and more.
    isolate: false,
    // One more than the processors of the smallest machine that runs them: many tests wait.
    maxWorkers: 3,
  },
})
