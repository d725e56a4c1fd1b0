import type { RecordKind } from '../../platform/change.ts'
import { getTemplateForUpdate, type TemplateValues, updateTemplate } from './queries.ts'
import type { StoredTemplate } from './schema.ts'

/** A template as an audited record. */
export const template = {
  entity: 'template',
  personal: [],
  lock: getTemplateForUpdate,
  write: (tx, { id }, values) => updateTemplate(tx, id, values),
} satisfies RecordKind<StoredTemplate, TemplateValues>
