import { sql } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import { deleteOf, type Person, type Personal, rowsOf } from '../../platform/personal.ts'
import { reporterAddresses } from '../publications/reports/addresses.ts'

/** The complaints of a person, as author or owner, and as reporter. */
export function complaintsOfPerson(config: Config): Personal {
  const addresses = reporterAddresses(config.sessionKeys)
  const isTheirs = ({ userIds, emails }: Person) => sql<boolean>`(
    user_id = any(${userIds}::uuid[]) or reporter_id in (
      select r.id from reporters r where r.address_digest = any(${emails.flatMap((email) => addresses.digests(email))}::bytea[])))`
  return {
    name: 'complaints',
    title: { en: 'Complaints about decisions', fr: 'Réclamations sur des décisions' },
    erasure: {
      en: 'Deleted, also those that nobody has decided yet; the audit log keeps that there was one, and its outcome.',
      fr: 'Supprimées, même si personne ne les a tranchées ; le journal d’audit garde qu’il y en a eu une, et son issue.',
    },
    kind: 'publication',
    find: (person) => sql`
      select id::text as id, case when is_acteur then null else record_id end as record_id, title as label
      from (
        select c.*, exists (
          select from statements s where s.id = c.statement_id and s.entity = 'acteur') as is_acteur
        from complaints c) complaints
      where ${isTheirs(person)}`,
    read: rowsOf(
      'complaints',
      sql`record_id, title, text, created_at, decision, answer, effect, decided_at`,
      isTheirs,
    ),
    erase: deleteOf('complaints', isTheirs),
  }
}
