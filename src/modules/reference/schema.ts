import Type, { type Static } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import {
  Can,
  filledLine,
  Id,
  nullable,
  ResponseTimestamp,
  strictObject,
  titled,
} from '../../platform/http/validation/schemas.ts'

export const ById = Type.Object({ id: Id() })
export const codePattern = '^[a-z0-9][a-z0-9_-]{0,49}$'
const code = Type.String({
  pattern: codePattern,
  description: 'As in the header `X-App-Source`; it stays',
  examples: ['site-chambery'],
})
export const ByCode = Type.Object({ code })

const libelle = filledLine(100, { examples: ['Événement'] })
const position = Type.Integer({
  minimum: -10_000,
  maximum: 10_000,
  description: 'Place in lists',
  examples: [10],
})

export const TypeCreate = strictObject({
  libelle,
  slug: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      maxLength: 100,
      description: 'Of the label, when left out; it stays',
      examples: ['evenement'],
    }),
  ),
  position: Type.Optional(position),
})
export type TypeCreate = Static<typeof TypeCreate>

export const TypeUpdate = strictObject(
  { libelle: Type.Optional(libelle), position: Type.Optional(position) },
  { minProperties: 1 },
)
export type TypeUpdate = Static<typeof TypeUpdate>

/** The actions in `can`, each with its condition. */
export const actions = { edit: always }

const StoredType = Type.Object({
  id: Id(),
  slug: Type.String({ examples: ['evenement'] }),
  libelle: Type.String({ examples: ['Événement'] }),
  position: Type.Integer({ examples: [10] }),
  version: Type.Integer({ examples: [1] }),
  updated_at: ResponseTimestamp(),
})
export const storedType = StoredType.properties
export type TypeRow = Static<typeof StoredType>

export const AdminType = titled('AdminPublicationType', { ...storedType, can: Can(actions) })
export type AdminType = Static<typeof AdminType>

const label = filledLine(100, { examples: ['Site de Chambéry'] })
const commune_ids = nullable(
  Type.Array(Id(), {
    maxItems: 500,
    description: 'It shows what concerns these communes only; null: everything public',
    examples: [['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e']],
  }),
)
const active = Type.Boolean({ description: 'An inactive one is refused', examples: [true] })

export const SourceCreate = strictObject({
  code,
  label,
  commune_ids: Type.Optional(commune_ids),
  active: Type.Optional(active),
})
export type SourceCreate = Static<typeof SourceCreate>

export const SourceUpdate = strictObject(
  { label: Type.Optional(label), commune_ids: Type.Optional(commune_ids), active: Type.Optional(active) },
  { minProperties: 1 },
)
export type SourceUpdate = Static<typeof SourceUpdate>

const StoredSource = Type.Object({
  code: Type.String({ examples: ['site-chambery'] }),
  label: Type.String({ examples: ['Site de Chambéry'] }),
  commune_ids: nullable(Type.Array(Id())),
  active,
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
})
export const storedSource = StoredSource.properties
/** An application; its code is its id. */
export type SourceRow = Static<typeof StoredSource> & { id: string }

export const AppSource = titled('AppSource', {
  ...storedSource,
  communes: nullable(
    Type.Array(
      Type.Object({
        id: Id(),
        nom: Type.String({ examples: ['Chambéry'] }),
        departement: Type.String({ examples: ['73'] }),
      }),
      { description: 'The communes of `commune_ids`, by name' },
    ),
  ),
  own: Type.Boolean({
    description: 'It belongs to the service: only its label changes',
    examples: [false],
  }),
  can: Can(actions),
})
export type AppSource = Static<typeof AppSource>
