import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'
import { isReplaced } from './history/queries.ts'

/** Deletes old closed reports. */
export const deleteClosedReports: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from publication_reports
    where id = any(array(
      select id from publication_reports
      where closed_at < now() - make_interval(months => ${months}::int)
      order by closed_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes old records of mails to authors, sent or given up. */
export const deleteOldMails: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from publication_mails
    where id = any(array(
      select id from publication_mails where created_at < now() - make_interval(months => ${months}::int)
      order by created_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes old versions, except the newest of each publication: it names the author of the current text. */
export const deleteOldVersions: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from publication_versions
    where id = any(array(
      select v.id from publication_versions v
      where v.written_at < now() - make_interval(months => ${months}::int) and ${isReplaced}
      order by v.written_at limit ${limit} for update of v skip locked))`.execute(db)
  return Number(numAffectedRows)
}
