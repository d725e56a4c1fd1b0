import { sql } from 'kysely'
import { foldedEmail } from '../../platform/access/users.ts'
import { beginsName } from '../../platform/database/search.ts'
import { conflict } from '../../platform/errors.ts'
import { countFigure } from '../../platform/figures.ts'
import { foldMailAddress } from '../../platform/formats/mail-address.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import type { Module } from '../../platform/module.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'
import { mailAdministratorHandler } from './administrators.ts'
import { lastAdmin, usersErrors } from './errors.ts'
import { lapseHandler, lapseSchedule } from './lapse/jobs.ts'
import { accounts } from './personal.ts'
import { user } from './record.ts'
import { usersAdminRoutes } from './routes.admin.ts'

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
  jobs: (deps) => [lapseHandler(deps), mailAdministratorHandler(deps)],
  schedules: [lapseSchedule],
  figures: { users: activeUsers },
  personal: [accounts],
  searchSources: [usersSearchSource],
} satisfies Module
