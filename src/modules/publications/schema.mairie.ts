import Type, { type Static } from 'typebox'
import { Id, oneOf } from '../../platform/http/schemas.ts'
import { AdminQuery } from './lists/schema.ts'

const acteurId = Id('Identifier of the mairie acteur')
export const ByMairie = Type.Object({ acteurId })
export const ByMairieAndId = Type.Object({ acteurId, publicationId: Id('Identifier of the publication') })

// What is deleted is no longer there for a mairie.
const { deleted, ...filters } = AdminQuery.properties

export const MairieQuery = Type.Object({
  ...filters,
  supervision: Type.Optional(
    oneOf(
      ['false', 'true', 'only'],
      'Content that other acteurs attached to its commune alone: `true`: besides its own; `only`: just that. Default: `false`.',
    ),
  ),
})
export type MairieQuery = Static<typeof MairieQuery>
