import { sources } from '../../loaders/sources.ts'
import { listProvenance } from '../../modules/communes/provenance.ts'
import type { Database } from '../../platform/database/connect.ts'
import { html, type Markup } from '../html.ts'
import { dayInWords, t } from '../text.ts'

/**
 * Reads which public sources say the facts of a commune, and by which file: one line for each, with where a mistake is corrected.
 * Nothing if people wrote all of them.
 */
export async function readProvenance(db: Database, communeId: string) {
  const facts = await listProvenance(db, communeId)
  const days = new Map(facts.map(({ source, as_of }) => [source, as_of]))
  const named = sources.flatMap((source) => {
    const day = days.get(source.name)
    return day === undefined ? [] : [{ ...source, day }]
  })
  return (
    named.length > 0 &&
    html`
<ul class="plain soft">${named.map(lineOf)}</ul>`
  )
}

const lineOf = ({
  label,
  day,
  correctedAt,
}: {
  label: string
  day: string
  correctedAt: string
}): Markup => html`<li class="small">${label}, ${dayInWords(day, null).replace(/^\S+ /, '')} · <a href="${correctedAt}" rel="external">${t.commune.isWrong}<span class="unseen"> ${label}</span></a></li>
`
