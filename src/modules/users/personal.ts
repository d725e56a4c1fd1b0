import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { isOfUser, type Person, type Personal, rowsOf } from '../../platform/personal.ts'

export const accounts: Personal = {
  name: 'users',
  title: { en: 'Accounts', fr: 'Comptes' },
  erasure: {
    en: 'Keep their number and lose everything else, roles and memberships included. Signing in with them ends for good.',
    fr: 'Gardent leur numéro et perdent tout le reste, rôles et appartenances compris. On ne peut plus s’y connecter.',
  },
  kind: 'user',
  find: ({ userIds }) => sql`
    select id::text as id, id as record_id, coalesce(nom, email) as label
    from users where id = any(${userIds}::uuid[]) and erased_at is null`,
  read: rowsOf(
    'users',
    sql`issuer, subject, email, email_verified, nom, actif, tokens_valid_from, last_seen_at, created_at,
      updated_at, erased_at,
      array(select json_build_object('role', role, 'since', created_at) from user_roles
        where user_id = users.id order by role) as roles,
      array(select json_build_object('acteur_id', m.acteur_id, 'nom', a.nom, 'role', m.role,
        'permissions', m.permissions, 'since', m.created_at, 'invited_until', m.invited_until)
        from actor_users m join acteurs a on a.id = m.acteur_id
        where m.user_id = users.id order by m.acteur_id) as acteurs`,
    isOfUser('id'),
  ),
  erase: eraseAccounts,
}

/**
 * Anonymises accounts and returns those that it changed. Deletes roles first, so that the database protects the last
 * administrator.
 */
async function eraseAccounts(tx: Database, { userIds }: Person): Promise<string[]> {
  type Erased = { id: string }
  const roles = await sql<Erased>`
    delete from user_roles where user_id = any(${userIds}::uuid[]) returning user_id as id`.execute(tx)
  const memberships = await sql<Erased>`
    delete from actor_users where user_id = any(${userIds}::uuid[]) returning user_id as id`.execute(tx)
  const users = await sql<Erased>`
    update users
    set issuer = null, subject = null, email = null, email_verified = false, nom = null, actif = false,
      last_seen_at = null, erased_at = now()
    where id = any(${userIds}::uuid[]) and erased_at is null
    returning id`.execute(tx)
  return [...new Set([roles, memberships, users].flatMap(({ rows }) => rows.map(({ id }) => id)))]
}
