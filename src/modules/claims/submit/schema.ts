import Type, { type Static } from 'typebox'
import {
  filledLine,
  filledText,
  Id,
  nullable,
  oneOf,
  strictObject,
  text,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { exampleMessage, exampleReference } from '../schema.ts'

export const ClaimCreate = strictObject({
  acteur_id: Id('The acteur to take over'),
  message: filledText(2_000, {
    description: 'Who asks, and what makes the acteur theirs',
    examples: [exampleMessage],
  }),
  nom: Type.Optional(nullable(filledLine(200, { examples: ['Odile Vauquelin'] }))),
  email: Type.Optional(
    nullable(
      text(254, {
        description:
          'Address for the decision; where nobody is signed in, its owner becomes the owner. Without account, address and telephone, an administrator has to name the owner',
        examples: ['odile.vauquelin@example.org'],
      }),
    ),
  ),
  telephone: Type.Optional(nullable(filledLine(50, { examples: ['01 99 00 12 34'] }))),
})
export type ClaimCreate = Static<typeof ClaimCreate>

export const SubmittedClaim = titled('SubmittedClaim', {
  id: Id(),
  status: oneOf(['pending']),
  reference: Type.String({
    description: 'What the claimant quotes to support',
    examples: [exampleReference],
  }),
})
export type SubmittedClaim = Static<typeof SubmittedClaim>
