import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { giveUpMails } from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { notifyAdministrators } from '../users/administrators.ts'
import { uncertainNotice } from './mail.ts'
import { countUncertain, takeUnreportedPeriod } from './queries.ts'

const giveUp = defineJob('mails.give-up', Type.Object({}))
const notify = defineJob('mails.tell-administrators', Type.Object({}))

export function mailsHandlers({ db, log, jobs, config, modules }: Deps): Handler[] {
  const kinds = modules.flatMap(({ mails = [] }) => mails)
  return [
    handle(giveUp, async () => {
      for (const kind of kinds) {
        const count = await giveUpMails(db, kind)
        if (count > 0) log.info({ mails: kind.name, count }, 'mails given up: their result is unknown')
      }
    }),
    handle(notify, () =>
      db.transaction().execute(async (tx) => {
        const period = await takeUnreportedPeriod(tx)
        const counts = (await countUncertain(tx, kinds, period)).filter(({ count }) => count > 0)
        const known = { kinds, until: period.until, url: config.publicUrl }
        if (counts.length > 0) await notifyAdministrators(tx, { jobs }, uncertainNotice(counts, known))
      }),
    ),
  ]
}

export const mailsSchedules: Schedule[] = [
  schedule(giveUp, '47 * * * *', {}),
  schedule(notify, '10 8 * * *', {}),
]
