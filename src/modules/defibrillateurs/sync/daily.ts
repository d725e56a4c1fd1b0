import Type from 'typebox'
import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { defibrillateursSettings } from '../settings.ts'
import { requestDaily } from './rules.ts'

const daily = defineJob('defibrillateurs.sync-daily', Type.Object({}))

export function dailyHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(daily, async () => {
    if ((await requestDaily({ db, jobs })) === null) log.info('a sync of defibrillators is under way already')
  })
}

/** Schedules the sync only if the operator configured it: by default, the service contacts no third party. */
export function dailySchedules(config: Config): Schedule[] {
  return settingsOf(config, defibrillateursSettings).daily ? [schedule(daily, '23 4 * * *', {})] : []
}
