import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'
import type { Module, Retention } from '../../platform/module.ts'
import { mairiePaths } from '../acteurs/mairies.ts'
import { acceptanceHandler, acceptanceMails, deleteOldAcceptances } from './acceptance/jobs.ts'
import { changesRoutes, deleteOldChangesHandler, deleteOldChangesSchedule } from './changes.ts'
import { correctingAdminRoutes } from './correcting.ts'
import { publicationsDaily, publicationsFigures, publicationsWaiting } from './dashboard.ts'
import { undoPublications } from './decisions/undo.ts'
import { fetchImagesHandler, fetchImagesSchedule } from './fetched-images/fetching.ts'
import { hidingRoutes } from './hiding.ts'
import { historyAdminRoutes, isReplaced } from './history.ts'
import { choicesAdminRoutes } from './lists/choices.ts'
import { listAdminRoutes } from './lists/routes.admin.ts'
import { listMairieRoutes } from './lists/routes.mairie.ts'
import { myRoutes } from './lists/routes.ts'
import { moderationAdminRoutes } from './moderation/routes.admin.ts'
import { moderationMairieRoutes } from './moderation/routes.mairie.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { authorMails, mailHandlers } from './notify.ts'
import { ownStatementRoutes } from './own-statements.ts'
import { publicationRules } from './permissions.ts'
import { publicationsOfPerson, reportsOfPerson, versionsOfPerson } from './personal.ts'
import { pictureRoutes } from './pictures.ts'
import { findNextChange } from './reading/queries.ts'
import { readingAdminRoutes } from './reading/routes.admin.ts'
import { readingRoutes } from './reading/routes.ts'
import { publication } from './record.ts'
import { expireReportsHandler, expireReportsSchedule } from './reports/expiring.ts'
import { mailDueHandler, mailDueSchedule, mailReporterHandler, reporterMails } from './reports/mailing.ts'
import { myReportRoutes } from './reports/mine.ts'
import { reportersOfPerson } from './reports/personal.ts'
import { reportAdminRoutes } from './reports/routes.admin.ts'
import { reportRoutes } from './reports/routes.ts'
import {
  deleteClosedReports,
  deleteOldReporters,
  sweepReportersHandler,
  sweepReportersSchedule,
} from './reports/sweep.ts'
import { publicationsSearchSource } from './search.ts'
import { similarAdminRoutes } from './similar.ts'
import { duplicateKey } from './writing/duplicates.ts'
import { writingMairieRoutes } from './writing/routes.mairie.ts'
import { writingRoutes } from './writing/routes.ts'

type Signed = Parameters<typeof duplicateKey>[0] & { id: string }

/** Moves publications of a merged acteur and recomputes their duplicate keys, which contain the acteur. */
export const movePublications: MovesOnMerge = async (tx, _deps, { from, into }, limit) => {
  const rows = await lockPublications(tx, from, limit)
  if (rows.length === 0) return 0
  const moved = rows.map((row) => ({ id: row.id, key: duplicateKey({ ...row, acteur_id: into }) }))
  await sql`
    update publications p set acteur_id = ${into}, duplicate_key = m.key
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as m (id uuid, key text) where p.id = m.id`.execute(
    tx,
  )
  return rows.length
}

async function lockPublications(tx: Database, acteurId: string, limit: number): Promise<Signed[]> {
  const { rows } = await sql<Signed>`
    select id, acteur_id, source_url, type_id, title, body, date_debut
    from publications where id = any(array(
      select id from publications where acteur_id = ${acteurId} order by created_at desc, id desc limit ${limit}))
      and acteur_id = ${acteurId}
    order by id for no key update`.execute(tx)
  return rows
}

