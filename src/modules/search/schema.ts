import Type, { type Static } from 'typebox'
import { recordKindNames } from '../../platform/access/record-kinds.ts'
import { filledLine, Id, oneOf, textOrNull, titled } from '../../platform/http/validation/schemas.ts'
import { maxFound } from '../../platform/search-source.ts'

export const SearchQuery = Type.Object({
  q: filledLine(200, {
    description: 'An id, a code, an address, or the beginnings of words',
    examples: ['fête pomme'],
  }),
})

/** A record that the search found. */
export const Found = titled(
  'FoundRecord',
  {
    kind: oneOf(recordKindNames, 'Kind of the record'),
    id: Id('Identifier of the record'),
    label: Type.String({ description: 'Its title or name', examples: ['Fête de la pomme'] }),
    detail: textOrNull('Les Croqueurs de pommes', 'What distinguishes it'),
    exact: Type.Boolean({
      description: 'The text is its id, or one of its codes or addresses',
      examples: [false],
    }),
  },
  `At most ${maxFound} of each kind`,
)
export type Found = Static<typeof Found>
