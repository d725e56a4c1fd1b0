import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import axe from 'axe-core'
import pg from 'pg'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { readSite } from '../../src/web-app/site.ts'
import { stampOf } from '../../src/web-app/stamp.ts'
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
  const folder = join(cache, place, await stampOf('.'))
  if (hasBrowser && (await readSite(folder)) === null) await build(folder, mode)
  return { site: await readSite(folder), state: 'ready' } as const
}

/** Built by the first file that needs it; other workers wait. */
async function build(folder: string, mode: string): Promise<void> {
  const client = new pg.Client(inject('server').superuser)
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

/** One browser per test file, closed afterwards. */
function openBrowser(): Promise<Browser> {
  if ('missing' in found) throw new Error(found.missing)
  const { executablePath, env } = found
  browser ??= chromium.launch({
    executablePath,
    args: flags,
    env: { ...process.env, ...env } as Record<string, string>,
  })
  return browser
}

afterAll(async () => {
  const open = browser
  browser = null
  await (await open)?.close()
})

type PageOptions = {
  url: string
  /** The cookie of a session, for stories that are not about signing in: `openSession` in test/support/sessions.ts. */
  session?: { value: string }
  width?: number
  height?: number
  dark?: boolean
  locale?: 'fr-FR' | 'en-GB'
  /** Errors that the story causes on purpose. */
  expects?: RegExp
} & Pick<BrowserContextOptions, 'reducedMotion' | 'hasTouch' | 'isMobile'>

/** Opens an isolated page. The test fails on any error that the browser reports. */
export async function openPage({
  url,
  session,
  width = 1280,
  height = 800,
  dark = false,
  locale = 'fr-FR',
  expects,
  ...options
}: PageOptions): Promise<Page> {
  const context = await (await openBrowser()).newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale,
    timezoneId: 'Europe/Paris',
    ...options,
  })
  context.setDefaultTimeout(20_000)
  if (session)
    await context.addCookies([{ name: 'parvis_session', value: session.value, url, sameSite: 'Strict' }])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await page.screenshot({ path: pictureOf(task.name) })
    await context.close()
    expect(complaints.filter((complaint) => !expects?.test(complaint))).toEqual([])
  })
  return page
}

/** Saves a screenshot when the story fails. */
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
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const inTheDark = await axeOn(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return [...found, ...inTheDark.map((barrier) => `dark: ${barrier}`)]
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function axeOn(page: Page, runOnly: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  // React Aria announces a busy button by its name, even for a few seconds after its removal.
  const where = `{ include: document, exclude: '[data-live-announcer]' }`
  const found = (await page.evaluate(`axe.run(${where}, {
    runOnly: ${JSON.stringify(runOnly)},
    resultTypes: ['violations'],
  })`)) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

/** Clicks the label of a checkbox, switch or radio with a hidden input, once the page is stable. */
export async function toggle(control: Locator): Promise<void> {
  const before = await control.isChecked()
  await control.locator('xpath=ancestor::label').click()
  await expect.poll(() => control.isChecked()).toBe(!before)
}
