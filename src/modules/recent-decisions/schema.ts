import Type, { type Static } from 'typebox'
import {
  Can,
  Id,
  list,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
  UserName,
} from '../../platform/http/validation/schemas.ts'
import { decisionRules } from './permissions.ts'

export const ById = Type.Object({ id: Id('Identifier of the decision') })

export const DecisionsQuery = Type.Object({
  all: Type.Optional(
    Type.Boolean({ description: 'Those of everybody: administrators only', examples: [true] }),
  ),
})

/** Field in the response of each route that decides. */
export const DecisionId = nullable(
  Id('The decision, for `POST /admin/decisions/{id}/undo`; null: nothing changed'),
)

const outcomes = ['pending', 'approved', 'published', 'rejected'] as const
export type Outcome = (typeof outcomes)[number]

export const Decision = titled('Decision', {
  id: Id(),
  kind: oneOf(['publication', 'claim'], 'Kind of its records'),
  action: Type.String({ description: 'As in the audit log', examples: ['publication.moderate'] }),
  outcome: nullable(
    oneOf(outcomes, 'Status that its records got; null: none changed, or not all got the same'),
  ),
  decided_by: Id(),
  decided_by_user: UserName,
  decided_at: ResponseTimestamp(),
  undo_until: ResponseTimestamp('Until when it can be undone'),
  undone_at: nullable(ResponseTimestamp()),
  items: Type.Array(
    titled('DecisionItem', {
      id: Id('Identifier of the record'),
      title: textOrNull('Fête', 'Of a claim: the name of its acteur'),
      undone: Type.Boolean(),
    }),
  ),
  can: Can({ undo: decisionRules.undo }),
})
export type Decision = Static<typeof Decision>

export const Decisions = list(Decision)

const count = Type.Integer({ examples: [1] })

export const UndoAnswer = titled('UndoAnswer', {
  data: Type.Array(
    titled('UndoResult', {
      id: Id('Identifier of the record'),
      result: oneOf(
        ['undone', 'changed_since'],
        '`changed_since`: the record has changed since the decision, and stays as it is',
      ),
    }),
  ),
  meta: Type.Object({ undone: count, changed_since: count }),
})
export type UndoAnswer = Static<typeof UndoAnswer>
