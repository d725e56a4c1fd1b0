import Type, { type Static } from 'typebox'
import { BulkResults, bulkIds, bulkVersions } from '../../../platform/http/bulk.ts'
import { Id, nullable, oneOf, strictObject } from '../../../platform/http/validation/schemas.ts'
import { flags, Thread } from '../schema.ts'

export const BulkChange = strictObject(
  {
    ...bulkIds,
    closed: Type.Optional(Type.Boolean({ description: '`false` opens them again', examples: [true] })),
    unread: Type.Optional(Type.Boolean({ examples: [false] })),
    flag: Type.Optional(nullable(oneOf(flags))),
    assignee_id: Type.Optional(nullable(Id('The colleague who handles them; null: nobody'))),
    ...bulkVersions,
  },
  { examples: [{ ids: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'], closed: true }] },
)
export type BulkChange = Static<typeof BulkChange>

const state = Type.Pick(Thread, ['status', 'unread', 'flag', 'assignee_id'])

export const BulkAnswer = BulkResults(
  { result: 'SupportThreadBulkResult', answer: 'SupportThreadBulkAnswer' },
  Type.Object(state.properties, { description: 'What it was before this change, so that it can be undone' }),
)
export type BulkAnswer = Static<typeof BulkAnswer>
