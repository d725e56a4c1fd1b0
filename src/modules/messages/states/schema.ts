import Type from 'typebox'
import { nullable, oneOf, optionalBody } from '../../../platform/http/validation/schemas.ts'
import { flags } from '../schema.ts'

export const FlagBody = Type.Object({ flag: nullable(oneOf(flags)) }, { additionalProperties: false })

export const CloseBody = optionalBody(
  Type.Object(
    {
      closed: Type.Optional(
        Type.Boolean({ description: '`false` opens it again', default: true, examples: [true] }),
      ),
    },
    { additionalProperties: false },
  ),
)