/** Maps database constraints to API errors. */
const publicationsConstraints: ConstraintErrors = {
  publications_type: () =>
    invalid('type_id', { en: 'must be a publication type', fr: 'doit être un type de publication' }),
  publications_dates_order: () =>
    invalid('date_fin', {
      en: 'must not be before the first day',
      fr: 'ne doit pas précéder le premier jour',
    }),
  publications_lieu_coordinates: () =>
    invalid('lieu.latitude', {
      en: 'must be given together with longitude',
      fr: 'doit être donnée avec longitude',
    }),
  publications_recurrence_first_day: () =>
    invalid('recurrence', { en: 'needs a first day', fr: 'demande un premier jour' }),
  publications_heure_debut_day: () =>
    invalid('heure_debut', { en: 'needs a first day', fr: 'demande un premier jour' }),
  publications_heure_fin_start: () =>
    invalid('heure_fin', { en: 'needs a start time', fr: 'demande une heure de début' }),
  publications_heures_order: () =>
    invalid('heure_fin', {
      en: 'must be after the start time, unless the last day is a later one',
      fr: 'doit suivre l’heure de début, sauf si le dernier jour est plus tard',
    }),
}

/** Deletes old records of mails to authors, sent or given up. */
export const deleteOldMails = deletionAfterMonths('publication_mails', 'created_at')

/** Deletes old versions, except the newest of each publication: it names the author of the current text. */
export const deleteOldVersions: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from publication_versions
    where id = any(array(
      select v.id from publication_versions v
      where v.written_at < now() - make_interval(months => ${months}::int) and ${isReplaced}
      order by v.written_at limit ${limit} for update of v skip locked))`.execute(db)
  return Number(numAffectedRows)
}

export const publications = {
  name: 'publications',
  about: 'What associations, shops and town halls publish',
  routes: {
    public: (scope, deps) => {
      readingRoutes(scope, deps)
      changesRoutes(scope, deps)
    },
    publicWrites: reportRoutes,
    bearer: (scope, deps) => {
      writingRoutes(scope, deps)
      moderationRoutes(scope, deps)
      myRoutes(scope, deps)
      pictureRoutes(scope, deps)
      ownStatementRoutes(scope, deps)
      myReportRoutes(scope, deps)
    },
    mairie: [
      {
        of: mairiePaths.acteur,
        routes: (scope, deps) => {
          listMairieRoutes(scope, deps)
          writingMairieRoutes(scope, deps)
          moderationMairieRoutes(scope, deps)
        },
      },
      { of: mairiePaths.commune, routes: hidingRoutes },
    ],
    admin: {
      area: 'publications',
      routes: (scope, deps) => {
        listAdminRoutes(scope, deps)
        choicesAdminRoutes(scope, deps)
        readingAdminRoutes(scope, deps)
        correctingAdminRoutes(scope, deps)
        historyAdminRoutes(scope, deps)
        moderationAdminRoutes(scope, deps)
        reportAdminRoutes(scope, deps)
        similarAdminRoutes(scope, deps)
      },
    },
  },
  permissions: Object.values(publicationRules),
  constraints: publicationsConstraints,
  audited: [publication],
  jobs: {
    handlers: (deps) => [
      deleteOldChangesHandler(deps),
      ...mailHandlers(deps),
      acceptanceHandler(deps),
      fetchImagesHandler(deps),
      mailReporterHandler(deps),
      mailDueHandler(deps),
      expireReportsHandler(deps),
      sweepReportersHandler(deps),
    ],
    schedules: [
      deleteOldChangesSchedule,
      fetchImagesSchedule,
      mailDueSchedule,
      expireReportsSchedule,
      sweepReportersSchedule,
    ],
  },
  office: {
    figures: publicationsFigures,
    daily: publicationsDaily,
    waiting: publicationsWaiting,
    searchSources: [publicationsSearchSource],
    mails: [authorMails, acceptanceMails, reporterMails],
    undoes: { publication: undoPublications },
  },
  movesOnMerge: [movePublications],
  settings: { limits: { create: '60/hour', edit: '120/hour', report: '30/hour', moderate: '600/minute' } },
  // An acteur that is shown again shows what is scheduled too.
  changesByTime: { publications: { with: ['publications', 'acteurs'], find: findNextChange } },
  personal: (config) => [publicationsOfPerson, versionsOfPerson, reportsOfPerson, reportersOfPerson(config)],
  retention: [
    { name: 'reports', months: 12, sweep: deleteClosedReports },
    { name: 'reporters', months: 6, sweep: deleteOldReporters },
    {
      name: 'mails',
      months: 3,
      sweep: async (...of) => (await deleteOldMails(...of)) + (await deleteOldAcceptances(...of)),
    },
    { name: 'versions', months: 24, sweep: deleteOldVersions },
  ],
} satisfies Module
