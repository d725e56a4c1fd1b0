import Type, { type Static } from 'typebox'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import {
  Can,
  EmailError,
  EmailVerified,
  Id,
  NullableUserName,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
  UserName,
} from '../../platform/http/validation/schemas.ts'
import { emailStatuses } from '../../platform/mail/row-mails.ts'

export const ById = Type.Object({ id: Id() })

export const statuses = ['pending', 'approved', 'rejected', 'expired'] as const

export const exampleMessage = 'Je préside le club depuis mars et je tiens désormais sa page.'

export const exampleReference = 'K7QM2-X9RTB'

/** Stored fields that responses show. */
export const stored = {
  id: Id(),
  acteur_id: Id('The claimed acteur'),
  user_id: nullable(Id('Who asks, when signed in; once approved, who became owner')),
  nom: textOrNull('Odile Vauquelin'),
  email: textOrNull('odile.vauquelin@example.org'),
  telephone: textOrNull('01 99 00 12 34'),
  message: Type.String({ description: 'Empty once retention has emptied it', examples: [exampleMessage] }),
  reference: textOrNull(
    exampleReference,
    'What the claimant quotes to support. Null: made before there were references, or pseudonymised',
  ),
  status: oneOf(statuses),
  reason: textOrNull('Le club nous a indiqué un autre contact.'),
  decided_by: nullable(Id('The administrator or moderator')),
  email_status: nullable(
    oneOf(emailStatuses, 'The mail to the claimant; null: not decided, or no address is known'),
  ),
  email_error: EmailError,
  questions_count: Type.Integer({ description: 'How often the claimant was asked', examples: [0] }),
  asked_at: nullable(ResponseTimestamp('When the claimant was first asked')),
  waits_until: nullable(
    ResponseTimestamp('Until when the expiry waits, or waited, for the answer to the first question'),
  ),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
}

const Owner = titled('ClaimActeurOwner', {
  user_id: Id(),
  user: UserName,
  nom: textOrNull('Odile Vauquelin'),
  email: textOrNull('odile.vauquelin@example.org'),
  email_verified: EmailVerified,
})

/** Maximum number of questions per claim; the database enforces it too. */
export const maxQuestions = 10

/** Expects the status as shown. */
export const isPending = ({ status }: { status: string }): boolean => status === 'pending'
export const hasQuestionsLeft = (claim: { questions_count: number }): boolean =>
  claim.questions_count < maxQuestions
/** True if the claimant can be mailed. */
export const isReachable = ({ address }: { address: string | null }): boolean =>
  address !== null && parseMailAddress(address) !== null

type Facts = { status: string; questions_count: number; address: string | null; awaits_answer: boolean }

/** Actions that each state allows. */
export const claimActions = {
  edit: isPending,
  question: (claim: Facts) => isPending(claim) && hasQuestionsLeft(claim) && isReachable(claim),
  resume: (claim: Facts) => isPending(claim) && claim.awaits_answer,
}

export const Claim = titled('Claim', {
  ...stored,
  user: NullableUserName,
  decided_by_user: NullableUserName,
  acteur: named('ClaimActeur', 'Boule des Accoules'),
  decided_at: nullable(ResponseTimestamp()),
  has_contact: Type.Boolean({
    description:
      'Whether it has an account, an address or a telephone number. Approving one without needs a `user_id`, by an administrator',
    examples: [true],
  }),
  awaits_answer: Type.Boolean({
    description: 'Pending, and its expiry waits for the answer of the claimant',
    examples: [false],
  }),
  has_rival: Type.Boolean({
    description: 'Pending, as another claim to the same acteur is: approving one rejects the other',
    examples: [false],
  }),
  registers: Type.Boolean({
    description: 'It has added the acteur, which waits with it: the decision validates or deletes it',
    examples: [false],
  }),
  expires_at: nullable(ResponseTimestamp('When it expires without a decision; null: it is not pending')),
  owners: Type.Array(Owner, { description: 'Who owns the acteur now' }),
  can: Can(claimActions),
})
export type Claim = Static<typeof Claim>
/** A claim as the query returns it. */
export type SelectedClaim = Omit<Claim, 'can' | 'acteur'> & {
  acteur: Claim['acteur'] & { type: string }
  /** Mail address of the claim, or else of its user. */
  address: string | null
}
