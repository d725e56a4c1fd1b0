import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneWithCommunes } from '../test/support/many/communes.ts'
import { openWorld } from '../test/support/world.ts'
import { insertDemo } from './load.ts'

const { db, config } = await openWorld({ database: await cloneWithCommunes() })

const loads = [
  '2026-03-01T00:00:10Z',
  '2027-12-31T05:00:00Z',
  ...(process.env.PARVIS_TEST_LONG ? ['2026-11-20T23:59:50Z', '2028-08-02T12:00:00Z'] : []),
]
test.each(loads)('loaded at %s, past events are in the past and coming ones in the future', async (at) => {
  const now = new Date(at)
  const looking = db.transaction().execute(async (tx) => {
    await insertDemo(tx, config.publicUrl, now)
    const wrong = await sql`
      select title, created_at, publie_le, deleted_at, date_debut, date_fin from publications
      where created_at > ${now} or publie_le < created_at or deleted_at not between created_at and ${now}
        or (moderation_status = 'published' and publie_le > ${now}) or date_fin < date_debut
        or concat(title, body) like '%{%'`.execute(tx)
    expect(wrong.rows).toEqual([])
    const early = await sql`
      select subject from support_threads where last_message_at > ${now} or closed_at not between last_message_at and ${now}`.execute(
      tx,
    )
    expect(early.rows).toEqual([])
    const ahead = await sql`
      select count(*) filter (where publie_le > ${now}) as scheduled,
        count(*) filter (where featured_until > ${now}) as featured,
        count(*) filter (where featured_until < ${now}) as featured_before,
        count(*) filter (where date_debut > ${now}::date) > 100 as announced,
        (select count(*) from claims where status = 'pending' and created_at > ${now}::timestamptz - interval '30 days')
          as pending_claims
      from publications`.execute(tx)
    expect(ahead.rows).toEqual([
      { scheduled: 5, featured: 2, featured_before: 2, announced: true, pending_claims: 8 },
    ])
    const { rows: read } = await sql<{ days: number; until: string; kinds: string[] }>`
      select count(distinct day)::int as days, max(day)::text as until, array_agg(distinct kind) as kinds
      from readings`.execute(tx)
    expect(read).toEqual([
      { days: 45, until: at.slice(0, 10), kinds: ['acteur', 'commune', 'page', 'publication'] },
    ])
    throw new Error('seen')
  })
  await expect(looking).rejects.toThrow('seen')
})
