import { readFileSync } from 'node:fs'
import { html, textOf } from './html.ts'
import { policyOf, renderPage } from './layout.ts'
import type { Site } from './site.ts'
import { t } from './text.ts'

export const javascript = 'text/javascript; charset=utf-8'
/** A browser keeps a worker by its address, which is older than the copies. */
export const workerPath = '/site/notifications.js'
const source = readFileSync(new URL('browser/worker.js', import.meta.url), 'utf8')

/**
 * The worker, after what it shows without a connection. Its content changes under one address, so browsers ask each time, and it
 * may be registered for the whole site. It loads pages and pictures, and tells the service its new endpoint.
 */
export const workerFile = (site: Omit<Site, 'limits'>) => ({
  path: workerPath,
  type: javascript,
  content: `self.offline = ${JSON.stringify(offline(site))}\n${source}`,
  headers: {
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    'service-worker-allowed': '/',
  },
})

/** The worker fills in what stands in braces. */
function offline(site: Omit<Site, 'limits'>) {
  const { title, lead, copy, seen, again, dated, justNow } = t.offline
  const body = html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<!--copie-->
<p><a class="button" href="">${again}</a></p>`
  return {
    files: [site.files.css, site.files.logo ?? '/favicon.svg'],
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf({}) },
    page: renderPage(site, { title, description: lead, path: null, body }, null),
    copy: textOf(html`<p>${copy} <a href="{address}">{title}</a> <span class="soft">({age})</span></p>`),
    notice: textOf(
      html`<p class="note" id="hors-connexion"><strong>${seen}</strong> {dated} <a href="">${again}</a></p>`,
    ),
    dated,
    justNow,
  }
}
