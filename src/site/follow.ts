import { hasActs } from '../modules/acts/queries.ts'
import { listCollectes } from '../modules/communes/queries.ts'
import { calendarButtons } from './commune/calendar-buttons.ts'
import { html } from './html.ts'
import { pageOfPlace } from './place-pages.ts'
import { searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { t } from './text.ts'

/** How residents follow a commune or a group with a calendar or a feed reader. */
export const followPage: Pages = (scope, site) => {
  const shows = ['communes', 'collectes']
  pageOfPlace(
    scope,
    site,
    { sub: '/suivre', shows },
    async ({ id, path, nom, members }, _query, { site }) => {
      const isGroup = members !== null
      const [collectes, acts] = await Promise.all([
        isGroup ? null : listCollectes(site.reads, id),
        isGroup || hasActs(site.reads, id),
      ])
      const secteurs = collectes?.flatMap(({ secteur }) => secteur ?? []) ?? []
      const calendars = [
        [`${path}/agenda.ics`, t.agenda.of(nom)],
        ...(isGroup ? [] : [[`${path}/collectes.ics?rappel=19:00`, t.follow.collectes] as const]),
        ...[...new Set(secteurs)].map((secteur) => [
          `${path}/collectes.ics${searchText({ secteur, rappel: '19:00' })}`,
          t.follow.collectesOf(secteur),
        ]),
      ] as const
      const feeds = [
        [`${path}/publications.rss`, t.publications.of(nom)],
        [`${path}/alertes.rss`, t.alertes.of(nom)],
        ...(acts ? [[`${path}/actes.rss`, t.actes.of(nom)] as const] : []),
      ] as const
      const title = t.follow.of(nom)
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
    },
  )
}
