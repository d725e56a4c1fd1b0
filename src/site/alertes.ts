import type { SpecialAnnouncement, WithContext } from 'schema-dts'
import Type from 'typebox'
import { tablesOfAlertes } from './commune-pages.ts'
import { html } from './html.ts'
import { canonicalOf } from './layout.ts'
import { daysTag } from './module.ts'
import { type AlerteOfPlace, alertesEndedIn } from './place.ts'
import { pageOfPlace } from './place-pages.ts'
import { alerteBox, feedLinks, groupLink, searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { momentInWords, t } from './text.ts'

const dayMs = 86_400_000
export const endedDays = 30
const Query = Type.Object({ embed: Type.Optional(Type.String({ pattern: '^[01]$' })) })

/** The alerts of a commune or a group: in force, then those that ended lately. */
export const alertesPage: Pages = (scope, site) => {
  const shows = [...tablesOfAlertes, 'communes', daysTag]
  pageOfPlace(
    scope,
    site,
    { sub: '/alertes', shows, query: Query },
    async (place, { embed, secteur }, { alertes, site }) => {
      const since = new Date(site.clock().getTime() - endedDays * dayMs)
      const [inForce, ended] = await Promise.all([alertes(), alertesEndedIn(site, place, since)])
      const title = t.alertes.of(place.nom)
      const path = `${place.path}/alertes`
      const isEmbedded = embed === '1'
      const body = html`<h1>${title}</h1>
<section aria-labelledby="en-cours"><h2 id="en-cours">${t.alertes.inForce}</h2>
${inForce.length > 0 ? inForce.map(alerteBox) : html`<p class="empty">${t.alertes.none}</p>`}
</section>
${
  ended.length > 0 &&
  html`<section aria-labelledby="terminees"><h2 id="terminees">${t.alertes.ended}</h2>
<ul class="rows">${ended.map(
    ({ titre, message, fin, group, places = [] }) => html`<li><h3>${titre}</h3>
<p class="excerpt">${message}</p>
<p class="meta">${fin && t.alertes.over(momentInWords(fin))}${group && html`. ${groupLink(group)}`}${places.length > 0 && `. ${t.alertes.places(places)}`}</p></li>
`,
  )}</ul></section>`
}
<p><a class="more" href="${place.path}/abonnement${searchText({ secteur })}">${t.abonnement.link}</a></p>`
      const address = canonicalOf(site, path, place.path)
      const data = inForce.map((alerte) => announcement(address, place.nom, alerte))
      const alternates = feedLinks(path, title)
      return { title, description: title, path: isEmbedded ? null : path, body, data, alternates, isEmbedded }
    },
  )
}

const announcement = (
  url: string,
  place: string,
  { titre, message, debut, fin, created_at, places = [] }: AlerteOfPlace,
): WithContext<SpecialAnnouncement> => ({
  '@context': 'https://schema.org',
  '@type': 'SpecialAnnouncement',
  name: titre,
  text: message,
  url,
  datePosted: (debut ?? created_at).toISOString(),
  ...(fin && { expires: fin.toISOString() }),
  spatialCoverage: (places.length > 0 ? places : [place]).map((name) => ({
    '@type': 'AdministrativeArea',
    name,
  })),
})
