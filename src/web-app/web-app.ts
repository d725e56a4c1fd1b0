import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { glob, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { readSite, type Site } from './site.ts'

/**
 * Returns a digest of the inputs of a build: its sources, the build script and the versions of its
 * dependencies.
 */
export async function stampOf(root: string): Promise<string> {
  const paths: string[] = []
  const sources = [
    ...['web/**/*.*', 'src/modules/*/fields.ts', 'src/modules/communes/outlines.json'],
    ...['src/web-app/build.ts', 'package-lock.json'],
  ]
  for await (const path of glob(sources, { cwd: root, exclude: ['web/dist/**'] })) paths.push(path)
  const digest = createHash('sha256')
  for (const path of paths.sort()) {
    const content = await readFile(join(root, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EISDIR') return ''
      throw error
    })
    digest.update(`${path}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex').slice(0, 20)
}

/**
 * The back-office application of this instance. States:
 *
 * waiting → ready (a release's `web/dist`, or an earlier build in the data folder)
 * waiting → building → ready
 *           building → failed → building …, after a minute, then longer and longer
 */
export type WebApp = {
  readonly state: 'waiting' | 'building' | 'failed' | 'ready'
  /** Null until it is ready. */
  readonly site: Site | null
  /** Loads an application that is built already. Call it before the service listens. */
  find(): Promise<void>
  /** Builds the application unless one was found. Call it once the service listens. Resolves when ready or closed. */
  prepare(): Promise<void>
  close(): Promise<void>
}

type Options = {
  dataDir: string
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Folder of `web/`. */
  root?: string
  retryMs?: number
  /** False: waits until another instance on this data folder has built it. */
  builds?: boolean
}

const ownRoot = resolve(import.meta.dirname, '../..')
const buildTimeoutMs = 300_000

export function createWebApp({ dataDir, log, builds = true, ...options }: Options): WebApp {
  const { root = ownRoot, retryMs = 60_000 } = options
  const closing = new AbortController()
  let state: WebApp['state'] = 'waiting'
  let site: Site | null = null
  let running: Promise<void> = Promise.resolve()

  async function find(): Promise<void> {
    if (!(await load(join(root, 'web/dist')))) await load(await ownBuild())
  }
  const ownBuild = async () => join(dataDir, 'web', await stampOf(root))

  async function findOrBuild(): Promise<void> {
    if (site === null) await load(join(root, 'web/dist'))
    while (!builds && site === null && !closing.signal.aborted) {
      await find().catch(() => {})
      if (site === null) await sleep(500, null, { signal: closing.signal, ref: false }).catch(() => {})
    }
    for (
      let waitMs = retryMs;
      site === null && !closing.signal.aborted;
      waitMs = Math.min(2 * waitMs, 3_600_000)
    ) {
      try {
        await findOrBuildInDataDir()
      } catch (error) {
        if (closing.signal.aborted) return
        state = 'failed'
        const message = 'the back-office application could not be built: there is another attempt later'
        log.warn({ err: error, retry_in_s: Math.round(waitMs / 1_000) }, message)
        await sleep(waitMs, null, { signal: closing.signal, ref: false }).catch(() => {})
      }
    }
  }

  /** Returns false, and changes nothing, if the folder holds no whole application. */
  async function load(from: string): Promise<boolean> {
    const found = await readSite(from)
    if (found === null) return false
    site = found
    state = 'ready'
    return true
  }

  async function findOrBuildInDataDir(): Promise<void> {
    const target = await ownBuild()
    if (await load(target)) return
    const [builds, stamp] = [dirname(target), basename(target)]
    state = 'building'
    const startedAt = performance.now()
    await mkdir(builds, { recursive: true })
    await removeOld(builds)
    await runBuild(root, target, closing.signal)
    if (!(await load(target))) throw new Error('The build has left no whole folder.')
    const ms = Math.round(performance.now() - startedAt)
    log.info({ stamp, ms }, 'the back-office application is built')
  }

  return {
    get state() {
      return state
    },
    get site() {
      return site
    },
    // Errors are ignored: `prepare` repeats the same reads and reports them.
    find: () => find().catch(() => {}),
    prepare() {
      running = findOrBuild()
      return running
    },
    async close() {
      closing.abort()
      await running
    },
  }
}

/** Builds in a separate process of low priority, so that the service still responds. */
async function runBuild(root: string, folder: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [join(root, 'src/web-app/build.ts'), folder], {
    cwd: root,
    // No passwords and keys of the service for the tools of the build.
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
    timeout: buildTimeoutMs,
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-2_000)
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  child.once('error', reject)
  child.once('close', (status) => {
    if (status === 0) resolve()
    else reject(new Error(output.trim() || `The build ended with ${status ?? 'a signal'}.`))
  })
  await promise.finally(() => removeUnfinished(join(folder, '..'), child.pid))
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10)
  } catch {
    // The process has already ended, or the system does not allow it.
  }
}

/** Removes the temporary folder of a build that was killed. */
async function removeUnfinished(builds: string, pid: number | undefined): Promise<void> {
  const names = await readdir(builds).catch(() => [])
  for (const name of names) {
    if (name.startsWith(`.building-${pid}-`)) await rm(join(builds, name), { recursive: true, force: true })
  }
}

/**
 * Removes builds of other versions and leftovers of killed builds after a day: another instance may still be
 * building one, or have just built it.
 */
async function removeOld(builds: string): Promise<void> {
  const dayAgo = Date.now() - 86_400_000
  for (const name of await readdir(builds)) {
    const path = join(builds, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (mtimeMs < dayAgo) await rm(path, { recursive: true, force: true })
  }
}
