import { expect, test, vi } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { createLog } from '../log/log.ts'
import { generous, openSlowWorld } from './slow-world.test-kit.ts'

/** Opens a world and collects the request lines of its log. */
async function openLoggedWorld(options: Parameters<typeof openSlowWorld>[0] = {}) {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const requests = () => lines.map((line) => JSON.parse(line)).filter((line) => line.route !== undefined)
  return { ...(await openSlowWorld({ ...options, log })), lines, requests }
}

test('writes one log line per request, without the raw path, the query string or tokens', async () => {
  const { get, url, lines, requests } = await openLoggedWorld()
  await get('/communes?q=personal', { token: 'very-secret-token' })
  await fetch(`${url}/healthz`)
  await vi.waitFor(() => {
    expect(requests().map(({ route }) => route)).toEqual(['/api/v1/communes', '/healthz'])
  }, generous)
  expect(requests()[0]).toMatchObject({ method: 'GET', status: 200 })
  expect(requests()[0].request_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(lines.join()).not.toMatch(/personal|very-secret/)
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:77:88:99::1', '2001:db8:77::/48'],
  ['not an address', undefined],
])('the line of a request from %s shows %s and no more', async (address, shown) => {
  const { url, lines, requests } = await openLoggedWorld({ env: { TRUST_PROXY: '127.0.0.1' } })
  await fetch(`${url}/healthz`, { headers: { 'x-forwarded-for': address } })
  await vi.waitFor(() => expect(requests()).toHaveLength(1), generous)
  expect(requests()[0].from ?? undefined).toBe(shown)
  expect(lines.join()).not.toMatch(/113[.]77|:88:|not an address/)
})

test('the line of a request shows the error, the user and the application', async () => {
  const { get, client, user, requests } = await openLoggedWorld()
  const { token, id } = await user({ roles: ['support'] })
  await get('/communes', { source: 'PUBLIC' })
  await get('/communes', { source: null })
  await client({ source: 'backoffice', token }).get('/admin/users')
  await vi.waitFor(() => expect(requests()).toHaveLength(3), generous)
  expect(requests()).toEqual([
    expect.objectContaining({ level: 30, status: 200, app_source: 'public' }),
    expect.objectContaining({ level: 30, status: 400, error: 'missing_app_source' }),
    expect.objectContaining({
      ...{ level: 30, status: 403, error: 'admin_required', user_id: id, app_source: 'backoffice' },
    }),
  ])
  expect(requests()[0].error).toBeUndefined()
})

test('writes one line without a stack when the database is unavailable, and one for a client that disconnected', async () => {
  const { get, url, lines, requests, entered } = await openLoggedWorld()
  await get('/test/stuck')
  await vi.waitFor(() => expect(requests()).toHaveLength(1), generous)
  expect(requests()[0]).toMatchObject({
    ...{ level: 40, status: 503, error: 'unavailable', reason: expect.stringContaining('statement timeout') },
  })
  expect(lines.filter((line) => line.includes('stack'))).toEqual([])
  const controller = new AbortController()
  const { signal } = controller
  const left = fetch(`${url}/api/v1/test/waiting`, { headers: { 'x-app-source': 'public' }, signal })
  await entered
  controller.abort()
  await expect(left).rejects.toThrow()
  await vi.waitFor(() => expect(requests()).toHaveLength(2), generous)
  expect(requests()[1]).toMatchObject({ route: '/api/v1/test/waiting', aborted: true })
})

test('keeps secrets out of the log', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  log.info({ password: 'hush', headers: { authorization: 'hush' }, deep: { settings: { secret: 'hush' } } })
  const error = Object.assign(new Error('duplicate key'), {
    detail: 'Key (email)=(hush) exists',
    code: '23505',
  })
  log.error({ err: error })
  expect(lines.join()).not.toContain('hush')
  expect(lines[1]).toContain('23505')
})

test('ignored parameters of a public read are logged at debug level only', async () => {
  for (const level of ['debug', 'info'] as const) {
    const lines: { msg?: string; ignored?: string[] }[] = []
    const log = createLog(level, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const { get } = await openWorld({ log })
    expect((await get('/communes?departement=01&departemnt=02&utm_source=x')).status).toBe(200)
    const named = lines.filter(({ msg }) => msg === 'unknown query parameters ignored')
    expect(named.map(({ ignored }) => ignored)).toEqual(
      level === 'debug' ? [['departemnt', 'utm_source']] : [],
    )
  }
})
