import Type from 'typebox'
import { type Config, settingsOf } from '../../../platform/config.ts'
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

/** Only when an operator configured the registry: the service never contacts a third party by default. */
export function dailySchedules(config: Config): Schedule[] {
  return settingsOf(config, defibrillateursSettings).daily ? [schedule(daily, '23 4 * * *', {})] : []
}
