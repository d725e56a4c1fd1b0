// A worker of a service with several: the primary process starts it, see src/workers/workers.ts.
if (process.send === undefined) {
  console.error(
    'This is a worker of Parvis, which starts its workers itself: run bin/parvis.js with WORKERS=2.',
  )
  process.exit(1)
}
await import('./compile-cache.js')
await import('./small-start.js')
await import('../src/workers/worker.ts')
