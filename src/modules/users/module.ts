import { sql } from 'kysely'
import { foldedEmail } from '../../platform/access/users.ts'
import type { Database } from '../../platform/database/connect.ts'
import { beginsName } from '../../platform/database/search.ts'
import { conflict } from '../../platform/errors.ts'
import { countFigure } from '../../platform/figures.ts'
import { foldMailAddress } from '../../platform/formats/mail-address.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import type { Module } from '../../platform/module.ts'
import { isOfUser, type Person, type Personal, rowsOf } from '../../platform/personal.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'
import { addedHandler, addedMails } from './added.ts'
import { administratorMails, mailAdministratorHandler } from './administrators.ts'
import { lastAdmin, usersErrors } from './errors.ts'
import { lapseHandler, lapseSchedule } from './lapse.ts'
import { user } from './record.ts'
import { usersAdminRoutes } from './routes.admin.ts'

const accounts: Personal = {
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
        'permissions', m.permissions, 'since', m.created_at)
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

const usersSearchSource: SearchSource = {
  kind: 'user',
  // An erased account has nothing to show.
  shown: sql`
    select coalesce(u.nom, u.email, '') as label, case when u.nom is not null then u.email end as detail
    from users u where u.id = found.id and u.erased_at is null`,
  ways: (q) => [
    {
      ids: sql`
        select id from users where ${foldedEmail} = ${foldMailAddress(q)}
        order by id limit ${sql.lit(maxFound)}`,
      exact: true,
    },
    {
      ids: sql`
        select id from users where ${beginsName(sql`search_key(nom) collate "C"`, q)}
        order by search_key(nom) collate "C", id limit ${sql.lit(maxFound)}`,
    },
    ...byWord('users', q),
  ],
}

/** Maps database constraints to API errors. */
const usersConstraints: ConstraintErrors = { last_admin: lastAdmin, users_erased_whole: conflict }

const activeUsers = countFigure('Active', 458, sql`users where actif`)

export const users = {
  name: 'users',
  about: 'Accounts, their roles and memberships',
  routes: { admin: { area: 'users', routes: usersAdminRoutes } },
  errors: usersErrors,
  constraints: usersConstraints,
  audited: [user],
  jobs: {
    handlers: (deps) => [lapseHandler(deps), mailAdministratorHandler(deps), addedHandler(deps)],
    schedules: [lapseSchedule],
  },
  office: {
    figures: { users: activeUsers },
    searchSources: [usersSearchSource],
    mails: [administratorMails, addedMails],
  },
  personal: [accounts],
} satisfies Module
