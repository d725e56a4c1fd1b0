import type { SignedIn } from '../../../platform/access/caller.ts'
import { change, type RecordKind } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, raise, validationFailed } from '../../../platform/errors.ts'
import { cleanText, textProblems } from '../../../platform/formats/clean-text.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Deps } from '../../../platform/module.ts'
import { addCanFor, refuseOwnClaim } from '../decide/authorise.ts'
import { findEmailOf, getClaim } from '../decide/queries.ts'
import { claimAlreadyDecided, claimUnreachable } from '../errors.ts'
import { type ClaimRow, isDecidable } from '../queries.ts'
import { claim } from '../record.ts'
import { type Claim, hasQuestionsLeft, isReachable } from '../schema.ts'
import { mailQuestion } from './jobs.ts'
import * as queries from './queries.ts'
import { type ClaimQuestion, maxQuestion, type QuestionBody } from './schema.ts'

/**
 * The wait of a claim's expiry for an answer:
 *
 *   none → waiting, by the first question → over, by `resumeClaim`, or after 14 days at the latest.
 *
 * The wait extends the deadline by its length. Further questions are mailed and start no wait. A decision is
 * possible in every state.
 */

type Tools = Pick<Deps, 'db' | 'jobs'> & { ttlDays: number }

const authorise = (tx: Database, { user }: SignedIn, row: ClaimRow) => refuseOwnClaim(tx, user, row)

const asked = {
  ...claim,
  write: (tx, { id }) => queries.countQuestion(tx, id),
} satisfies RecordKind<ClaimRow, Pick<ClaimRow, 'questions_count'>>

const resumed = {
  ...claim,
  write: (tx, { id }, { waits_until }) => queries.setEndOfWait(tx, id, waits_until),
} satisfies RecordKind<ClaimRow, { waits_until: Date }>

/** Mails a question to the claimant. Question, wait, audit entry and mail job commit together. */
export function askClaimant(
  { db, jobs, ttlDays }: Tools,
  caller: SignedIn,
  claimId: string,
  { body }: QuestionBody,
): Promise<ClaimQuestion> {
  const question = cleanText(body)
  const problems = textProblems('body', question, maxQuestion)
  if (problems.length > 0) throw validationFailed(problems)
  const id = uuidv7()
  const wanted = {
    id: claimId,
    action: 'claim.question',
    authorise: (tx: Database, row: ClaimRow) => authorise(tx, caller, row),
    read: (tx: Database) => queries.getQuestion(tx, id),
  }
  return change(db, caller, asked, wanted, async (tx, before, note) => {
    if (!(await isDecidable(tx, claimId, ttlDays))) throw claimAlreadyDecided()
    if (!hasQuestionsLeft(before)) throw conflict()
    const address = before.email ?? (before.user_id && (await findEmailOf(tx, before.user_id)))
    if (!isReachable({ address })) throw claimUnreachable()
    await queries.insertQuestion(tx, { id, claim_id: claimId, body: question, asked_by: caller.user.id })
    await jobs.enqueue(tx, mailQuestion, { questionId: id })
    note({ question_id: id, question })
    return { questions_count: before.questions_count + 1 }
  })
}

/** Ends the wait for an answer, so that the time until expiry runs again. 409 if there is no wait. */
export function resumeClaim(
  { db, ttlDays }: Pick<Tools, 'db' | 'ttlDays'>,
  caller: SignedIn,
  id: string,
): Promise<Claim> {
  const wanted = {
    id,
    action: 'claim.resume',
    authorise: (tx: Database, row: ClaimRow) => authorise(tx, caller, row),
    read: async (tx: Database) => {
      const addCan = await addCanFor(tx, caller.user)
      return addCan(await getClaim(tx, id, ttlDays))
    },
  }
  return change(db, caller, resumed, wanted, async (tx) => {
    if (!(await isDecidable(tx, id, ttlDays))) throw claimAlreadyDecided()
    return { waits_until: (await queries.findEndOfWait(tx, id)) ?? raise(conflict()) }
  })
}
