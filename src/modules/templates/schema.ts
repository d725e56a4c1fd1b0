import Type, { type Static } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import {
  Can,
  filledLine,
  filledText,
  Id,
  oneOf,
  ResponseTimestamp,
  strictObject,
  titled,
} from '../../platform/http/validation/schemas.ts'

const kinds = ['rejection', 'claim', 'reply'] as const
export type TemplateKind = (typeof kinds)[number]

const kind = oneOf(kinds, 'Where it is used: rejecting a publication, deciding a claim, replying to a thread')
const name = filledLine(100, { examples: ['Hors de la commune'] })
const body = filledText(5_000, {
  description: '`{{titre}}`, `{{acteur}}` and `{{nom}}` are replaced by those of the record',
  examples: ['Bonjour {{nom}}, « {{titre}} » ne concerne pas notre commune.'],
})

export const ById = Type.Object({ id: Id() })
export const TemplatesQuery = Type.Object({ kind })

export const TemplateCreate = strictObject({ kind, name, body })
export type TemplateCreate = Static<typeof TemplateCreate>

export const TemplateUpdate = strictObject(
  { name: Type.Optional(name), body: Type.Optional(body) },
  { minProperties: 1 },
)
export type TemplateUpdate = Static<typeof TemplateUpdate>

const Stored = Type.Object({
  id: Id(),
  kind,
  name: Type.String({ examples: ['Hors de la commune'] }),
  body: Type.String({ examples: ['Bonjour {{nom}}, « {{titre}} » ne concerne pas notre commune.'] }),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
})
/** Stored fields of a template that responses contain. */
export const storedTemplate = Stored.properties
export type StoredTemplate = Static<typeof Stored>

export const templateActions = { edit: always, delete: always }

export const Template = titled('Template', { ...storedTemplate, can: Can(templateActions) })

export const PreviewBody = strictObject({ id: Id('The publication, claim or thread that it is for') })
export const Preview = titled('TemplatePreview', {
  body: Type.String({
    examples: ['Bonjour Zoé Martin, « Fête du village » ne concerne pas notre commune.'],
  }),
})
