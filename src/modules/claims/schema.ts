import Type, { type Static } from 'typebox'
import {
  Can,
  EmailVerified,
  Id,
  NullableUserName,
  nullable,
  oneOf,
  ResponseTimestamp,
  UserName,
} from '../../platform/http/schemas.ts'
import { emailStatuses } from '../../platform/mail/row-mails.ts'

export const statuses = ['pending', 'approved', 'rejected', 'expired'] as const

export const exampleMessage = 'Je préside le club depuis mars et je tiens désormais sa page.'

export const person = (example: string) => nullable(Type.String({ examples: [example] }))

/** Stored fields that responses show. */
export const stored = {
  id: Id(),
  acteur_id: Id('The claimed acteur'),
  user_id: nullable(Id('Who asks, when signed in; once approved, who became owner')),
  nom: person('Odile Vauquelin'),
  email: person('odile.vauquelin@example.org'),
  telephone: person('01 99 00 12 34'),
  message: Type.String({ description: 'Empty once retention has emptied it', examples: [exampleMessage] }),
  status: oneOf(statuses),
  reason: person('Le club nous a indiqué un autre contact.'),
  decided_by: nullable(Id('The administrator or moderator')),
  email_status: nullable(
    oneOf(emailStatuses, 'The mail that tells the claimant; null: not decided, or no address is known'),
  ),
  email_error: nullable(
    Type.String({
      description: 'What the mail server said to the last try, without addresses',
      examples: ['452 4.2.2 Mailbox full'],
    }),
  ),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
}

const Owner = Type.Object(
  {
    user_id: Id(),
    user: UserName,
    nom: person('Odile Vauquelin'),
    email: person('odile.vauquelin@example.org'),
    email_verified: EmailVerified,
  },
  { title: 'ClaimActeurOwner' },
)

/** Whether the state of a claim, as it is shown, leaves each action something to change. */
export const claimActions = { edit: ({ status }: { status: string }) => status === 'pending' }

export const Claim = Type.Object(
  {
    ...stored,
    user: NullableUserName,
    decided_by_user: NullableUserName,
    acteur: Type.Object(
      { id: Id(), nom: Type.String({ examples: ['Boule des Accoules'] }) },
      { title: 'ClaimActeur' },
    ),
    decided_at: nullable(ResponseTimestamp()),
    owners: Type.Array(Owner, { description: 'Who owns the acteur now' }),
    can: Can(claimActions),
  },
  { title: 'Claim' },
)
export type Claim = Static<typeof Claim>
/** A claim as it is selected. */
export type SelectedClaim = Omit<Claim, 'can' | 'acteur'> & { acteur: Claim['acteur'] & { type: string } }
