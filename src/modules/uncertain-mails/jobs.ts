import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { giveUpMails, type MailKind } from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { type Notice, notifyAdministrators } from '../users/administrators/jobs.ts'
import { type Count, countUncertain, takeUnreportedPeriod } from './queries.ts'

const giveUp = defineJob('mails.give-up', Type.Object({}))
const tell = defineJob('mails.tell-administrators', Type.Object({}))

export function mailsHandlers({ db, log, jobs, modules }: Deps): Handler[] {
  const kinds = modules.flatMap(({ mails = [] }) => mails)
  return [
    handle(giveUp, async () => {
      for (const kind of kinds) {
        const count = await giveUpMails(db, kind)
        if (count > 0) log.info({ mails: kind.name, count }, 'mails given up: their result is unknown')
      }
    }),
    handle(tell, () =>
      db.transaction().execute(async (tx) => {
        const period = await takeUnreportedPeriod(tx)
        const counts = (await countUncertain(tx, kinds, period)).filter(({ count }) => count > 0)
        if (counts.length > 0) await notifyAdministrators(tx, { jobs }, noticeOf(counts, kinds, period.until))
      }),
    ),
  ]
}

export const mailsSchedules: Schedule[] = [
  schedule(giveUp, '47 * * * *', {}),
  schedule(tell, '10 8 * * *', {}),
]

function noticeOf(counts: Count[], kinds: MailKind[], until: string): Notice {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const lines = counts.map(({ kind, count }) => `- ${labelOf(kind, kinds)} : ${count}`)
  return {
    key: `mails-uncertain-${until.replaceAll(/\D/g, '')}`,
    subject: `Courriels dont l’arrivée est incertaine : ${total}`,
    text: [
      'Le serveur de messagerie n’a pas confirmé ces courriels, qui sont peut-être arrivés et peut-être pas :',
      lines.join('\n'),
      'Aucun n’est renvoyé de lui-même. Une réponse du support se renvoie depuis son fil. Le journal du serveur de messagerie dit ce qu’il a reçu.\n',
    ].join('\n\n'),
  }
}

const labelOf = (kind: string, kinds: MailKind[]) => kinds.find(({ name }) => name === kind)?.label ?? kind
