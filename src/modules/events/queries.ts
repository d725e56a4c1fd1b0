import { sql } from 'kysely'
import { sessionTimes } from '../../platform/access/sessions.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { WatchedRows } from '../../platform/module.ts'

export type Entry = { seq: number; entity: string; action: string }

/** Limit on entries per read; more are a gap. */
export const maxEntries = 1_000

export async function findLastSeq(db: Database): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce(max(seq), 0)::float8 as seq from audit_log`.execute(db)
  return rows[0]?.seq ?? 0
}

/** Lists new audit entries, and missing ones whose smaller number was committed later. */
export async function listEntries(db: Database, after: number, missing: number[]): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    (select seq::float8 as seq, entity, action from audit_log where seq > ${after}::bigint
      order by audit_log.seq limit ${sql.lit(maxEntries)})
    union all
    select seq::float8, entity, action from audit_log where seq = any(${missing}::bigint[])
    order by seq`.execute(db)
  return rows
}

/** Reads the states of records that change without an audit entry, in one statement. */
export async function readStates(db: Database, watched: readonly WatchedRows[]): Promise<(string | null)[]> {
  if (watched.length === 0) return []
  const states = watched.map(({ state }) => sql`(${state})::text`)
  const { rows } = await sql<{ states: (string | null)[] }>`
    select json_build_array(${sql.join(states)}) as states`.execute(db)
  return rows[0]?.states ?? []
}

export type Rights = { user_id: string; session_id: string | null }

/**
 * Returns a text for each user and session that changes with their permissions. Omits disabled users and
 * ended sessions.
 */
export async function readRights(db: Database, all: Rights[]): Promise<Map<string, string>> {
  const { rows } = await sql<Rights & { rights: string }>`
    select l.user_id, l.session_id, concat_ws(' ',
      array(select r.role from user_roles r where r.user_id = u.id order by r.role)::text,
      u.tokens_valid_from) as rights
    from (select distinct user_id, session_id from jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
      as l (user_id uuid, session_id uuid)) l
    join users u on u.id = l.user_id and u.actif
    where l.session_id is null or exists (
      select from sessions s where s.id = l.session_id and s.ended_at is null and s.expires_at > now()
        and s.last_seen_at > now() - ${sessionTimes.idle}::interval)`.execute(db)
  return new Map(rows.map((row) => [keyOf(row), row.rights]))
}

export const keyOf = ({ user_id, session_id }: Rights): string => `${user_id} ${session_id ?? ''}`
