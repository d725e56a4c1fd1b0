import type { SignedIn } from '../../../platform/access/caller.ts'
import { change, type RecordKind } from '../../../platform/change.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, raise, validationFailed } from '../../../platform/errors.ts'
import { cleanText, textProblems } from '../../../platform/formats/clean-text.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { noBody, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { addCanFor, refuseOwnClaim } from '../decide/authorise.ts'
import { findEmailOf, getClaim } from '../decide/queries.ts'
import { claimAlreadyDecided, claimUnreachable } from '../errors.ts'
import { type ClaimRow, isDecidable } from '../queries.ts'
import { claim } from '../record.ts'
import { ById, Claim, hasQuestionsLeft, isReachable } from '../schema.ts'
import { claimsSettings } from '../settings.ts'
import { mailQuestion } from './jobs.ts'
import * as queries from './queries.ts'
import { ClaimQuestion, maxQuestion, QuestionBody } from './schema.ts'

export function questionRoutes(scope: SignedInScope, { db, jobs, config }: Deps): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.post(
    '/admin/claims/:id/question',
    {
      config: {
        audits: 'claim.question',
        needs: 'claim.question',
        refusals: [
          'forbidden',
          'precondition_failed',
          'claim_already_decided',
          'claim_unreachable',
          'conflict',
        ],
        location: '/admin/claims/:id',
      },
      schema: {
        operationId: 'askClaimant',
        summary:
          'Ask the claimant by mail; answers go to SUPPORT_REPLY_TO. The first question lets the expiry wait, 14 days at most',
        params: ById,
        body: QuestionBody,
        response: { 201: record(ClaimQuestion) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(201).send({ data: await askClaimant({ db, jobs, ttlDays }, caller, params.id, body) }),
  )

  scope.post(
    '/admin/claims/:id/resume',
    {
      config: {
        audits: 'claim.resume',
        needs: 'claim.question',
        refusals: ['forbidden', 'precondition_failed', 'claim_already_decided', 'conflict'],
      },
      schema: {
        operationId: 'resumeClaim',
        summary: 'End the wait for an answer: the time until the claim expires goes on',
        params: ById,
        body: noBody,
        response: { 200: record(Claim) },
      },
    },
    async ({ params, caller }) => ({ data: await resumeClaim({ db, ttlDays }, caller, params.id) }),
  )
}

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
function askClaimant(
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
  }
  return change(db, caller, asked, wanted, async (tx, before, save) => {
    if (!(await isDecidable(tx, claimId, ttlDays))) throw claimAlreadyDecided()
    if (!hasQuestionsLeft(before)) throw conflict()
    const address = before.email ?? (before.user_id && (await findEmailOf(tx, before.user_id)))
    if (!isReachable({ address })) throw claimUnreachable()
    await queries.insertQuestion(tx, { id, claim_id: claimId, body: question, asked_by: caller.user.id })
    await jobs.enqueue(tx, mailQuestion, { questionId: id })
    const related = { after: { question_id: id, question } }
    await save({ questions_count: before.questions_count + 1 }, related)
    return queries.getQuestion(tx, id)
  })
}

/** Ends the wait for an answer, so that the time until expiry runs again. 409 if there is no wait. */
function resumeClaim(
  { db, ttlDays }: Pick<Tools, 'db' | 'ttlDays'>,
  caller: SignedIn,
  id: string,
): Promise<Claim> {
  const wanted = {
    id,
    action: 'claim.resume',
    authorise: (tx: Database, row: ClaimRow) => authorise(tx, caller, row),
  }
  return change(db, caller, resumed, wanted, async (tx, _before, save) => {
    if (!(await isDecidable(tx, id, ttlDays))) throw claimAlreadyDecided()
    await save({ waits_until: (await queries.findEndOfWait(tx, id)) ?? raise(conflict()) })
    const addCan = await addCanFor(tx, caller.user)
    return addCan(await getClaim(tx, id, ttlDays))
  })
}
