import { sql } from 'kysely'
import Type from 'typebox'
import { type Config, settingsOf } from '../../platform/config/config.ts'
import { beginsName } from '../../platform/database/search.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'
import { bulkRoutes } from './bulk.ts'
import { catalogueRoutes } from './catalogue.ts'
import { defibrillateursErrors } from './errors.ts'
import { managingRoutes } from './managing.ts'
import { mapRoutes } from './map.ts'
import { defibrillateur, defibrillateurSync } from './record.ts'
import { defibrillateursSettings } from './settings.ts'
import { syncHandler } from './sync/jobs.ts'
import { syncsWatched } from './sync/queries.ts'
import { syncRoutes } from './sync/routes.admin.ts'
import { requestDaily } from './sync/rules.ts'

const daily = defineJob('defibrillateurs.sync-daily', Type.Object({}))

function dailyHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(daily, async () => {
    if ((await requestDaily({ db, jobs })) === null) log.info('a sync of defibrillators is under way already')
  })
}

/** Schedules the sync only if the operator configured it: by default, the service contacts no third party. */
function dailySchedules(config: Config): Schedule[] {
  return settingsOf(config, defibrillateursSettings).daily ? [schedule(daily, '23 4 * * *', {})] : []
}

const defibrillateursSearchSource: SearchSource = {
  kind: 'defibrillateur',
  shown: sql`
    select coalesce(d.nom, d.adresse, d.gid) as label, d.commune_nom as detail
    from defibrillateurs d where d.id = found.id`,
  ways: (q) => [
    { ids: sql`select id from defibrillateurs where gid = ${q}`, exact: true },
    {
      ids: sql`
        select id from defibrillateurs where ${beginsName(sql`sort_name`, q)}
        order by sort_name, id limit ${sql.lit(maxFound)}`,
    },
    ...byWord('defibrillateurs', q),
  ],
}

export const defibrillateurs = {
  name: 'defibrillateurs',
  about: 'Defibrillators, as the national registry has them',
  routes: {
    public: catalogueRoutes,
    admin: {
      area: 'defibrillateurs',
      routes(scope, deps) {
        managingRoutes(scope, deps)
        mapRoutes(scope, deps)
        bulkRoutes(scope, deps)
        syncRoutes(scope, deps)
      },
    },
  },
  errors: defibrillateursErrors,
  audited: [defibrillateur, defibrillateurSync],
  jobs: { handlers: (deps) => [syncHandler(deps), dailyHandler(deps)], schedules: dailySchedules },
  settings: {
    own: defibrillateursSettings,
    off: [
      {
        setting: 'GEODAE_CSV_URL',
        isOff: (config) => !settingsOf(config, defibrillateursSettings).daily,
        effect: {
          en: 'Defibrillators are read from the registry only when an administrator asks.',
          fr: 'Les défibrillateurs ne sont relus dans le registre qu’à la demande d’un administrateur.',
        },
        isAdvised: false,
        docs: 'operations.md#defibrillators',
      },
    ],
  },
  office: { watched: [syncsWatched], searchSources: [defibrillateursSearchSource] },
} satisfies Module
