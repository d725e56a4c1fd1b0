import Type from 'typebox'
import { nullable, oneOf, optionalBody, strictObject } from '../../../platform/http/validation/schemas.ts'
import { flags } from '../schema.ts'

export const FlagBody = strictObject({ flag: nullable(oneOf(flags)) })

export const CloseBody = optionalBody(
  strictObject({
    closed: Type.Optional(
      Type.Boolean({ description: '`false` opens it again', default: true, examples: [true] }),
    ),
  }),
)
