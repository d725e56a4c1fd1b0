import Type, { type Static } from 'typebox'
import { adminPerPage, pagingQuery } from '../../platform/http/paging.ts'
import { filledText, Id, nullable, oneOf, Timestamp, text } from '../../platform/http/schemas.ts'

export const statuses = ['pending', 'approved', 'rejected', 'expired'] as const
const decisions = ['approved', 'rejected'] as const
const emailStatuses = ['queued', 'sending', 'sent', 'failed', 'uncertain'] as const
const strict = { additionalProperties: false }

const message = 'Je préside le club depuis mars et je tiens désormais sa page.'

export const ClaimCreate = Type.Object(
  {
    acteur_id: Id('The acteur to take over'),
    message: filledText(2_000, {
      description: 'Who asks, and what makes the acteur theirs',
      examples: [message],
    }),
    nom: Type.Optional(nullable(text(200, { minLength: 1, examples: ['Odile Vauquelin'] }))),
    email: Type.Optional(
      nullable(
        text(254, {
          description: 'Where the decision is told, and whose owner is made owner where nobody is signed in',
          examples: ['odile.vauquelin@example.org'],
        }),
      ),
    ),
    telephone: Type.Optional(nullable(text(50, { minLength: 1, examples: ['01 99 00 12 34'] }))),
  },
  strict,
)
export type ClaimCreate = Static<typeof ClaimCreate>

export const SubmittedClaim = Type.Object(
  { id: Id(), status: oneOf(['pending']) },
  { title: 'SubmittedClaim' },
)

export const ClaimsQuery = Type.Object({
  ...pagingQuery(adminPerPage),
  status: Type.Optional(oneOf(statuses)),
  acteur_id: Type.Optional(Id('Claims on this acteur')),
  q: Type.Optional(
    text(200, {
      description:
        "Beginnings of words of the claimant's name, contacts or message, or of a word of the acteur's name",
      examples: ['vauquelin'],
    }),
  ),
})
export type ClaimsQuery = Static<typeof ClaimsQuery>

export const ById = Type.Object({ id: Id() })

export const Decision = Type.Object(
  {
    status: oneOf(decisions),
    reason: Type.Optional(
      nullable(
        text(1_000, {
          description: 'Told to the claimant when it is rejected',
          examples: ['Le club nous a indiqué un autre contact.'],
        }),
      ),
    ),
    user_id: Type.Optional(Id('Who becomes owner, where the claim was not made by somebody signed in')),
  },
  strict,
)
export type Decision = Static<typeof Decision>

const Owner = Type.Object(
  {
    user_id: Id(),
    nom: nullable(Type.String({ examples: ['Odile Vauquelin'] })),
    email: nullable(Type.String({ examples: ['odile.vauquelin@example.org'] })),
  },
  { title: 'ClaimActeurOwner' },
)

const person = (example: string) => nullable(Type.String({ examples: [example] }))

export const Claim = Type.Object(
  {
    id: Id(),
    acteur_id: Id('The claimed acteur'),
    acteur: Type.Object(
      { id: Id(), nom: Type.String({ examples: ['Boule des Accoules'] }) },
      { title: 'ClaimActeur' },
    ),
    user_id: nullable(Id('Who asks, when signed in; once approved, who became owner')),
    nom: person('Odile Vauquelin'),
    email: person('odile.vauquelin@example.org'),
    telephone: person('01 99 00 12 34'),
    message: Type.String({ description: 'Empty once retention has emptied it', examples: [message] }),
    status: oneOf(statuses),
    reason: person('Le club nous a indiqué un autre contact.'),
    decided_by: nullable(Id('The administrator or moderator')),
    decided_at: nullable(Timestamp()),
    email_status: nullable(
      oneOf(emailStatuses, 'The mail that tells the claimant; null: not decided, or no address is known'),
    ),
    owners: Type.Array(Owner, { description: 'Who owns the acteur now' }),
    version: Type.Integer({ examples: [1] }),
    created_at: Timestamp(),
  },
  { title: 'Claim' },
)
export type Claim = Static<typeof Claim>
