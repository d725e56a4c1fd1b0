import type { Page, Request } from 'playwright-core'

/** Watches the requests of a page. The result waits until none is under way; the events never end. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/admin/events')) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return async () => {
    for (let times = 0; times < 4; times = open.size === 0 ? times + 1 : 0) await page.waitForTimeout(50)
  }
}
