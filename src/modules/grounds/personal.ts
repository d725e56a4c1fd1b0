import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { type Person, type Personal, rowsOf } from '../../platform/personal.ts'

const isAboutThem = ({ userIds }: Person) => sql<boolean>`
  record_id in (select p.id from publications p where p.created_by = any(${userIds}::uuid[]))`

const columns = sql`record_id, title, restriction, ground, reason, by_report, by_machine, decided_at, ended_at`

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
  read: rowsOf('statements', columns, isAboutThem),
  erase: (tx, person) => eraseReasons(tx, isAboutThem(person)),
}

const isOfTheirActeur = ({ userIds }: Person) => sql<boolean>`
  record_id in (select o.acteur_id from actor_users o where o.user_id = any(${userIds}::uuid[]) and o.role = 'owner')`

/** The deactivations of acteurs that the person owns. */
export const statementsOfActeurs: Personal = {
  name: 'statements_of_acteurs',
  title: {
    en: 'Deactivations of organisations they own',
    fr: 'Désactivations d’acteurs dont ils sont propriétaires',
  },
  erasure: {
    en: 'The texts to them are deleted; the decision and its ground stay with the organisation.',
    fr: 'Les textes qui leur étaient adressés sont supprimés ; la décision et son motif restent avec l’acteur.',
  },
  ofOthers: true,
  kind: 'acteur',
  find: (person) => sql`
    select id::text as id, record_id, title as label from statements where ${isOfTheirActeur(person)}`,
  read: rowsOf('statements', columns, isOfTheirActeur),
  erase: (tx, person) => eraseReasons(tx, isOfTheirActeur(person)),
}

async function eraseReasons(tx: Database, isTheirs: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update statements set reason = null where ${isTheirs} and reason is not null returning id`.execute(tx)
  return rows.map(({ id }) => id)
}
