import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { giveUpMails } from '../../platform/mail/kept-mails.ts'
import type { Deps } from '../../platform/module.ts'

const giveUp = defineJob('mails.give-up', Type.Object({}))

export function giveUpHandler({ db, log, modules }: Pick<Deps, 'db' | 'log' | 'modules'>): Handler {
  return handle(giveUp, async () => {
    for (const kind of modules.flatMap(({ mails = [] }) => mails)) {
      const count = await giveUpMails(db, kind)
      if (count > 0)
        log.info({ mails: kind.name, count }, 'nobody will say any more what became of these mails')
    }
  })
}

export const giveUpSchedule: Schedule = schedule(giveUp, '47 * * * *', {})
