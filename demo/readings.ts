import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { addReadings } from '../src/modules/readings/queries.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7 } from '../src/platform/formats/uuid.ts'
import { addDays, iso } from './times.ts'

type Page = { kind: string; id: string; slug: string; published_at: Date | null }

/** Days that were counted before the load. */
const counted = 45

/** Inserts readings of what the public sees: many when it is new, then a few a day. */
export async function insertDemoReadings(db: Database, now: Date): Promise<void> {
  const { rows } = await sql<Page>`
    select 'publication' as kind, id, slug, publie_le as published_at from publications
    where moderation_status = 'published' and publie_le <= ${now} and deleted_at is null
    union all select 'page', id, slug, created_at from commune_pages where status = 'published'
    union all select 'acteur', id, slug, null from acteurs where valide and active and deleted_at is null
    union all select 'group', id, slug, null from groups where acteur_id is not null
    union all select 'commune', id, slug, null from communes where mairie_actor_id is not null`.execute(db)
  const days = Array.from({ length: counted }, (_, ago) => addDays(now, ago + 1 - counted))
  const readings = rows.flatMap((page) =>
    days.flatMap((day) => {
      const count = readingsOn(page, day)
      return count > 0 ? [{ kind: page.kind, id: page.id, day: iso(day), count }] : []
    }),
  )
  await addReadings(db, { process: uuidv7(), number: 1, counted: readings })
}

/** Returns the same number for the same page and day, so that each load looks alike. */
function readingsOn({ slug, published_at }: Page, day: Date): number {
  const chance = Number.parseInt(hash('sha256', `${slug} ${iso(day)}`).slice(0, 4), 16) / 0xffff
  if (published_at === null) return Math.round(2 + 10 * chance)
  const age = (day.getTime() - published_at.getTime()) / 86_400_000
  return age < 0 ? 0 : Math.round((24 / (1 + age)) * (0.5 + chance) + 1.4 * chance)
}
