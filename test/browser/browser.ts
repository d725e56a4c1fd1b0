import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import pg from 'pg'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { readSite, type Site } from '../../src/web-app/site.ts'
import { stampOf } from '../../src/web-app/web-app.ts'
import { findChromium, flags } from './chromium.ts'

const found = await findChromium()
if ('missing' in found) {
  const line = `THE STORIES IN A BROWSER DID NOT RUN: ${found.missing}.`
  process.stderr.write(`\n${'!'.repeat(line.length)}\n${line}\n${'!'.repeat(line.length)}\n\n`)
}

const hasBrowser = !('missing' in found)

/**
 * A test in a real browser; skipped with a warning if there is none. It is skipped while it runs: if all tests of a
 * file were skipped before, Vitest would not call `afterAll`, and the file's database would stay.
 */
export const story = test.extend<{ needsBrowser: undefined }>({
  needsBrowser: [
    async ({ skip }, use) => {
      if ('missing' in found) skip(found.missing)
      await use(undefined)
    },
    { auto: true },
  ],
})

const cache = resolve('node_modules/.cache')
/** The application as released, built once for each state of its sources. */
export const builtWebApp = () => builtSite('web', 'production')

/** The page of all components, instead of the application. */
export const builtComponents = () => builtSite('web-components', 'components')

async function builtSite(place: string, mode: string) {
  const site = sites.get(place) ?? readBuilt(place, mode)
  sites.set(place, site)
  return { site: await site, state: 'ready' } as const
}

/** Files of a worker share what it has read. */
const sites = new Map<string, Promise<Site | null>>()

async function readBuilt(place: string, mode: string): Promise<Site | null> {
  const folder = join(cache, place, await stampOf('.'))
  if (hasBrowser && (await readSite(folder)) === null) await build(folder, mode)
  return readSite(folder)
}

/** Built by the first file that needs it; other workers wait. */
async function build(folder: string, mode: string): Promise<void> {
  const client = new pg.Client(inject('locks'))
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [folder])
    if ((await readSite(folder)) !== null) return
    const env = { ...process.env, NODE_ENV: 'production' }
    execFileSync(process.execPath, ['src/web-app/build.ts', folder, mode], { env, stdio: 'pipe' })
  } finally {
    await client.end()
  }
}

let browser: Promise<Browser> | null = null

/** One browser per worker, whose files share this module. It ends with the worker. */
function openBrowser(): Promise<Browser> {
  if ('missing' in found) throw new Error(found.missing)
  const { executablePath, env } = found
  browser ??= chromium.launch({
    executablePath,
    // All pages of a context that show one site share a process.
    args: [...flags, '--process-per-site'],
    env: { ...process.env, ...env } as Record<string, string>,
  })
  return browser
}

type Usual = { url: string; isTaken: boolean; context: BrowserContext; anchor: Page }

/**
 * The context that the stories of a file use one after the other, emptied in between. Its anchor, a page that shows a
 * text, keeps the process of the site alive: that process has compiled the application, which halves the time to load it.
 */
let usual: Usual | null = null

/** Takes the usual context, or opens another one for further pages of a story and for special options. */
async function takeContext(url: string, options: BrowserContextOptions) {
  const opened = await openBrowser()
  const open = () => opened.newContext({ ...defaultOptions, ...options, baseURL: url })
  if (usual?.isTaken || Object.keys(options).length > 0) {
    const context = await open()
    return { context, leave: () => context.close() }
  }
  if (usual?.url !== url) {
    await usual?.context.close()
    const context = await open()
    const anchor = await context.newPage()
    await anchor.goto('/backoffice/reload.js')
    usual = { url, isTaken: false, context, anchor }
  }
  const taken = usual
  taken.isTaken = true
  const leave = async () => {
    await empty(taken)
    taken.isTaken = false
  }
  return { context: taken.context, leave }
}

const defaultOptions = {
  viewport: { width: 1280, height: 800 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
  locale: 'fr-FR',
  timezoneId: 'Europe/Paris',
} satisfies BrowserContextOptions

/** Closes the pages of a story, and removes all that it has left in the browser. */
async function empty({ context, anchor }: Usual): Promise<void> {
  await Promise.all(context.pages().map((page) => page !== anchor && page.close()))
  context.removeAllListeners('request')
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)])
  await anchor.evaluate(forgetAll)
}

const forgetAll = `(async () => {
  localStorage.clear()
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
})()`

type PageOptions = {
  url: string
  /** The cookie of a session, for stories that are not about signing in: `openSession` in test/support/sessions.ts. */
  session?: { value: string }
  width?: number
  height?: number
  dark?: boolean
  /** Whether a user without a name is asked for it. */
  asksName?: boolean
  /** Errors that the story causes on purpose. */
  expects?: RegExp
} & Pick<BrowserContextOptions, 'locale' | 'reducedMotion' | 'hasTouch' | 'isMobile' | 'javaScriptEnabled'>

