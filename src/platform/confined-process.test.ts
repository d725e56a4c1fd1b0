import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confinement, startConfined } from './confined-process.ts'

const script = fileURLToPath(new URL('./confined-process.test-worker.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'confined-'))
chmodSync(folder, 0o755)
const secret = join(folder, 'secret')
writeFileSync(secret, 'AUTH_JWT_SECRET=planted', { mode: 0o600 })

let child: ChildProcess
let onPort: Server
let onSocket: Server
const socket = join(folder, 'socket')

beforeAll(async () => {
  onPort = createServer().listen(0, '127.0.0.1')
  onSocket = createServer().listen(socket)
  await Promise.all([once(onPort, 'listening'), once(onSocket, 'listening')])
  child = await startConfined(script, { execArgv: ['--max-old-space-size=128'] })
  expect(await once(child, 'message')).toEqual(['ready', undefined])
})
afterAll(() => {
  child.kill('SIGKILL')
  onPort.close()
  onSocket.close()
})

const port = () => `${(onPort.address() as AddressInfo).port}`

async function attempt(what: string, target = ''): Promise<unknown> {
  child.send([what, target])
  const [answer] = await once(child, 'message')
  return answer
}

test.each([
  ['reads the file of secrets', 'read', () => secret],
  ['reads the settings of the service', 'read', () => join(process.cwd(), '.env')],
  ['reads the accounts of the system', 'read', () => '/etc/passwd'],
  ['lists a folder', 'list', () => folder],
  ['writes a file', 'write', () => join(folder, 'written')],
  ['runs a program', 'run', () => '/bin/sh'],
  ['starts a thread', 'thread', () => '1'],
  ['connects to a port of the machine', 'connect', port],
  ['connects to a socket of the machine', 'connect', () => socket],
  ['opens a port', 'listen', () => '0'],
  ['reads the environment of the service', 'parent', () => ''],
])('a process that was taken over and %s is denied', async (_what, what, target) => {
  expect(await attempt(what, target())).toEqual({ error: 'ERR_ACCESS_DENIED' })
})

test('its environment has nothing of the service', async () => {
  const { result } = (await attempt('environment')) as { result: string }
  expect(
    Object.keys(JSON.parse(result)).filter((name) => !/^(NODE_CHANNEL_|PWD$|_$|SHLVL$|OLDPWD$)/.test(name)),
  ).toEqual([])
})

/** Runs a program as machine code would run that has got around Node. */
async function run(command: string, ...rest: string[]): Promise<string> {
  const { command: confined } = await confinement()
  const [program = '', ...before] = confined
  const shell = ['/bin/sh', '-c', command, 'sh', ...rest]
  const run = promisify(execFile)(program, [...before, ...shell], { env: {}, cwd: '/' })
  return run.then(
    ({ stdout }) => stdout.trim(),
    () => 'failed',
  )
}
const { missing } = await confinement()

test('machine code has limits of memory, processor and files, and writes none', async () => {
  expect(await run('ulimit -n; ulimit -t; ulimit -f; ulimit -c')).toBe('64\n240\n0\n0')
  const file = join(folder, 'written')
  expect(await run('echo much > "$1"', file)).toBe('failed')
})

test.skipIf(missing.includes('privileges'))('machine code gains no privileges', async () => {
  const status = await run('cat /proc/self/status')
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  expect(status).toMatch(/^CapBnd:\s+0+$/m)
})

test.skipIf(missing.includes('network'))('machine code finds no network but its own', async () => {
  expect(await run('tail -n +3 /proc/net/dev | cut -d: -f1')).toBe('lo')
  const connecting = `require('net').connect(${port()}, '127.0.0.1').on('error', ({ code }) => console.log(code))`
  expect(await run('"$1" -e "$2"', process.execPath, connecting)).toMatch(/^(ECONNREFUSED|ENETUNREACH)$/)
})

test.skipIf(missing.includes('user'))('machine code is another user, to whom nothing is open', async () => {
  expect(await run('id -u; id -G')).toBe('61111\n61111')
  expect(await run('cat "$1"', secret)).toBe('failed')
  expect(await run('cat "/proc/$1/environ"', `${process.pid}`)).toBe('failed')
  expect(await run('kill -0 "$1"', `${process.pid}`)).toBe('failed')
  expect(await run('touch "$1"', join(folder, 'touched'))).toBe('failed')
  expect(readdirSync(folder)).not.toContain('touched')
})
