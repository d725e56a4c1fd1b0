import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

/**
 * What goes when it is old enough, the oldest first, at most so many rows at once. A row that somebody holds, another
 * instance of this job above all, is left to them or to tomorrow.
 */
export type Sweep = (db: Database, months: number, limit: number) => Promise<number>

/** Decided or expired claims keep nothing personal but the accounts. */
export const pseudonymiseClaims: Sweep = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    update claims
    set nom = null, email = null, telephone = null, reason = null, message = '', pseudonymised_at = now()
    where id = any(array(
      select id from claims
      where ended_at < ${before(months)} and pseudonymised_at is null
      order by ended_at limit ${limit} for no key update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

/** Reports of publications that a decision has closed. */
export const deleteClosedReports: Sweep = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from publication_reports
    where id = any(array(
      select id from publication_reports
      where closed_at < ${before(months)}
      order by closed_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

const before = (months: number) => sql`now() - make_interval(months => ${months}::int)`
