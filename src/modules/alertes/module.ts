import { sql } from 'kysely'
import { notFound } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import type { Module } from '../../platform/module.ts'
import { findByUser, isOfUser, type Person, type Personal, rowsOf } from '../../platform/personal.ts'
import { mairiePaths } from '../acteurs/mairies.ts'
import { hidingMails, mailOfHidingHandler } from './hiding-mails.ts'
import { alerteRules } from './permissions.ts'
import { findNextChange } from './queries.ts'
import { alerte } from './record.ts'
import { findDueHandler, reminderMails, reminderSchedule, remindHandler } from './remind.ts'
import { alertesAdminRoutes } from './routes.admin.ts'
import { alertesOfGroupsRoutes } from './routes.hiding.ts'
import { alertesOfActeurRoutes, alertesOfCommuneRoutes } from './routes.mairie.ts'
import { alertesInForceRoutes } from './routes.ts'

/** Alerts that the person wrote for a mairie. They belong to the mairie and are not deleted. */
const alertesOfPerson: Personal = {
  name: 'alertes',
  title: { en: 'Alerts they wrote', fr: 'Alertes écrites' },
  erasure: {
    en: 'Stay: they belong to the mairie. Their author becomes a number.',
    fr: 'Restent : elles appartiennent à la mairie. Leur auteur devient un numéro.',
  },
  kind: null,
  find: findByUser('alertes', { user: 'created_by' }),
  read: rowsOf(
    'alertes',
    sql`commune_id, acteur_id, commune_ids, titre, message, niveau, debut, fin, created_at`,
    isOfUser('created_by'),
  ),
}

const wroteDeleted = ({ userIds }: Person) =>
  sql<boolean>`kind = 'alerte' and content #>> '{row,created_by}' = any(${userIds}::text[])`

const deletedOfPerson: Personal = {
  name: 'deleted_alertes',
  title: { en: 'Alerts they wrote that were deleted', fr: 'Alertes écrites, puis supprimées' },
  erasure: {
    en: 'Stay for 30 days, as long as the mairie can restore them. Their author becomes a number.',
    fr: 'Restent 30 jours, tant que la mairie peut les rétablir. Leur auteur devient un numéro.',
  },
  kind: null,
  find: (person) => sql`
    select id::text as id, null::uuid as record_id, null::text as label from deleted_records where ${wroteDeleted(person)}`,
  read: rowsOf('deleted_records', sql`content -> 'row' as alerte, deleted_at`, wroteDeleted),
}

/** Maps database constraints to API errors. */
const alertesConstraints: ConstraintErrors = {
  // The commune or the acteur was deleted while the request was running.
  alertes_commune: notFound,
  alertes_acteur: notFound,
}

export const alertes = {
  name: 'alertes',
  about: 'Municipal alerts (provisional)',
  routes: {
    public: alertesInForceRoutes,
    mairie: [
      { of: mairiePaths.commune, routes: alertesOfCommuneRoutes },
      { of: mairiePaths.publicBody, routes: alertesOfActeurRoutes },
      { of: mairiePaths.commune, routes: alertesOfGroupsRoutes },
    ],
    admin: { area: 'alertes', routes: alertesAdminRoutes },
  },
  permissions: Object.values(alerteRules),
  constraints: alertesConstraints,
  audited: [alerte],
  jobs: {
    handlers: (deps) => [findDueHandler(deps), remindHandler(deps), mailOfHidingHandler(deps)],
    schedules: [reminderSchedule],
  },
  office: { mails: [reminderMails, hidingMails] },
  settings: { limits: { alert: '60/hour' } },
  changesByTime: { alertes: { with: ['alertes'], find: findNextChange } },
  personal: [alertesOfPerson, deletedOfPerson],
} satisfies Module
