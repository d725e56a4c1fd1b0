import Type, { type Static } from 'typebox'
import { listQuery } from '../../platform/http/listing/paging.ts'
import * as fields from '../../platform/http/validation/schemas.ts'
import { PublicGround } from '../grounds/grounds.ts'
import { restrictions } from '../grounds/statements.ts'
import { effects } from '../publications/decisions/reversing.ts'
import { outcomes } from '../publications/reports/cases.ts'

export const states = ['open', 'upheld', 'reversed'] as const
export const verdicts = ['upheld', 'reversed'] as const
export type Verdict = (typeof verdicts)[number]
const decidedAs = ['colleague', 'administrator'] as const
export type DecidedAs = (typeof decidedAs)[number]

export const ById = Type.Object({ id: fields.Id('Identifier of the complaint') })

/** Trimmed by the form; the database counts the same. */
export const complaintText = fields.filledText(5_000, {
  minLength: 20,
  examples: ['La fête a bien lieu dans la commune : le pressage est sur la place de l’église.'],
})

export const ComplaintCreate = fields.strictObject({
  statement_id: fields.Id('The statement of reasons, of `GET /me/statements`'),
  text: complaintText,
})
export type ComplaintCreate = Static<typeof ComplaintCreate>

export const ReportComplaintCreate = fields.strictObject({ text: complaintText })

export const ComplaintOfReport = fields.titled('ComplaintOfReport', {
  id: fields.Id(),
  report_id: fields.Id(),
  created_at: fields.ResponseTimestamp(),
})

export const OwnComplaint = fields.titled('OwnComplaint', {
  id: fields.Id(),
  statement_id: fields.Id(),
  created_at: fields.ResponseTimestamp(),
})

const older = { minimum: 0, maximum: 3_650, examples: [14] }

export const ComplaintsQuery = Type.Object({
  ...listQuery,
  state: Type.Optional(fields.oneOf(states, '`open`: nobody has decided it')),
  older_than_days: Type.Optional(
    Type.Integer({ description: 'Made so many days ago, or earlier', ...older }),
  ),
  sort: Type.Optional(fields.oneOf(['created_at_asc', 'created_at_desc'])),
})
export type ComplaintsQuery = Static<typeof ComplaintsQuery>

export const complaintActions = { edit: ({ decision }: { decision: Verdict | null }) => decision === null }

const answer = fields.filledText(5_000, {
  description: 'Sent to the person who complains',
  examples: ['Nous avons relu votre annonce : elle concerne bien la commune.'],
})

export const Complaint = fields.titled('Complaint', {
  id: fields.Id(),
  about: fields.oneOf(
    ['statement', 'report'],
    '`statement`: of an author or owner, about what was taken from a publication, or about the deactivation of an acteur. `report`: of a reporter, about what was not',
  ),
  publication_id: fields.nullable(fields.Id('Null: it is about an acteur')),
  acteur_id: fields.nullable(fields.Id('The acteur that was deactivated; null: it is about a publication')),
  title: Type.String({
    description: 'Its title or name when it was decided or reported',
    examples: ['Fête de la pomme'],
  }),
  user_id: fields.nullable(fields.Id('Who complains; null: a reporter, whom nobody sees')),
  user: fields.NullableUserName,
  text: Type.String({ examples: ['La fête a bien lieu dans la commune : le pressage est sur la place.'] }),
  created_at: fields.ResponseTimestamp(),
  restriction: fields.nullable(fields.oneOf(restrictions, 'What was decided; null: about a report')),
  outcome: fields.nullable(fields.oneOf(outcomes, 'What became of the report; null: about a statement')),
  ground: fields.nullable(fields.titled('GroundOfComplaint', PublicGround.properties)),
  reason: fields.textOrNull('La fête est à Nantes.', 'What the author was told'),
  decided_against_by: fields.nullable(fields.Id('Who decided what the complaint is about; null: a rule')),
  decided_against_by_user: fields.NullableUserName,
  decided_against_at: fields.ResponseTimestamp(),
  holds: Type.Boolean({ description: 'Whether that decision is still in force', examples: [true] }),
  decision: fields.nullable(fields.oneOf(verdicts, 'Null: nobody has decided it')),
  answer: fields.nullable(Type.String({ examples: ['Nous avons relu votre annonce.'] })),
  effect: fields.nullable(
    fields.oneOf(
      effects,
      'What a reversal did. `restored`: what the decision took is back, or the report is open again. Otherwise nothing changed: `already_lifted`; `changed_since`: another decision holds; `gone`: the publication or acteur was deleted',
    ),
  ),
  decided_as: fields.nullable(
    fields.oneOf(decidedAs, '`administrator`: there is no other moderator than the one who decided before'),
  ),
  decided_by: fields.nullable(fields.Id()),
  decided_by_user: fields.NullableUserName,
  decided_at: fields.nullable(fields.ResponseTimestamp()),
  version: Type.Integer({ examples: [1] }),
  can: fields.Can(complaintActions),
})
export type Complaint = Static<typeof Complaint>

export const ComplaintRead = fields.titled('ComplaintRead', {
  ...Complaint.properties,
  as_decided: fields.nullable(
    fields.titled(
      'ContentAsDecided',
      {
        title: Type.String({ examples: ['Fête de la pomme'] }),
        body: Type.String({ examples: ['<p>Pressage sur la place.</p>'] }),
      },
      'The text when it was decided, or reported; null: it is not kept any more, or it is about an acteur',
    ),
  ),
})
export type ComplaintRead = Static<typeof ComplaintRead>

export const ComplaintDecision = fields.strictObject({
  decision: fields.oneOf(verdicts, '`upheld`: the decision stays. `reversed`: what it took is restored'),
  answer: Type.Optional({ ...answer, description: 'Sent to the person who complains. Needed to uphold' }),
})
export type ComplaintDecision = Static<typeof ComplaintDecision>
