import Type, { type Static } from 'typebox'
import { recordKindNames } from '../../platform/access/record-kinds.ts'
import { filledLine, Id, nullable, oneOf } from '../../platform/http/validation/schemas.ts'
import { mostFound } from '../../platform/searched.ts'

export const SearchQuery = Type.Object({
  q: filledLine(200, {
    description: 'An id, a code, an address, or the beginnings of words',
    examples: ['fête pomme'],
  }),
})

/** A record that the search found. */
export const Found = Type.Object(
  {
    kind: oneOf(recordKindNames, 'Kind of the record'),
    id: Id('Identifier of the record'),
    label: Type.String({ description: 'Its title or name', examples: ['Fête de la pomme'] }),
    detail: nullable(
      Type.String({ description: 'What distinguishes it', examples: ['Les Croqueurs de pommes'] }),
    ),
    exact: Type.Boolean({
      description: 'The text is its id, or one of its codes or addresses',
      examples: [false],
    }),
  },
  { title: 'FoundRecord', description: `At most ${mostFound} of each kind` },
)
export type Found = Static<typeof Found>
