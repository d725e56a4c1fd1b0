import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/module.ts'

const record = defineJob('transparency.record', Type.Object({}), { timeoutSeconds: 3_600 })

/** Before the nightly retention. Its shortest period is a month, so a night that fails loses nothing. */
export const recordSchedule: Schedule = schedule(record, '50 2 * * *', {})

export function recordHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(record, async () => {
    const recorded = await recordFacts(db)
    if (recorded > 0) log.info({ recorded }, 'moderation facts recorded')
  })
}

const year = (time: string) => sql`extract(year from ${sql.raw(time)} at time zone 'Europe/Paris')::smallint`

const unrecorded = (kind: string, id: string) =>
  sql`not exists (select from moderation_facts f where f.kind = ${kind} and f.source_id = ${sql.raw(id)})`

/**
 * Records what is final and not recorded yet; returns how many. A decision is final when its undo is over: one that was
 * undone in time is not counted. Two runs at once record each fact once.
 */
export async function recordFacts(db: Database): Promise<number> {
  const parts = [
    sql`
      insert into moderation_facts (kind, source_id, year, commune_id, detail)
      select 'report', r.id, ${year('r.created_at')}, p.commune_id, coalesce(r.category, 'none')
      from publication_reports r join publications p on p.id = r.publication_id
      where ${unrecorded('report', 'r.id')}`,
    sql`
      insert into moderation_facts (kind, source_id, year, commune_id, detail, hours)
      select 'case', c.id, ${year('c.ended_at')}, p.commune_id, c.outcome,
        case c.ended_by when 'team' then round(extract(epoch from c.ended_at - c.opened_at) / 3600, 1) end
      from report_cases c join publications p on p.id = c.publication_id
      where c.ended_at < now() - interval '15 minutes' and c.followed_by is distinct from 'reopened'
        and ${unrecorded('case', 'c.id')}`,
    sql`
      insert into moderation_facts (kind, source_id, year, commune_id, detail, ground, ground_label, by_report, by_machine)
      select 'statement', s.id, ${year('s.decided_at')}, coalesce(p.commune_id, a.commune_id), s.restriction,
        s.ground->>'code', coalesce(s.ground->>'label', s.ground->>'code'), s.by_report, s.by_machine
      from statements s
      left join publications p on s.entity = 'publication' and p.id = s.record_id
      left join acteurs a on s.entity = 'acteur' and a.id = s.record_id
      where s.decided_at < now() - interval '15 minutes'
        and (s.ended_at is null or s.ended_at > s.decided_at + interval '15 minutes') and ${unrecorded('statement', 's.id')}`,
    sql`
      insert into moderation_facts (kind, source_id, year, commune_id, detail)
      select 'complaint', c.id, ${year('c.decided_at')}, coalesce(p.commune_id, a.commune_id), c.decision
      from complaints c left join publications p on p.id = c.record_id
      left join acteurs a on p.id is null and a.id = c.record_id
      where c.decided_at is not null and ${unrecorded('complaint', 'c.id')}`,
  ]
  let recorded = 0
  for (const part of parts) {
    const { numAffectedRows } = await sql`${part} on conflict do nothing`.execute(unprepared(db))
    recorded += Number(numAffectedRows)
  }
  return recorded
}