/** How many times slower than the machine pages are: `npm run test:again`. */
const slowdown = Number(process.env.PARVIS_TEST_SLOWDOWN ?? 1)

/** Types digits into the field of a date or time, from its first part on. */
export async function typeDate(field: Locator, digits: string): Promise<void> {
  const first = field.getByRole('spinbutton').first()
  await first.focus()
  await untilFocused(first)
  await field.page().keyboard.type(digits)
}

/** Parts of the date or time in a field, as they are shown. */
export const dateIn = async (field: Locator): Promise<string> =>
  (await field.getByRole('spinbutton').allInnerTexts()).join(' ')

/** Opens an isolated page. The test fails on any error that the browser reports. */
export async function openPage({
  url,
  session,
  width = 1280,
  height = 800,
  dark = false,
  asksName = false,
  expects,
  ...options
}: PageOptions): Promise<Page> {
  const { context, leave } = await takeContext(url, options)
  context.setDefaultTimeout(60_000)
  if (session)
    await context.addCookies([{ name: 'parvis_session', value: session.value, url, sameSite: 'Strict' }])
  const page = await context.newPage()
  if (width !== 1280 || height !== 800) await page.setViewportSize({ width, height })
  if (!asksName)
    await page.addInitScript(`try { localStorage['parvis.settings'] ??= '{"asksName":false}' } catch {}`)
  if (dark) await page.emulateMedia({ colorScheme: 'dark' })
  if (slowdown > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  }
  const complaints: { text: string; url?: string }[] = []
  page.on('pageerror', (error) => complaints.push({ text: error.stack ?? error.message }))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push({ text: message.text(), url: message.location().url })
  })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await describe(page, task.name)
    await leave()
    expect(complaints.filter(({ text }) => !expects?.test(text))).toEqual([])
  })
  return page
}

/**
 * Routes the requests of a page to a path. Chromium tells a page that is open about it after it has told us: one request
 * in a hundred, sent at once on a busy machine, was not intercepted.
 */
export async function intercept(page: Page, ...[path, ...how]: Parameters<Page['route']>): Promise<void> {
  await page.route(path, ...how)
  if (page.url() === 'about:blank') return
  const probe = '/healthz?intercepted'
  await page.route(`**${probe}`, (route) => route.fulfill({ status: 204 }))
  await page.evaluate(async (address) => {
    while ((await fetch(address)).status !== 204);
  }, probe)
  await page.unroute(`**${probe}`)
}

/**
 * Makes a change between what the page shows and what it sends: when its next request that writes to the path leaves.
 * A change made earlier may reach the page before the action, by an event or a reload.
 */
export async function meanwhile(page: Page, path: string, change: () => Promise<unknown>): Promise<void> {
  let isMade = false
  await intercept(page, path, async (route) => {
    if (isMade || route.request().method() === 'GET') return route.fallback()
    isMade = true
    await change()
    await route.continue()
  })
}

/** Loses the response to the next request that writes to the path, which the service has carried out. */
export async function loseResponse(page: Page, path: string): Promise<void> {
  let isLost = false
  await intercept(page, path, async (route) => {
    if (isLost || route.request().method() === 'GET') return route.fallback()
    isLost = true
    // A browser adds the origin of the page, which allows the cookie.
    const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' }
    const response = await route.fetch({ headers })
    if (!response.ok()) throw new Error(`The request to ${path} was refused: ${response.status()}`)
    await route.abort()
  })
}

/** Saves a screenshot when a story fails, and prints what the page shows for those who read only the log. */
async function describe(page: Page, story: string): Promise<void> {
  await page.screenshot({ path: pictureOf(story) })
  const shown = await page.locator('body').ariaSnapshot()
  process.stderr.write(`The page when "${story}" failed, ${page.url()}:\n${shown.slice(0, 6_000)}\n`)
}

function pictureOf(story: string): string {
  const folder = join(cache, 'browser-failures')
  mkdirSync(folder, { recursive: true })
  return join(folder, `${story.replaceAll(/\W+/g, '-').slice(0, 80)}.png`)
}

/** Returns the accessibility violations that axe finds on the current page. */
export const barriers = (page: Page): Promise<string[]> => axeOn(page, wcag)

/** Returns the violations in both themes; the other theme differs in colours only. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  const found = await barriers(page)
  const isDark = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await page.emulateMedia({ colorScheme: other })
  const inTheOther = await axeOn(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: own })
  return [...found, ...inTheOther.map((barrier) => `${other}: ${barrier}`)]
}

/**
 * Returns the violations, and what does not fit, at the present size and theme and then on a phone in the other theme. All
 * rules apply to a page once: on the phone only those that depend on its look, unless it shows other elements there.
 */
