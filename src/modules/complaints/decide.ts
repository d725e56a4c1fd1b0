import { isAdmin, type SignedIn } from '../../platform/access/caller.ts'
import { change } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { forbidden, invalid } from '../../platform/errors.ts'
import type { Deps } from '../../platform/module.ts'
import { listToldOfActeur } from '../acteurs/notify.ts'
import { reverseDeactivation } from '../acteurs/reversing.ts'
import { type Effect, reopenCase, reverseStatement } from '../publications/decisions/reversing.ts'
import { listTold } from '../publications/notify.ts'
import { alreadyDecided, samePerson } from './errors.ts'
import { queueMail } from './mailing.ts'
import * as queries from './queries.ts'
import { complaint } from './record.ts'
import { type ComplaintDecision, complaintActions, type DecidedAs } from './schema.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>

/** Adds what the caller may do: decide an open complaint that is not theirs, about what somebody else decided. */
export const withCanFor =
  ({ user }: SignedIn) =>
  <Row extends Pick<queries.ComplaintRow, 'decision' | 'complainant_id' | 'decided_against_by'>>({
    complainant_id,
    ...row
  }: Row) => ({
    ...row,
    can:
      complaintActions.edit(row) && complainant_id !== user.id && row.decided_against_by !== user.id
        ? ['edit' as const]
        : [],
  })

/**
 * Decides a complaint, once. A reversal restores what the decision took, if it still can. The answer, and what others learn,
 * leaves with the same transaction.
 */
export function decideComplaint(
  { db, jobs }: Tools,
  caller: SignedIn,
  id: string,
  { decision, answer: given }: ComplaintDecision,
): Promise<queries.ComplaintRow> {
  const answer = given?.trim() || null
  const asked = {
    id,
    action: 'complaint.decide',
    authorise: (_tx: Database, before: queries.StoredComplaint) => authorise(caller, before),
  }
  return change(db, caller, complaint, asked, async (tx, before, save) => {
    if (before.decision !== null) throw alreadyDecided()
    if (decision === 'upheld' && answer === null) throw invalid('answer', needed)
    const isActeur = await queries.isAboutActeur(tx, id)
    const effect =
      decision === 'reversed' ? await reverse(tx, { jobs }, caller, { ...before, isActeur }) : null
    const decided_as = await decidedAs(tx, caller, before)
    await save({ decision, answer, effect, decided_as, decided_by: caller.user.id })
    await queueMail(tx, jobs, { complaintId: id, kind: 'answer', userId: before.user_id })
    if (effect === 'restored' && before.statement_id !== null)
      for (const userId of await (isActeur ? listToldOfActeur : listTold)(tx, before.record_id))
        if (userId !== before.user_id && userId !== caller.user.id)
          await queueMail(tx, jobs, { complaintId: id, kind: 'reversed', userId })
    const { as_decided: _, ...row } = await queries.getComplaint(tx, id)
    return row
  })
}

const needed = { en: 'is needed to uphold a decision', fr: 'est nécessaire pour maintenir une décision' }

/** 403 for whoever decided what the complaint is about, and for whoever complains. */
function authorise({ user }: SignedIn, { decider_id, user_id }: queries.StoredComplaint): void {
  if (decider_id === user.id) throw samePerson()
  if (user_id === user.id) throw forbidden()
}

function reverse(
  tx: Database,
  tools: Pick<Deps, 'jobs'>,
  caller: SignedIn,
  { statement_id, case_id, record_id: recordId, isActeur }: queries.StoredComplaint & { isActeur: boolean },
): Promise<Effect> {
  if (statement_id === null) return reopenCase(tx, { caseId: case_id ?? '', recordId })
  return isActeur
    ? reverseDeactivation(tx, tools.jobs, caller, { statementId: statement_id, acteurId: recordId })
    : reverseStatement(tx, tools, caller, { statementId: statement_id, recordId })
}

/** The answer says so where an administrator decides because there is no other moderator. */
async function decidedAs(
  tx: Database,
  { user }: SignedIn,
  { decider_id, user_id }: queries.StoredComplaint,
): Promise<DecidedAs> {
  if (!isAdmin(user) || user.roles.includes('moderator')) return 'colleague'
  const except = [decider_id, user_id].filter((id) => id !== null)
  return (await queries.hasOtherModerator(tx, except)) ? 'colleague' : 'administrator'
}
