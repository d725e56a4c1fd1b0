import Type from 'typebox'
import {
  defineJob,
  type Handler,
  handle,
  type JobContext,
  type Schedule,
  schedule,
} from '../../../platform/jobs/job.ts'
import type { MailOutcome } from '../../../platform/mail/mail.ts'
import type { Deps } from '../../../platform/module.ts'
import { decisionMail } from './mail.ts'
import { findDecision, giveUpSending, moveEmail } from './queries.ts'

/** Tells a claimant what was decided. Tried for a day and a half, should the mail server be away that long. */
export const tellClaimant = defineJob('claims.tell-claimant', Type.Object({ claimId: Type.String() }), {
  retries: 40,
  backoffSeconds: 60,
  maxBackoffSeconds: 3_600,
  timeoutSeconds: 180,
})

type Tools = Pick<Deps, 'db' | 'mailer' | 'config'>

/**
 * `sending` is committed before anything is handed over. Whoever finds it there, in another try or beside a sender that
 * seemed dead, cannot know whether the mail went: it is `uncertain`, and is not sent again.
 */
export function tellClaimantHandler({ db, mailer, config }: Tools): Handler {
  return handle(tellClaimant, async ({ claimId }, context) => {
    context.signal.throwIfAborted()
    const decision = await findDecision(db, claimId)
    if (decision === null) return
    if (!(await moveEmail(db, claimId, ['queued', 'failed'], 'sending'))) {
      await moveEmail(db, claimId, ['sending'], 'uncertain')
      return
    }
    const mail = decisionMail(decision, decision.address ?? '', config.mail.from)
    const outcome = await mailer.send(mail)
    const isLast = outcome.status !== 'failed' || !outcome.retry || isLastTry(context)
    await noteOutcome(claimId, outcome, isLast)
    if (outcome.status === 'failed' && outcome.retry) throw new Error(`not sent: ${outcome.error}`)
  })

  /** That it was sent is known for sure, whatever another has thought meanwhile. */
  async function noteOutcome(claimId: string, { status }: MailOutcome, isLast: boolean) {
    if (status === 'sent') await moveEmail(db, claimId, ['sending', 'uncertain'], 'sent')
    else await moveEmail(db, claimId, ['sending'], isLast ? status : 'queued')
  }
}

const isLastTry = ({ attempt }: JobContext) => attempt > tellClaimant.settings.retries

const giveUp = defineJob('claims.give-up-sending', Type.Object({}))

export function giveUpHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(giveUp, async () => {
    const uncertain = await giveUpSending(db)
    if (uncertain > 0) log.info({ uncertain }, 'nobody will say any more whether these mails were sent')
  })
}

export const giveUpSchedule: Schedule = schedule(giveUp, '47 * * * *', {})
