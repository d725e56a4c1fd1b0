import Type, { type Static } from 'typebox'
import { strictObject, titled } from '../../platform/http/validation/schemas.ts'

const daily = Type.Boolean({
  description: 'Whether one gets a mail each working day on which something waits, at a verified address',
  examples: [true],
})

export const DigestBody = strictObject({ daily })

export const Digest = titled('Digest', { daily })
export type Digest = Static<typeof Digest>
