import { setTimeout as sleep } from 'node:timers/promises'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { findChromium, flags } from '../../test/browser/chromium.ts'

export type Stage = {
  url: string
  /** Opens a page with an empty cache, signed in; its scripts run `slower` times slower. */
  open(slower?: number): Promise<BrowserPage>
  close(): Promise<void>
}

export type BrowserPage = { page: Page; devTools: CDPSession; close(): Promise<void> }

/** Opens a browser, and waits until the service has built the application. */
export async function openStage(url: string, session: string): Promise<Stage> {
  const found = await findChromium()
  if ('missing' in found) throw new Error(found.missing)
  await untilBuilt(url)
  const env = { ...process.env, ...found.env } as Record<string, string>
  const browser = await chromium.launch({ executablePath: found.executablePath, args: flags, env })
  return {
    url,
    async open(slower = 1) {
      const context = await browser.newContext({ baseURL: url, locale: 'fr-FR', reducedMotion: 'reduce' })
      await context.addCookies([{ name: 'parvis_session', value: session, url, sameSite: 'Strict' }])
      const page = await context.newPage()
      await page.addInitScript(watching)
      const devTools = await context.newCDPSession(page)
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower })
      return { page, devTools, close: () => context.close() }
    },
    close: () => browser.close(),
  }
}

/**
 * Records in the page when something is drawn. `firstRow` resolves once the queue has a row, to the ms since
 * the start of the page; `shown` once another publication is drawn after the last key press, to the ms since
 * that key press.
 */
const watching = `
  const whenDrawn = (note) => requestAnimationFrame(() => setTimeout(() => note(performance.now())))
  const firstRow = Promise.withResolvers()
  let shown = Promise.withResolvers()
  let pressedAt = 0
  let title = null
  new MutationObserver(() => {
    if (document.querySelector('[role=row]')) whenDrawn(firstRow.resolve)
    const found = document.getElementById('publication-title')
    if (found === title) return
    title = found
    const { resolve } = shown
    if (found) whenDrawn((now) => resolve(now - pressedAt))
  }).observe(document, { subtree: true, childList: true })
  addEventListener('keydown', () => {
    shown = Promise.withResolvers()
    pressedAt = performance.now()
  }, true)
  window.watched = { firstRow: () => firstRow.promise, shown: () => shown.promise }
`

async function untilBuilt(url: string): Promise<void> {
  for (let second = 0; second < 120; second++) {
    if ((await fetch(`${url}/backoffice/`)).ok) return
    await sleep(1_000)
  }
  throw new Error('the application was not built')
}
