import { sql } from 'kysely'
import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Retention } from '../../platform/module.ts'
import { isReplaced } from './history.ts'

export const deleteClosedReports = deletionAfterMonths('publication_reports', 'closed_at')

/** Deletes old records of mails to authors, sent or given up. */
export const deleteOldMails = deletionAfterMonths('publication_mails', 'created_at')

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
