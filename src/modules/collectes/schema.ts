import Type, { type Static } from 'typebox'
import { adminPerPage, pagingQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  DateOnly,
  Id,
  line,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { maxMembers } from '../groups/schema.ts'
import { fileKinds } from './reading/read-file.ts'
import { problemCodes } from './reading/row.ts'

export const ByActeur = Type.Object({ acteurId: Id('Identifier of the mairie, or of the acteur of a group') })
export const ById = Type.Object({ ...ByActeur.properties, id: Id('Identifier of the import') })
export const ByCommune = Type.Object({ ...ById.properties, communeId: Id('Identifier of the commune') })
export const PageQuery = Type.Object(pagingQuery(adminPerPage))

const commune = {
  commune_id: Id(),
  nom: Type.String({ examples: ['Chambéry'] }),
  code_insee: Type.String({ examples: ['73065'] }),
}
const count = (description: string, example = 1) => Type.Integer({ description, examples: [example] })

/** The collections of a member of the group. */
export const MemberCollectes = titled('MemberCollectes', {
  ...commune,
  collectes: count('How many collections it has', 8),
  prochaine: nullable(DateOnly('The next date of any of them')),
  updated_at: ResponseTimestamp('When the commune was changed last'),
})
export type MemberCollectes = Static<typeof MemberCollectes>

const uuid = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'

/** The largest file. */
export const maxBytes = 10_000_000

/** The fields of a form, `multipart/form-data`. */
export const FileOfCollectes = strictObject(
  {
    file: Type.String({
      maxLength: 1_000,
      contentMediaType: 'application/octet-stream',
      description:
        'CSV with the columns of the template, JSON (`[{code_insee, collectes}]`, or `{collectes}` as a calendar) or iCalendar, of at most 10 MB',
      examples: ['collectes-2027.csv'],
    }),
    commune_ids: Type.Optional(
      Type.String({
        pattern: `^${uuid}(,${uuid}){0,${maxMembers - 1}}$`,
        description: 'Of a calendar, which names no commune: the members that it is for, comma separated',
        examples: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'],
      }),
    ),
    others: Type.Optional(
      oneOf(
        ['removed', 'kept'],
        'Of a calendar: what becomes of the collections of other kinds of waste. Default: `removed`',
      ),
    ),
    secteur: Type.Optional(
      line(200, {
        minLength: 1,
        description: 'Of a calendar: the secteur that it is for. Other collections of the communes stay',
        examples: ['Centre'],
      }),
    ),
  },
  { title: 'FileOfCollectes' },
)
export type FileOfCollectes = Static<typeof FileOfCollectes>

export const states = ['checked', 'applied', 'undone'] as const
const results = ['replaced', 'unchanged', 'changed_since', 'not_member'] as const
export type Result = (typeof results)[number]
const undoResults = ['restored', 'changed_since', 'not_member'] as const
export type UndoResult = (typeof undoResults)[number]

const counts = {
  added: count('Collections that it gets'),
  removed: count('Collections that it loses', 0),
  changed: count('Collections that change', 2),
  unchanged: count('Collections that stay as they are', 5),
}

export const PlannedCommune = titled('CollecteImportCommune', {
  ...commune,
  ...counts,
  result: nullable(
    oneOf(
      results,
      'What applying did; null: not applied. `changed_since`: its collections had changed since the file was checked; `not_member`: it had left the group',
    ),
  ),
  undo_result: nullable(
    oneOf(
      undoResults,
      'What undoing did; null: not undone. `changed_since`: its collections had changed since',
    ),
  ),
})
export type PlannedCommune = Static<typeof PlannedCommune>

type Stage = { applied_at: Date | null; undone_at: Date | null; to_replace: number }
export const importActions = {
  apply: ({ applied_at, to_replace }: Stage) => applied_at === null && to_replace > 0,
  undo: ({ applied_at, undone_at }: Stage) => applied_at !== null && undone_at === null,
}

const imported = {
  id: Id(),
  acteur_id: Id(),
  kind: oneOf(fileKinds),
  state: oneOf(states),
  created_at: ResponseTimestamp('When the file was checked'),
  applied_at: nullable(ResponseTimestamp()),
  undone_at: nullable(ResponseTimestamp()),
  communes_count: count('Communes that the file names and that can be replaced', 38),
  to_replace: count('Those of them in which something changes', 36),
  replaced: count('Communes that were replaced', 36),
  restored: count('Communes that were restored', 0),
  problem_count: count('What could not be read', 0),
  version: Type.Integer({ examples: [1] }),
  can: Can(importActions),
}
/** An import in a list. */
export const CollecteImport = titled('CollecteImport', imported)
export type CollecteImport = Static<typeof CollecteImport>
export type ImportRow = Omit<CollecteImport, 'can' | 'state'>

export const CollecteImportFull = titled('CollecteImportFull', {
  ...imported,
  communes: Type.Array(PlannedCommune, { description: 'By name' }),
  problems: Type.Array(
    titled('CollecteImportProblem', {
      row: Type.Integer({ description: 'Row of the table, or place in the list', examples: [12] }),
      commune: textOrNull('Chambéry', 'The commune as it is written there'),
      field: Type.String({ examples: ['jours'] }),
      code: oneOf(problemCodes, '`scope_violation`: the commune is no member of the group'),
    }),
    { description: 'The first 1 000. A commune with a problem is not replaced' },
  ),
})
export type CollecteImportFull = Static<typeof CollecteImportFull>

const changes = ['added', 'removed', 'changed', 'unchanged'] as const

/** The twelve months of a commune, before and after. */
export const CollecteImportCalendar = titled('CollecteImportCalendar', {
  ...commune,
  du: DateOnly('First day: today (Europe/Paris)'),
  au: DateOnly('Last day'),
  collectes: Type.Array(
    titled('CollecteImportCalendarOf', {
      id: Id(),
      type_dechet: Type.String({ examples: ['emballages'] }),
      libelle: Type.String({ examples: ['Bac jaune'] }),
      secteur: textOrNull('Centre'),
      change: oneOf(changes),
      fields: Type.Array(Type.String({ examples: ['jours'] }), {
        description: 'What changes, of one that is changed',
      }),
      jours: Type.Array(
        Type.Object({
          date: DateOnly(),
          change: oneOf(
            ['added', 'removed', 'same'],
            '`added`: only after; `removed`: only before; `same`: before and after',
          ),
        }),
        { description: 'The days with a collection, before or after' },
      ),
    }),
  ),
})
export type CollecteImportCalendar = Static<typeof CollecteImportCalendar>
