import type { SignedIn } from '../../platform/access/caller.ts'
import { requireArea } from '../../platform/access/record-kinds.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import { change, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { hasLink, isPlainName } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { getPlaceholders, getTemplate, insertTemplate, listTemplates, type Placeholders } from './queries.ts'
import { template } from './record.ts'
import {
  ById,
  Preview,
  PreviewBody,
  type StoredTemplate,
  Template,
  TemplateCreate,
  type TemplateKind,
  TemplatesQuery,
  TemplateUpdate,
  templateActions,
} from './schema.ts'

const withCan = withCanOf(templateActions)

export function templatesRoutes(scope: SignedInScope, { db, reads, clock }: Deps): void {
  scope.get(
    '/admin/templates',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'listTemplates',
        summary: 'Texts that colleagues reuse, by name',
        querystring: TemplatesQuery,
        response: { 200: list(Template) },
      },
    },
    async ({ query, caller }) => {
      requireTemplates(caller, query.kind)
      return { data: (await listTemplates(reads, query.kind)).map(withCan) }
    },
  )

  scope.post(
    '/admin/templates',
    {
      config: {
        needs: 'record.open',
        audits: 'template.create',
        refusals: ['conflict'],
        location: '/admin/templates/{id}',
      },
      schema: {
        operationId: 'createTemplate',
        summary: 'Create a template; 409 when its kind has one of that name',
        body: TemplateCreate,
        response: { 201: record(Template) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: withCan(await createTemplate(db, caller, body)) }),
  )

  scope.get(
    '/admin/templates/:id',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'getTemplate',
        summary: 'Read a template',
        params: ById,
        response: { 200: record(Template) },
      },
    },
    async ({ params, caller }) => {
      const template = await getTemplate(reads, params.id)
      requireTemplates(caller, template.kind)
      return { data: withCan(template) }
    },
  )

  scope.patch(
    '/admin/templates/:id',
    {
      config: {
        needs: 'record.open',
        audits: 'template.update',
        refusals: ['conflict', 'precondition_failed'],
      },
      schema: {
        operationId: 'updateTemplate',
        summary: 'Change the name or text of a template',
        params: ById,
        body: TemplateUpdate,
        response: { 200: record(Template) },
      },
    },
    async ({ params, body, caller }) => ({ data: withCan(await editTemplate(db, caller, params.id, body)) }),
  )

  scope.delete(
    '/admin/templates/:id',
    {
      config: { needs: 'record.open', audits: 'template.delete', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteTemplate',
        summary: 'Delete a template',
        params: ById,
        response: { 200: record(Template) },
      },
    },
    async ({ params, caller }) => ({
      data: { ...(await deleteTemplate(db, caller, params.id, clock())), can: [] },
    }),
  )

  scope.post(
    '/admin/templates/:id/preview',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'previewTemplate',
        summary: 'The text of a template with the values of a record',
        params: ById,
        body: PreviewBody,
        response: { 200: record(Preview) },
      },
    },
    async ({ params, body, caller }) => ({ data: await previewTemplate(reads, caller, params.id, body.id) }),
  )
}

const areas: Record<TemplateKind, string> = { rejection: 'publications', claim: 'claims', reply: 'messages' }

/** Requires a role that opens the area where templates of this kind are used. */
const requireTemplates = ({ user }: SignedIn, kind: TemplateKind) => requireArea(user, areas[kind])

function createTemplate(db: Database, caller: SignedIn, body: TemplateCreate): Promise<StoredTemplate> {
  requireTemplates(caller, body.kind)
  return create(db, caller, template, { action: 'template.create' }, (tx) =>
    insertTemplate(tx, { id: uuidv7(), ...body, name: body.name.trim(), body: body.body.trim() }),
  )
}

function editTemplate(
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

function deleteTemplate(db: Database, caller: SignedIn, id: string, now: Date): Promise<StoredTemplate> {
  const authorise = (_tx: Database, { kind }: StoredTemplate) => requireTemplates(caller, kind)
  return change(db, caller, template, { id, action: 'template.delete', authorise }, (_tx, _before, note) => {
    note({ deleted_at: now }, { deleted_at: null })
    return { deleted_at: now }
  })
}

/** Fills the placeholders of a template with the values of a record. */
async function previewTemplate(db: Database, caller: SignedIn, id: string, recordId: string) {
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
