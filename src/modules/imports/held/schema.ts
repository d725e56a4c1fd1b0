import Type, { type Static } from 'typebox'
import { Id, nullable, strictObject, text, titled } from '../../../platform/http/validation/schemas.ts'

export const HeldRefusal = strictObject(
  {
    reason: Type.Optional(
      nullable(
        text(1_000, { description: 'Kept as the moderation reason of each', examples: ['Flux piraté'] }),
      ),
    ),
  },
  { examples: [{ reason: 'Flux piraté' }] },
)
export type HeldRefusal = Static<typeof HeldRefusal>

export const HeldDecided = titled('ImportHeldDecided', {
  id: Id('Identifier of the run'),
  publications: Type.Integer({ description: 'How many are decided', examples: [312] }),
})
export type HeldDecided = Static<typeof HeldDecided>
