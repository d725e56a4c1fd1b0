import type { SpecialAnnouncement, WithContext } from 'schema-dts'
import Type from 'typebox'
import { alertesEnded } from '../modules/alertes/queries.ts'
import type { Alerte } from '../modules/alertes/schema.ts'
import { numberedPage } from '../platform/http/listing/list-page.ts'
import { pageOfCommune, tablesOfAlertes } from './commune-pages.ts'
import { html } from './html.ts'
import { canonicalOf } from './layout.ts'
import { daysTag } from './module.ts'
import { alerteBox, feedLinks, groupLink, searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { momentInWords, t } from './text.ts'

const dayMs = 86_400_000
export const endedDays = 30
const maxEnded = 50
const Query = Type.Object({ embed: Type.Optional(Type.String({ pattern: '^[01]$' })) })

/** The alerts of a commune: in force, then those that ended lately. */
export const alertesPage: Pages = (scope, site) => {
  const shows = [...tablesOfAlertes, 'communes', daysTag]
  pageOfCommune(
    scope,
    site,
    { sub: '/alertes', shows, query: Query },
    async (commune, { embed, secteur }, { alertes, site }) => {
      const now = site.clock()
      const since = new Date(now.getTime() - endedDays * dayMs)
      const [inForce, ended] = await Promise.all([
        alertes,
        numberedPage(site.lists, alertesEnded(since, now, commune.id), { commune_id: commune.id }, maxEnded),
      ])
      const title = t.alertes.of(commune.nom)
      const path = `/communes/${commune.slug}/alertes`
      const isEmbedded = embed === '1'
      const body = html`<h1>${title}</h1>
<section aria-labelledby="en-cours"><h2 id="en-cours">${t.alertes.inForce}</h2>
${inForce.length > 0 ? inForce.map(alerteBox) : html`<p class="empty">${t.alertes.none}</p>`}
</section>
${
  ended.data.length > 0 &&
  html`<section aria-labelledby="terminees"><h2 id="terminees">${t.alertes.ended}</h2>
<ul class="rows">${ended.data.map(
    ({ titre, message, fin, group }) => html`<li><h3>${titre}</h3>
<p class="excerpt">${message}</p>
<p class="meta">${fin && t.alertes.over(momentInWords(fin))}${group && html`. ${groupLink(group)}`}</p></li>
`,
  )}</ul></section>`
}
<p><a class="more" href="/communes/${commune.slug}/abonnement${searchText({ secteur })}">${t.abonnement.link}</a></p>`
      const address = canonicalOf(site, path, `/communes/${commune.slug}`)
      const data = inForce.map((alerte) => announcement(address, commune.nom, alerte))
      const alternates = feedLinks(path, title)
      return { title, description: title, path: isEmbedded ? null : path, body, data, alternates, isEmbedded }
    },
  )
}

const announcement = (
  url: string,
  commune: string,
  { titre, message, debut, fin, created_at }: Alerte,
): WithContext<SpecialAnnouncement> => ({
  '@context': 'https://schema.org',
  '@type': 'SpecialAnnouncement',
  name: titre,
  text: message,
  url,
  datePosted: (debut ?? created_at).toISOString(),
  ...(fin && { expires: fin.toISOString() }),
  spatialCoverage: { '@type': 'AdministrativeArea', name: commune },
})