export async function barriersInEveryLook(page: Page): Promise<string[]> {
  const found = [...(await barriers(page)), ...(await overflowsSideways(page))]
  const [shown, size] = [await page.evaluate(shownMarkup), page.viewportSize()]
  await page.setViewportSize({ width: 360, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.evaluate(drawn)
  const rules = (await page.evaluate(shownMarkup)) === shown ? byLook : wcag
  const onPhone = [...(await axeOn(page, rules)), ...(await overflowsSideways(page))]
  await page.emulateMedia({ colorScheme: 'light' })
  if (size) await page.setViewportSize(size)
  // A table is made again for another width: what gets the focus before would lose it.
  await page.evaluate(drawn)
  return [...found, ...onPhone.map((barrier) => `on a phone, dark: ${barrier}`)]
}

const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** The elements that are shown, with what all other rules depend on. */
const shownMarkup = `Array.from(document.querySelectorAll('*'))
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .map((element) => element.cloneNode().outerHTML.replaceAll(/ (class|style)="[^"]*"/g, ''))
  .join('')`

/** The rules whose outcome depends on colours, sizes and places, not on the elements alone. */
const byLook = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** Half the size of the default file, which each new document has to parse. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Axe guesses from what covers the window whether a dialog hides the page, and with it its landmark and its title. */
const behindDialog = JSON.stringify({
  'landmark-one-main': { enabled: false },
  'page-has-heading-one': { enabled: false },
})

async function axeOn(page: Page, runOnly: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  // React Aria announces a busy button by its name, even for a few seconds after its removal.
  const where = `{ include: document, exclude: '[data-live-announcer]' }`
  const found = (await page.evaluate(`axe.run(${where}, {
    runOnly: ${JSON.stringify(runOnly)},
    rules: document.querySelector('[role=dialog], [role=alertdialog]') ? ${behindDialog} : {},
    resultTypes: ['violations'],
  })`)) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

/**
 * Returns what does not fit into the width of the page: elements that scroll sideways, and those cut off at its right edge.
 * What is meant to scroll or to be shortened does not count: `data-scrolls-sideways`, an ellipsis, the text of a field, a map.
 */
export const overflowsSideways = (page: Page): Promise<string[]> => page.evaluate(sideways)

/** Looks again for some frames: what follows a change of size is drawn by scripts, and a moment later. */
const sideways = `(async () => {
  const allowed = '[data-scrolls-sideways], .maplibregl-map, input'
  const name = (element) => element.cloneNode(false).outerHTML.slice(0, 160)
  const isHidden = (element, style) =>
    style.clipPath === 'inset(50%)' || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  let found
  const look = (element, edge) => {
    const style = getComputedStyle(element)
    if (style.display !== 'contents' && isHidden(element, style)) return
    const { right, width } = element.getBoundingClientRect()
    if (width > 0 && right > edge + 1) found.push(name(element) + ' ends at ' + right + ' of ' + edge)
    if (element.matches(allowed) || style.textOverflow === 'ellipsis') return
    const isShown = style.overflowX === 'visible' || element === document.documentElement
    if (!isShown && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      found.push(name(element) + ' is ' + element.scrollWidth + ' wide in ' + element.clientWidth)
    // Shapes end at the edge of their drawing.
    if (element.tagName !== 'svg') for (const child of element.children) look(child, edge)
  }
  for (let frame = 0; frame < 60; frame++) {
    found = []
    look(document.documentElement, document.documentElement.clientWidth)
    if (found.length === 0) break
    await new Promise(requestAnimationFrame)
  }
  return found
})()`

/** Waits until the field has the focus: a dialog is visible a moment before it moves the focus into itself. */
export const untilFocused = (field: Locator): Promise<void> =>
  field.and(field.page().locator(':focus')).waitFor()

/** Types the beginning of a name into a combo box until one option is left, and chooses it. */
export async function choose(combo: Locator, beginning: string): Promise<void> {
  const options = combo.page().getByRole('option')
  const search = async () => {
    await combo.fill('')
    await combo.fill(beginning)
    await expect.poll(() => options.count()).toBe(1)
  }
  await search()
  // Results that arrive during a click replace the option: the click then chooses nothing, or closes the list.
  const isChosen = async () => {
    await options.click({ timeout: 1_000 }).catch(() => {})
    if ((await combo.getAttribute('aria-expanded')) === 'true') return false
    if (!['', beginning].includes(await combo.inputValue())) return true
    await search()
    return false
  }
  await expect.poll(isChosen).toBe(true)
}

/** Clicks the label of a checkbox, switch or radio with a hidden input, once the page is stable. */
export async function toggle(control: Locator): Promise<void> {
  const before = await control.isChecked()
  await control.locator('xpath=ancestor::label').click()
  await expect.poll(() => control.isChecked()).toBe(!before)
}
