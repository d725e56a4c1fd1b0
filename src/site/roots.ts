import Type from 'typebox'
import { listRoots, type Root } from '../modules/acts/proof.ts'
import { daysLater } from '../platform/time/days.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { type Item, sendFeed } from './feeds.ts'
import { daysTag } from './module.ts'
import type { FeedFormat } from './rows.ts'
import type { Pages, Site } from './site.ts'
import { dateInWords, t } from './text.ts'

/** `racines.json` has them all, as a list of its own. */
const formats = ['rss', 'atom'] as const satisfies FeedFormat[]
const maxItems = 50
const page = '/actes/racines.json'
const beforeAll = new Date(0)

/** The roots of the days as feeds: who keeps them elsewhere notices when the past is changed here. */
export const rootFeeds: Pages = (scope) => {
  for (const format of formats)
    scope.get(
      `/actes/racines.${format}`,
      {
        config: { caching: { shows: ['act_seals', daysTag] } },
        schema: { querystring: Type.Object({}) },
      },
      async ({ site }, reply) => {
        const roots = await listRoots(site.reads, todayInParis(site.clock()), maxItems)
        const items = roots.map((root) => itemOf(site, root))
        const feed = { title: t.actes.rootsTitle, page, path: '/actes/racines', items }
        return sendFeed(reply, site, format, { ...feed, changedAt: items[0]?.updated ?? beforeAll })
      },
    )
}

/** A root is known once its day has ended. */
function itemOf({ url }: Site, { date, number, seal }: Root): Item {
  const text = t.actes.rootText(number, seal)
  const known = Temporal.PlainDate.from(daysLater(date, 1)).toZonedDateTime('Europe/Paris')
  const at = new Date(known.epochMilliseconds)
  return {
    id: `urn:sha256:${seal}`,
    url: `${url}${page}#${date}`,
    title: t.actes.rootOf(dateInWords(date)),
    html: `<p>${text}</p>`,
    summary: text,
    published: at,
    updated: at,
  }
}
