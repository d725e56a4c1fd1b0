import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { openProvider } from '../../src/modules/sign-in/oidc/real-provider.test-kit.ts'
import { putTotp, totpOf } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { openWorld } from '../support/world.ts'
import { builtWebApp, openPage, story } from './browser.ts'

const webApp = await builtWebApp()

/** Proxy in front of the service, whose public address is known before the service starts. Records cookies by path. */
const cookies = new Map<string, string>()
let target = ''
const front = createServer((incoming, response) => {
  const { method, url = '', headers } = incoming
  cookies.set(url, headers.cookie ?? '')
  const sent = request(`${target}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
    answer.pipe(response)
  })
  sent.on('error', () => response.destroy())
  response.on('close', () => sent.destroy())
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
const world = await openWorld({
  webApp,
  env: { ...provider.env, PUBLIC_URL: origin, SECOND_FACTOR: 'none' },
})
const { db, user } = world
target = world.url

async function openVisit() {
  const page = await openPage({ url: origin, expects: /status of (401|403)/ })
  // The provider's own pages ask the internet for a font.
  const isElsewhere = ({ hostname }: URL) => !['localhost', '127.0.0.1'].includes(hostname)
  await page.context().route(isElsewhere, (route) => route.fulfill({ contentType: 'text/css', body: '' }))
  return page
}

async function logIn(page: Page, name: string) {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('x')
  await page.keyboard.press('Enter')
}

/** Logs in at the provider and agrees to share the claims, as the first visit of a browser asks. */
async function logInFirst(page: Page, name: string) {
  await logIn(page, name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const memberOf = (subject: string, role: 'admin' | 'moderator') =>
  user({ issuer: provider.issuer, subject, roles: [role], nom: subject })

story('signing in at a provider of another site works with a SameSite=Strict session cookie', async () => {
  const page = await openVisit()
  await page.goto('/api/v1/auth/oidc/start?return_to=/backoffice/queue')
  await logInFirst(page, 'zoe')
  await page.waitForURL(`${origin}/backoffice/queue`)
  expect(cookies.get('/backoffice/queue')).toMatch(/(^|; )parvis_session=[\w-]{43}(;|$)/)
  const kept = await page.context().cookies()
  expect(
    kept.filter(({ name }) => name.startsWith('parvis_')).map(({ name, sameSite }) => [name, sameSite]),
  ).toEqual(expect.arrayContaining([['parvis_session', 'Strict']]))
  expect(kept.map(({ name }) => name)).not.toContain('parvis_oidc')
})

story('a protected action waits for confirmation at the provider in another tab and continues', async () => {
  const admin = await memberOf('ada', 'admin')
  const person = await user({ nom: 'Camille Petit' })
  const rolesOfPerson = async () =>
    (await db.selectFrom('user_roles').select('role').where('user_id', '=', person.id).execute()).map(
      ({ role }) => role,
    )
  const page = await openVisit()
  const asked: URLSearchParams[] = []
  page.context().on('request', (sent) => {
    const url = new URL(sent.url())
    if (url.href.startsWith(`${provider.issuer}/auth?`)) asked.push(url.searchParams)
  })
  await page.goto('/api/v1/auth/oidc/start')
  await logInFirst(page, 'ada')
  await page.waitForURL(`${origin}/backoffice/`)
  await db.updateTable('sessions').set({ confirmed_until: null }).where('user_id', '=', admin.id).execute()

  await page.goto(`/backoffice/users/${person.id}`)
  await page.getByRole('button', { name: 'Attribuer : Modération' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' })
  const opened = page.context().waitForEvent('page')
  await dialog.getByRole('link', { name: 'Confirmer avec ProConnect' }).click()
  const tab = await opened
  await tab.getByPlaceholder('Enter any login').waitFor()
  // Without the confirmation the action is refused again, and the dialog stays.
  const refused = page.waitForResponse((response) => response.status() === 403)
  await comeBack(page)
  await refused
  await dialog.getByRole('link', { name: 'Confirmer avec ProConnect' }).waitFor()
  expect(await rolesOfPerson()).toEqual([])

  await logIn(tab, 'ada')
  await tab.waitForURL(`${origin}/backoffice/`)
  await tab.close()
  await comeBack(page)
  await page.getByText('Le rôle est attribué').waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await rolesOfPerson()).toEqual(['moderator'])
  expect(asked.map((query) => [query.get('prompt'), query.get('max_age')])).toEqual([
    [null, null],
    ['login', '0'],
  ])
})

/** A headless browser treats each of its tabs as the visible one. */
const comeBack = (page: Page) => page.evaluate('dispatchEvent(new Event("focus"))')

story(
  'a user with a second factor enters it after the provider, and reaches the requested page',
  async () => {
    const { id } = await memberOf('ines', 'moderator')
    const app = await putTotp(db, id)
    const page = await openVisit()
    await page.goto('/backoffice/sign-in?next=%2Fclaims')
    await page.getByRole('link', { name: 'Se connecter avec ProConnect' }).click()
    await logInFirst(page, 'ines')
    await page.getByText('montrez votre second facteur').waitFor()
    expect(page.url()).toBe(`${origin}/backoffice/sign-in?next=%2Fclaims`)
    await page.getByLabel('Code de l’application').fill(totpOf(app))
    await page.waitForURL(`${origin}/backoffice/claims`)
    await page.getByRole('button', { name: 'Compte : ines' }).waitFor()
  },
)
