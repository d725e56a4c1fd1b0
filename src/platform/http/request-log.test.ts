import { expect, test, vi } from 'vitest'
import { createLog } from '../log/log.ts'
import { openSlowWorld, patience } from './slow-world.test-kit.ts'

/** A world, and the lines that its log has of requests. */
async function openLoggedWorld(options: Parameters<typeof openSlowWorld>[0] = {}) {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const requests = () => lines.map((line) => JSON.parse(line)).filter((line) => line.route !== undefined)
  return { ...(await openSlowWorld({ ...options, log })), lines, requests }
}

test('the log has one line per request, without the path as it was sent, query strings and tokens', async () => {
  const { get, url, lines, requests } = await openLoggedWorld()
  await get('/communes?q=personal', { token: 'very-secret-token' })
  await fetch(`${url}/healthz`)
  await vi.waitFor(() => {
    expect(requests().map(({ route }) => route)).toEqual(['/api/v1/communes', '/healthz'])
  }, patience)
  expect(requests()[0]).toMatchObject({ method: 'GET', status: 200 })
  expect(requests()[0].request_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(lines.join()).not.toMatch(/personal|very-secret/)
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:77:88:99::1', '2001:db8:77::/48'],
  ['not an address', undefined],
])('the line of a request from %s tells %s of it, and no more', async (address, shown) => {
  const { url, lines, requests } = await openLoggedWorld({ env: { TRUST_PROXY: '127.0.0.1' } })
  await fetch(`${url}/healthz`, { headers: { 'x-forwarded-for': address } })
  await vi.waitFor(() => expect(requests()).toHaveLength(1), patience)
  expect(requests()[0].from ?? undefined).toBe(shown)
  expect(lines.join()).not.toMatch(/113[.]77|:88:|not an address/)
})

test('the line of a request tells the error, the user and the application', async () => {
  const { get, client, user, requests } = await openLoggedWorld()
  const { token, id } = await user({ roles: ['support'] })
  await get('/communes', { source: 'PUBLIC' })
  await get('/communes', { source: null })
  await client({ source: 'backoffice', token }).get('/admin/users')
  await vi.waitFor(() => expect(requests()).toHaveLength(3), patience)
  expect(requests()).toEqual([
    expect.objectContaining({ level: 30, status: 200, app_source: 'public' }),
    expect.objectContaining({ level: 30, status: 400, error: 'missing_app_source' }),
    expect.objectContaining({
      ...{ level: 30, status: 403, error: 'admin_required', user_id: id, app_source: 'backoffice' },
    }),
  ])
  expect(requests()[0].error).toBeUndefined()
})

test('the log has one line without a stack where the database does not serve, and one for who left', async () => {
  const { get, url, lines, requests, entered } = await openLoggedWorld()
  await get('/test/stuck')
  await vi.waitFor(() => expect(requests()).toHaveLength(1), patience)
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
  await vi.waitFor(() => expect(requests()).toHaveLength(2), patience)
  expect(requests()[1]).toMatchObject({ route: '/api/v1/test/waiting', aborted: true })
})

test('the log keeps secrets out of whatever it is given', () => {
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
