import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, findByUser, inPages, type Person, type Personal } from '../../platform/personal.ts'

type Row = { id: string }

/** Reads rows of a table by user, in pages by id. */
const rowsOf = (table: string, columns: string[], id = 'id'): Personal['read'] => {
  const names = sql.join([sql`${sql.ref(id)} as id`, ...columns.map((name) => sql.ref(name))])
  return (db, { userIds }) =>
    inPages<Row>(async (last, limit) => {
      const { rows } = await sql<Row>`
        select ${names} from ${sql.table(table)}
        where user_id = any(${userIds}::uuid[]) and ${sql.ref(id)} > ${afterId(last)}
        order by ${sql.ref(id)} limit ${limit}`.execute(db)
      return rows
    })
}

/** Deletes rows of a table by user. No other table refers to these rows. */
const deleteOf =
  (table: string, id = 'id') =>
  async (tx: Database, { userIds }: Person): Promise<string[]> => {
    const { rows } = await sql<Row>`
      delete from ${sql.table(table)} where user_id = any(${userIds}::uuid[])
      returning ${sql.ref(id)} as id`.execute(tx)
    return rows.map(({ id }) => id)
  }

const deleted = { en: 'Deleted.', fr: 'Suppression complète.' }

export const mailsOfPerson: Personal = {
  name: 'email_challenges',
  title: { en: 'Sign-in mails', fr: 'Courriels de connexion' },
  erasure: deleted,
  kind: null,
  find: findByUser('email_challenges'),
  read: rowsOf('email_challenges', ['purpose', 'address', 'created_at', 'expires_at', 'closed_at']),
  erase: deleteOf('email_challenges'),
}

export const sessionsOfPerson: Personal = {
  name: 'sessions',
  title: { en: 'Sessions and devices', fr: 'Sessions et appareils' },
  erasure: deleted,
  kind: null,
  find: findByUser('sessions'),
  read: rowsOf('sessions', [
    'method',
    'network',
    'browser',
    'created_at',
    'last_seen_at',
    'expires_at',
    'ended_at',
  ]),
  erase: deleteOf('sessions'),
}

/** The export omits the secret of the app and the digests of recovery codes: they allow signing in. */
export const totpOfPerson: Personal = {
  name: 'totp_factors',
  title: { en: 'Authentication apps', fr: 'Applications d’authentification' },
  erasure: deleted,
  kind: null,
  find: findByUser('totp_factors', { id: 'user_id' }),
  read: rowsOf('totp_factors', ['created_at', 'confirmed_at'], 'user_id'),
  erase: deleteOf('totp_factors', 'user_id'),
}

export const passkeysOfPerson: Personal = {
  name: 'passkeys',
  title: { en: 'Passkeys', fr: 'Clés d’accès' },
  erasure: deleted,
  kind: null,
  find: findByUser('passkeys'),
  read: rowsOf('passkeys', ['label', 'transports', 'created_at', 'last_used_at']),
  erase: deleteOf('passkeys'),
}

export const recoveryCodesOfPerson: Personal = {
  name: 'recovery_codes',
  title: { en: 'Recovery codes', fr: 'Codes de secours' },
  erasure: deleted,
  kind: null,
  find: findByUser('recovery_codes'),
  read: rowsOf('recovery_codes', ['created_at', 'used_at']),
  erase: deleteOf('recovery_codes'),
}
