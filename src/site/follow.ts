import { hasActs } from '../modules/acts/queries.ts'
import { listCollectes } from '../modules/communes/queries.ts'
import { calendarButtons } from './commune/calendar-buttons.ts'
import { pageOfCommune } from './commune-pages.ts'
import { html } from './html.ts'
import { searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { t } from './text.ts'

/** How residents follow a commune with a calendar or a feed reader. */
export const followPage: Pages = (scope, site) => {
  const shows = ['communes', 'collectes']
  pageOfCommune(scope, site, { sub: '/suivre', shows }, async (commune, _query, { site }) => {
    const path = `/communes/${commune.slug}`
    const [collectes, acts] = await Promise.all([
      listCollectes(site.reads, commune.id),
      hasActs(site.reads, commune.id),
    ])
    const secteurs = collectes.flatMap(({ secteur }) => secteur ?? [])
    const calendars = [
      [`${path}/agenda.ics`, t.agenda.of(commune.nom)],
      [`${path}/collectes.ics?rappel=19:00`, t.follow.collectes],
      ...[...new Set(secteurs)].map((secteur) => [
        `${path}/collectes.ics${searchText({ secteur, rappel: '19:00' })}`,
        t.follow.collectesOf(secteur),
      ]),
    ] as const
    const feeds = [
      [`${path}/publications.rss`, t.publications.of(commune.nom)],
      [`${path}/alertes.rss`, t.alertes.of(commune.nom)],
      ...(acts ? [[`${path}/actes.rss`, t.actes.of(commune.nom)] as const] : []),
    ] as const
    const title = t.follow.of(commune.nom)
    const body = html`<h1>${title}</h1>
<section aria-labelledby="calendriers"><h2 id="calendriers">${t.follow.calendars}</h2>
<p>${t.follow.calendarsHow}</p>
<ul class="rows">${calendars.map(
      ([href, label]) => html`<li><h3>${label}</h3>
${calendarButtons(`${site.url}${href}`, label)}
<p class="meta"><code>${site.url}${href}</code></p></li>
`,
    )}</ul></section>
<section aria-labelledby="flux"><h2 id="flux">${t.follow.feeds}</h2>
<p>${t.follow.feedsHow}</p>
<ul class="rows">${feeds.map(
      ([
        href,
        label,
      ]) => html`<li><h3><a href="${href}" type="application/rss+xml">${label} (${t.follow.feed})</a></h3>
<p class="meta"><code>${site.url}${href}</code></p></li>
`,
    )}</ul></section>`
    return { title, description: t.follow.calendarsHow, path: `${path}/suivre`, body }
  })
}
