import Type, { type Static } from 'typebox'
import { Id, nullable, Timestamp, text } from '../../../platform/http/validation/schemas.ts'

export const WithdrawBody = Type.Object(
  {
    since: nullable(
      Timestamp(
        'Only publications imported from this moment on, such as the start of a run; null: all of them',
      ),
    ),
    reason: Type.Optional(
      nullable(
        text(1_000, { description: 'Kept as the moderation reason of each', examples: ['Source piratée'] }),
      ),
    ),
  },
  { additionalProperties: false, examples: [{ since: null, reason: 'Source piratée' }] },
)
export type WithdrawBody = Static<typeof WithdrawBody>

export const Withdrawal = Type.Object(
  {
    id: Id('Identifier of the import source'),
    publications: Type.Integer({
      description: 'How many are withdrawn; sent again later, how many are left',
      examples: [12],
    }),
  },
  { title: 'ImportWithdrawal' },
)
export type Withdrawal = Static<typeof Withdrawal>
