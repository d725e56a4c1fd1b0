import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const cache = resolve('node_modules/.cache')
const packageFile = createRequire(import.meta.url)
  .resolve('@sparticuz/chromium')
  .replace(/\/build\/.*$/, '/package.json')
const { version } = JSON.parse(readFileSync(packageFile, 'utf8'))

export type Chromium = { executablePath: string; env: Record<string, string> }

/** The browser for stories, or why there is none: `CHROME_PATH`, else the one installed by npm (Linux on x64). */
export async function findChromium(env = process.env): Promise<Chromium | { missing: string }> {
  if (env.PARVIS_TEST_BROWSER === 'off') return { missing: 'PARVIS_TEST_BROWSER is off' }
  if (env.CHROME_PATH) return { executablePath: env.CHROME_PATH, env: {} }
  if (platform() !== 'linux' || arch() !== 'x64')
    return { missing: `no browser comes for ${platform()} on ${arch()}: set CHROME_PATH to one` }
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) await underLock(`${folder}.lock`, () => unpack(folder))
  const executablePath = join(folder, 'chromium')
  // The same fonts in every screenshot on every machine.
  const fonts = { FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  const { stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' })
  const libraries = stdout?.includes('not found') ? { LD_LIBRARY_PATH: join(folder, 'al2023/lib') } : {}
  return { executablePath, env: { ...fonts, ...libraries } }
}

/** Flags of ours: those of the package switch off the web's security and the separation of processes. */
export const flags = ['--font-render-hinting=none', '--disable-dev-shm-usage', '--disable-gpu']

/** The package unpacks into a temporary folder, which is renamed once it is complete. */
function unpack(folder: string): void {
  if (existsSync(folder)) return
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const script = "await (await import('@sparticuz/chromium')).default.executablePath()"
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: dirname(packageFile),
    // The second one unpacks the system's libraries too, for machines that lack them.
    env: { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x', NODE_OPTIONS: '' },
  })
  writeFileSync(join(unfinished, 'fonts.conf'), fontsOf(folder))
  renameSync(unfinished, folder)
}

const fontsOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

/** Locks the folder against concurrent workers. The lock of a killed process expires after a minute. */
async function underLock(lock: string, work: () => void): Promise<void> {
  mkdirSync(dirname(lock), { recursive: true })
  while (!tryToLock(lock)) await sleep(100)
  try {
    work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function tryToLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const heldSince = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - heldSince > 60_000) rmSync(lock, { recursive: true, force: true })
    return false
  }
}
