import type { SignedIn } from '../../platform/access/caller.ts'
import { requireArea } from '../../platform/access/record-kinds.ts'
import { change, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { hasLink, isPlainName } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { getPlaceholders, getTemplate, insertTemplate, type Placeholders } from './queries.ts'
import { template } from './record.ts'
import type { StoredTemplate, TemplateCreate, TemplateKind, TemplateUpdate } from './schema.ts'

const areas: Record<TemplateKind, string> = { rejection: 'publications', claim: 'claims', reply: 'messages' }

/** Requires a role that opens the area where templates of this kind are used. */
export const requireTemplates = ({ user }: SignedIn, kind: TemplateKind) => requireArea(user, areas[kind])

export function createTemplate(
  db: Database,
  caller: SignedIn,
  body: TemplateCreate,
): Promise<StoredTemplate> {
  requireTemplates(caller, body.kind)
  return create(db, caller, template, { action: 'template.create' }, (tx) =>
    insertTemplate(tx, { id: uuidv7(), ...body, name: body.name.trim(), body: body.body.trim() }),
  )
}

export function editTemplate(
  db: Database,
  caller: SignedIn,
  id: string,
  body: TemplateUpdate,
): Promise<StoredTemplate> {
  const authorise = (_tx: Database, { kind }: StoredTemplate) => requireTemplates(caller, kind)
  return change(db, caller, template, { id, action: 'template.update', authorise }, () => ({
    ...(body.name !== undefined && { name: body.name.trim() }),
    ...(body.body !== undefined && { body: body.body.trim() }),
  }))
}

export function deleteTemplate(
  db: Database,
  caller: SignedIn,
  id: string,
  now: Date,
): Promise<StoredTemplate> {
  const authorise = (_tx: Database, { kind }: StoredTemplate) => requireTemplates(caller, kind)
  return change(db, caller, template, { id, action: 'template.delete', authorise }, (_tx, _before, note) => {
    note({ deleted_at: now }, { deleted_at: null })
    return { deleted_at: now }
  })
}

/** Fills the placeholders of a template with the values of a record. */
export async function previewTemplate(db: Database, caller: SignedIn, id: string, recordId: string) {
  const { kind, body } = await getTemplate(db, id)
  requireTemplates(caller, kind)
  return { body: fill(body, quotable(kind, await getPlaceholders(db, kind, recordId))) }
}

/**
 * Leaves out what must not be quoted. Whoever writes a claim or a message to the town hall also chooses who gets the answer,
 * who may be somebody else: their texts must not bring links there.
 */
function quotable(kind: TemplateKind, { titre, acteur, nom }: Placeholders): Placeholders {
  if (kind === 'rejection') return { titre, acteur, nom }
  return {
    titre: titre !== null && hasLink(titre) ? null : titre,
    acteur,
    nom: nom !== null && isPlainName(nom.normalize('NFC').trim()) ? nom : null,
  }
}

/** Replaces placeholders by values. Where there is none, no space is left before the comma of `Bonjour {{nom}},`. */
const fill = (body: string, values: Placeholders): string =>
  body.replaceAll(/( ?)\{\{\s*(titre|acteur|nom)\s*\}\}/g, (_, space: string, name: keyof Placeholders) =>
    values[name] === null ? '' : space + values[name],
  )
