import { sql } from 'kysely'
import type { MovesOnMerge } from '../../platform/merging.ts'
import type { Module } from '../../platform/module.ts'
import { deleteOf, type Person, type Personal, rowsOf } from '../../platform/personal.ts'
import { espaceErrors } from './errors.ts'
import {
  answeredInvitations,
  expireHandler,
  expireSchedule,
  mailInvitationHandler,
  teamInvitationMails,
} from './invitations/jobs.ts'
import { deleteRepeated } from './invitations/queries.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { openingRoutes } from './opening.ts'
import { pageRoutes } from './page.ts'
import { espaceRules } from './permissions.ts'
import { teamRoutes } from './team/routes.ts'

const isToThem = ({ emails }: Person) => sql<boolean>`email = any(${emails}::text[])`

const teamInvitations: Personal = {
  name: 'team_invitations',
  title: { en: 'Invitations to teams', fr: 'Invitations dans des équipes' },
  erasure: { en: 'Are deleted.', fr: 'Sont supprimées.' },
  kind: null,
  find: (person) => sql`
    select id::text as id, null::uuid as record_id, null::text as label
    from team_invitations where ${isToThem(person)}`,
  read: rowsOf(
    'team_invitations',
    sql`acteur_id, email, role, permissions, created_at, invited_until, ended_at, mailed_at`,
    isToThem,
  ),
  erase: deleteOf('team_invitations', isToThem),
}

/** Leaves one invitation of each address; the others then follow their acteur. */
const moveInvitations: MovesOnMerge = (tx, _deps, merge, limit) => deleteRepeated(tx, merge, limit)

export const espace = {
  name: 'espace',
  about: 'The space of those who run an acteur: its page, its team and, for mairies, their commune',
  routes: {
    bearer(scope, deps) {
      pageRoutes(scope, deps)
      teamRoutes(scope, deps)
      invitationRoutes(scope, deps)
    },
    admin: { area: 'communes', routes: openingRoutes },
  },
  permissions: Object.values(espaceRules),
  errors: espaceErrors,
  jobs: {
    handlers: (deps) => [mailInvitationHandler(deps), expireHandler(deps)],
    schedules: [expireSchedule],
  },
  office: { answered: [answeredInvitations], mails: [teamInvitationMails] },
  movesOnMerge: [moveInvitations],
  personal: [teamInvitations],
} satisfies Module
