import { sql } from 'kysely'
import { type Person, type Personal, rowsOf } from '../../platform/personal.ts'

const isAboutThem = ({ userIds }: Person) => sql<boolean>`
  record_id in (select p.id from publications p where p.created_by = any(${userIds}::uuid[]))`

/** What decisions took from publications that the person wrote. An erasure deletes what colleagues wrote to them. */
export const statementsOfPerson: Personal = {
  name: 'statements',
  title: { en: 'Decisions on publications they wrote', fr: 'Décisions sur les publications écrites' },
  erasure: {
    en: 'The texts to them are deleted; the decision and its ground stay with the publication.',
    fr: 'Les textes qui leur étaient adressés sont supprimés ; la décision et son motif restent avec la publication.',
  },
  kind: 'publication',
  find: (person) => sql`
    select id::text as id, record_id, title as label from statements where ${isAboutThem(person)}`,
  read: rowsOf(
    'statements',
    sql`record_id, title, restriction, ground, reason, by_report, by_machine, decided_at, ended_at`,
    isAboutThem,
  ),
  erase: async (tx, person) => {
    const { rows } = await sql<{ id: string }>`
      update statements set reason = null where ${isAboutThem(person)} and reason is not null
      returning id`.execute(tx)
    return rows.map(({ id }) => id)
  },
}
