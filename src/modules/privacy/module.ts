import type { Module } from '../../platform/module.ts'
import type { Personal } from '../../platform/personal.ts'
import { deleteAnswersOf, deleteOldErasures, listResponsesOf } from './queries.ts'
import { person } from './record.ts'

/** Responses that are stored for a day for retried requests. */
const storedResponses: Personal = {
  name: 'kept_answers',
  async *read(db, { userIds }) {
    yield* await listResponsesOf(db, userIds)
  },
  erase: (tx, { userIds }) => deleteAnswersOf(tx, userIds),
}

export const privacy = {
  name: 'privacy',
  about: 'What is kept of a person: given to them, and erased',
  audited: [person],
  personal: [storedResponses],
  retention: [{ name: 'erasures', months: 13, sweep: deleteOldErasures }],
} satisfies Module
