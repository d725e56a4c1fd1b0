import Type, { type Static } from 'typebox'
import {
  Id,
  nullable,
  strictObject,
  Timestamp,
  text,
  titled,
} from '../../../platform/http/validation/schemas.ts'

export const WithdrawBody = strictObject(
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
  { examples: [{ since: null, reason: 'Source piratée' }] },
)
export type WithdrawBody = Static<typeof WithdrawBody>

export const Withdrawal = titled('ImportWithdrawal', {
  id: Id('Identifier of the import source'),
  publications: Type.Integer({
    description: 'How many are withdrawn; sent again later, how many are left',
    examples: [12],
  }),
})
export type Withdrawal = Static<typeof Withdrawal>
