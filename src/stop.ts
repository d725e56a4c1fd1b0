type Close = () => unknown
export type Opened = (close: Close) => void

/**
 * Runs until SIGTERM or SIGINT, then closes what was opened, the latest first, and exits with 0, or 1 when something did
 * not close. A start that fails closes what it had opened too, and throws.
 */
export async function runUntilSignal(start: (opened: Opened) => Promise<void>): Promise<never> {
  const closers: Close[] = []
  let status = 0
  // One that fails keeps none of the others from closing.
  const closeAll = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      try {
        await close()
      } catch (error) {
        process.stderr.write(`While closing: ${(error as Error).message}\n`)
        status = 1
      }
    }
  }
  const signal = firstSignal()
  const starting = start((close) => {
    closers.push(close)
    if (signal.received) throw new Error('stopped while starting')
  })
  try {
    await Promise.race([starting.then(() => signal.promise), signal.promise])
  } catch (error) {
    await closeAll()
    throw error
  }
  setTimeout(() => process.exit(0), 9_500)
  await closeAll()
  // A start that the signal met half-way ends at its next step; what that step opened is closed as well.
  await starting.catch(() => {})
  await closeAll()
  process.exit(status)
}

/** One Ctrl-C reaches npm's child twice in the same instant: only a later signal means "now". */
function firstSignal() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let at: number | null = null
  const receive = () => {
    at ??= performance.now()
    if (performance.now() - at >= 1_000) process.exit(1)
    resolve()
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    const before = process.listeners(name)
    // In this order: between two listeners a signal would be lost.
    process.on(name, receive)
    for (const listener of before) process.off(name, listener)
  }
  return {
    promise,
    get received() {
      return at !== null
    },
  }
}
