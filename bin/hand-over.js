import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { findNode, isRecentEnough } from './bundled-node.js'

/** Signals to forward. SIGKILL and SIGSTOP cannot be caught, and Node reserves SIGUSR1. */
const passedOn = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'])

/**
 * Returns immediately on a Node that can run Parvis. On an older one, runs the script on the bundled Node
 * with the same arguments and standard streams, and exits with its status or signal. Plain JavaScript that
 * Node 18 can parse.
 */
export async function handOverIfOld() {
  if (isRecentEnough()) return
  const words = [...process.execArgv, ...process.argv.slice(1)]
  let node
  try {
    node = findNode()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
  const child = spawn(node, words, { stdio: 'inherit' })
  for (const signal of passedOn) process.on(signal, () => child.kill(signal))
  /** @type {[number | null, NodeJS.Signals | null]} */
  const [status, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (...ending) => resolve(ending))
  })
  if (signal === null) process.exit(status ?? 1)
  // Ends by the same signal, so that a shell or a supervisor sees the real cause.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  process.exit(128 + constants.signals[signal])
}
