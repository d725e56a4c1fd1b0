import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { requireArea } from '../../platform/access/record-kinds.ts'
import { always, withCanOf } from '../../platform/access/rules.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid, notFound, raise } from '../../platform/errors.ts'
import { hasLink, isPlainName } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { resourceRoutes, tableRows } from '../../platform/http/resource.ts'
import * as fields from '../../platform/http/validation/schemas.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { GroundCode, getGround } from '../grounds/grounds.ts'

const kinds = ['rejection', 'claim', 'reply'] as const
type Kind = (typeof kinds)[number]
const areas: Record<Kind, string> = { rejection: 'publications', claim: 'claims', reply: 'messages' }

const kind = fields.oneOf(
  kinds,
  'Where it is used: rejecting a publication, deciding a claim, replying to a thread',
)
const name = fields.filledLine(100, { examples: ['Hors de la commune'] })
const example = 'Bonjour {{nom}}, « {{titre}} » ne concerne pas notre commune.'
const body = fields.filledText(5_000, {
  description: '`{{titre}}`, `{{acteur}}` and `{{nom}}` are replaced by those of the record',
  examples: [example],
})

const ground = fields.nullable({ ...GroundCode, description: 'Of a rejection: the ground that it explains' })

const Stored = Type.Object({
  id: fields.Id(),
  kind,
  ground,
  name: Type.String({ examples: ['Hors de la commune'] }),
  body: Type.String({ examples: [example] }),
  version: Type.Integer({ examples: [1] }),
  created_at: fields.ResponseTimestamp(),
  updated_at: fields.ResponseTimestamp(),
})
type Template = Static<typeof Stored>

const actions = { edit: always, delete: always }
const auditedTemplate = { entity: 'template', personal: [] }
const rows = tableRows<Template>('reply_templates', Stored.properties, { shown: sql`deleted_at is null` })

/** Requires a role that opens the area where templates of this kind are used. */
const authorise = ({ user }: SignedIn, { kind }: Partial<Template>) => requireArea(user, areas[kind as Kind])

const trimmed = ({
  name,
  body,
  ...others
}: Partial<Pick<Template, 'kind' | 'name' | 'body' | 'ground'>>) => ({
  ...others,
  ...(name !== undefined && { name: name.trim() }),
  ...(body !== undefined && { body: body.trim() }),
})

/** Requires an active ground, and a template of a rejection: the others refuse nothing by a rule. */
async function requireGround(tx: Database, kind: Kind, ground: string | null | undefined): Promise<void> {
  if (ground === null || ground === undefined) return
  if (kind !== 'rejection') throw invalid('ground', ofRejections)
  await getGround(tx, { ground })
}

const ofRejections = { en: 'is only allowed for a rejection', fr: 'n’est possible que pour un rejet' }

function templatesRoutes(scope: SignedInScope, deps: Deps): void {
  resourceRoutes(scope, deps, {
    path: '/admin/templates',
    kind: auditedTemplate,
    rows,
    needs: 'record.open',
    authorise,
    shown: fields.titled('Template', { ...Stored.properties, can: fields.Can(actions) }),
    present: (_db, rows) => rows.map(withCanOf(actions)),
    list: {
      id: 'listTemplates',
      summary: 'Texts that colleagues reuse, by name',
      query: Type.Object({ kind }),
      sort: sql`lower(name), id`,
      where: ({ kind }) => sql`kind = ${kind}`,
    },
    get: { id: 'getTemplate', summary: 'Read a template' },
    create: {
      id: 'createTemplate',
      summary: 'Create a template; 409 when its kind has one of that name',
      refusals: ['conflict'],
      body: fields.strictObject({ kind, name, body, ground: Type.Optional(ground) }),
      values: async (tx, body) => {
        await requireGround(tx, body.kind, body.ground)
        return { id: uuidv7(), ...trimmed(body) }
      },
    },
    update: {
      id: 'updateTemplate',
      summary: 'Change the name or text of a template',
      refusals: ['conflict', 'precondition_failed'],
      body: fields.strictPartial({ name, body, ground }, { minProperties: 1 }),
      values: async (tx, body, before) => {
        await requireGround(tx, before.kind, body.ground)
        return trimmed(body)
      },
    },
    delete: { id: 'deleteTemplate', summary: 'Delete a template', refusals: ['precondition_failed'] },
  })

  scope.post(
    '/admin/templates/:id/preview',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'previewTemplate',
        summary: 'The text of a template with the values of a record',
        params: Type.Object({ id: fields.Id() }),
        body: fields.strictObject({ id: fields.Id('The publication, claim or thread that it is for') }),
        response: { 200: fields.record(Preview) },
      },
    },
    async ({ params, body, caller }) => {
      const template = await rows.get(deps.reads, params.id)
      authorise(caller, template)
      const values = await getPlaceholders(deps.reads, template.kind, body.id)
      return { data: { body: fill(template.body, quotable(template.kind, values)) } }
    },
  )
}

const Preview = fields.titled('TemplatePreview', {
  body: Type.String({
    examples: ['Bonjour Zoé Martin, « Fête du village » ne concerne pas notre commune.'],
  }),
})

type Placeholders = { titre: string | null; acteur: string | null; nom: string | null }

const placeholderQueries: Record<Kind, (id: string) => ReturnType<typeof sql<Placeholders>>> = {
  rejection: (id) => sql<Placeholders>`
    select p.title as titre, a.nom as acteur, u.nom as nom
    from publications p left join acteurs a on a.id = p.acteur_id left join users u on u.id = p.created_by
    where p.id = ${id}`,
  claim: (id) => sql<Placeholders>`
    select null as titre, a.nom as acteur, c.nom as nom
    from claims c join acteurs a on a.id = c.acteur_id where c.id = ${id}`,
  reply: (id) => sql<Placeholders>`
    select t.subject as titre, null as acteur, t.nom as nom from support_threads t where t.id = ${id}`,
}

/** Reads the values of the placeholders from the record; 404 if it does not exist. */
async function getPlaceholders(db: Database, kind: Kind, id: string): Promise<Placeholders> {
  const { rows } = await placeholderQueries[kind](id).execute(db)
  return rows[0] ?? raise(notFound())
}

/**
 * Leaves out what must not be quoted. Whoever writes a claim or a message to the town hall also chooses who gets the
 * answer, who may be somebody else: their texts must not bring links there.
 */
function quotable(kind: Kind, { titre, acteur, nom }: Placeholders): Placeholders {
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

export const templates = {
  name: 'templates',
  about: 'Texts that colleagues reuse for rejections, claims and replies',
  routes: { office: templatesRoutes },
  constraints: { reply_templates_name: conflict },
  audited: [auditedTemplate],
} satisfies Module
