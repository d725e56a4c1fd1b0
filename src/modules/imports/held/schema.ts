import Type, { type Static } from 'typebox'
import { Id, nullable, text } from '../../../platform/http/validation/schemas.ts'

export const HeldRefusal = Type.Object(
  {
    reason: Type.Optional(
      nullable(
        text(1_000, { description: 'Kept as the moderation reason of each', examples: ['Flux piraté'] }),
      ),
    ),
  },
  { additionalProperties: false, examples: [{ reason: 'Flux piraté' }] },
)
export type HeldRefusal = Static<typeof HeldRefusal>

export const HeldDecided = Type.Object(
  {
    id: Id('Identifier of the run'),
    publications: Type.Integer({ description: 'How many are decided', examples: [312] }),
  },
  { title: 'ImportHeldDecided' },
)
export type HeldDecided = Static<typeof HeldDecided>
