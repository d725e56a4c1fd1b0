import { sql } from 'kysely'
import { settingsOf } from '../../platform/config/config.ts'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Module } from '../../platform/module.ts'
import { findByUser, inPages, type Person, type Personal } from '../../platform/personal.ts'
import { auditAdminRoutes } from './routes.admin.ts'
import { type AuditRow, storedAudit } from './schema.ts'
import { sealHandlers, sealSchedules } from './seals/jobs.ts'
import { watchSeals } from './seals/metrics.ts'
import { sealSettings } from './seals/settings.ts'

/**
 * The audit log is never erased, so that its seals stay valid. It holds field names and account ids, which
 * identify nobody after an erasure.
 */

const stays = {
  en: 'Stays: the audit log is sealed. It holds account numbers and names of fields, which identify nobody after an erasure.',
  fr: 'Reste : le journal est scellé. Il contient des numéros de compte et des noms de champs, qui ne désignent plus personne après un effacement.',
}

/** Actions of the person. */
const acts: Personal = {
  name: 'acts',
  title: { en: 'What they did, in the audit log', fr: 'Ce qu’elle a fait, dans le journal' },
  erasure: stays,
  kind: null,
  find: findByUser('audit_log'),
  read: (db, person) => rowsBy(db, person, 'user_id'),
}

/** Changes to the person's accounts, by anyone. */
const accountHistory: Personal = {
  name: 'account_history',
  title: {
    en: 'What was done to their accounts, in the audit log',
    fr: 'Ce qui a été fait à ses comptes, dans le journal',
  },
  erasure: stays,
  kind: null,
  find: ({ userIds }) => sql`
    select id::text as id, null::uuid as record_id, null::text as label
    from audit_log where entity_id = any(${userIds}::text[]) and entity in ('user', 'person')`,
  read: (db, person) => rowsBy(db, person, 'entity_id'),
}

async function* rowsBy(db: Database, { userIds }: Person, column: 'user_id' | 'entity_id') {
  // One query per account, so that it uses the index.
  for (const id of userIds) {
    const isTheirs =
      column === 'user_id' ? sql`user_id = ${id}` : sql`entity_id = ${id} and entity in ('user', 'person')`
    yield* inPages<AuditRow>(async (last, limit) => {
      const from = last === null ? sql`true` : sql`(at, id) < (${last.at}, ${last.id})`
      const { rows } = await sql<AuditRow>`
        select ${columnList(storedAudit)} from audit_log where ${isTheirs} and ${from}
        order by at desc, id desc limit ${limit}`.execute(db)
      return rows
    })
  }
}

export const audit = {
  name: 'audit',
  about: 'Who changed what, when',
  routes: { admin: { area: 'audit', routes: auditAdminRoutes } },
  jobs: { handlers: sealHandlers, schedules: sealSchedules },
  settings: {
    own: sealSettings,
    off: [
      {
        setting: 'AUDIT_KEY',
        isOff: (config) => settingsOf(config, sealSettings).keys.length === 0,
        effect: {
          en: 'The audit log is not sealed: a change of it in the database would not be noticed.',
          fr: 'Le journal d’audit n’est pas scellé : une modification en base passerait inaperçue.',
        },
        isAdvised: true,
        docs: 'operations.md#the-audit-log',
      },
    ],
  },
  metrics: { watch: watchSeals },
  personal: [acts, accountHistory],
} satisfies Module
