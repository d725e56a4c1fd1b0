import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import { openProvider } from '../../src/modules/sign-in/oidc/real-provider.test-kit.ts'
import { openWorld } from '../support/world.ts'
import { openPage, story } from './browser.ts'

/** In front of the service, so that its public address is known before it starts; notes the cookies of each page. */
const cookies = new Map<string, string>()
let target = ''
const front = createServer((incoming, response) => {
  const { method, url = '', headers } = incoming
  cookies.set(url, headers.cookie ?? '')
  const sent = request(`${target}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
    answer.pipe(response)
  })
  incoming.pipe(sent)
})
await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening))
afterAll(() => {
  front.close()
  front.closeAllConnections()
})
const origin = `http://localhost:${(front.address() as AddressInfo).port}`
// Another site than `localhost`, as a provider is.
const provider = await openProvider({ origin })
const world = await openWorld({ env: { ...provider.env, PUBLIC_URL: origin } })
target = world.url

story("signing in at a provider of another site leads on with the session's strict cookie", async () => {
  // There is no application in this world: only what is sent to it matters.
  const page = await openPage({ url: origin, expects: /status of 404/ })
  // The provider's own pages ask the internet for a font.
  const isElsewhere = ({ hostname }: URL) => !['localhost', '127.0.0.1'].includes(hostname)
  await page.route(isElsewhere, (route) => route.fulfill({ contentType: 'text/css', body: '' }))
  await page.goto('/api/v1/auth/oidc/start?return_to=/backoffice/queue')
  await page.getByPlaceholder('Enter any login').fill('zoe')
  await page.getByPlaceholder('and password').fill('x')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${origin}/backoffice/queue`)
  expect(cookies.get('/backoffice/queue')).toMatch(/(^|; )parvis_session=[\w-]{43}(;|$)/)
  const kept = await page.context().cookies()
  expect(
    kept.filter(({ name }) => name.startsWith('parvis_')).map(({ name, sameSite }) => [name, sameSite]),
  ).toEqual(expect.arrayContaining([['parvis_session', 'Strict']]))
  expect(kept.map(({ name }) => name)).not.toContain('parvis_oidc')
})
