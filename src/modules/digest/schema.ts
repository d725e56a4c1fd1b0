import Type, { type Static } from 'typebox'

const daily = Type.Boolean({
  description: 'Whether one gets a mail each working day on which something waits, at a verified address',
  examples: [true],
})

export const DigestBody = Type.Object({ daily }, { additionalProperties: false })

export const Digest = Type.Object({ daily }, { title: 'Digest' })
export type Digest = Static<typeof Digest>
