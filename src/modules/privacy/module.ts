import type { Module } from '../../platform/module.ts'
import type { Personal } from '../../platform/personal.ts'
import { deleteAnswersOf, deleteOldErasures, listAnswersOf } from './queries.ts'
import { person } from './record.ts'

/** What requests that were sent twice were answered, for a day. */
const keptAnswers: Personal = {
  name: 'kept_answers',
  async *read(db, { userIds }) {
    yield* await listAnswersOf(db, userIds)
  },
  erase: (tx, { userIds }) => deleteAnswersOf(tx, userIds),
}

export const privacy = {
  name: 'privacy',
  about: 'What is kept of a person: given to them, and erased',
  audited: [person],
  personal: [keptAnswers],
  retention: [{ name: 'erasures', months: 13, sweep: deleteOldErasures }],
} satisfies Module
