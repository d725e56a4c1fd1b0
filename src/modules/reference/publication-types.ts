import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { always, withCanOf } from '../../platform/access/rules.ts'
import { invalid } from '../../platform/errors.ts'
import { slugify } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { resourceRoutes, tableRows } from '../../platform/http/resource.ts'
import * as fields from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'

const libelle = fields.filledLine(100, { examples: ['Événement'] })
const position = Type.Integer({
  minimum: -10_000,
  maximum: 10_000,
  description: 'Place in lists',
  examples: [10],
})
const slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 100,
  description: 'Of the label, when left out; it stays',
  examples: ['evenement'],
})

const Stored = Type.Object({
  id: fields.Id(),
  slug: Type.String({ examples: ['evenement'] }),
  libelle: Type.String({ examples: ['Événement'] }),
  position: Type.Integer({ examples: [10] }),
  version: Type.Integer({ examples: [1] }),
  updated_at: fields.ResponseTimestamp(),
})

const actions = { edit: always }
export const publicationType = { entity: 'publication_type', personal: [] }

export function publicationTypesRoutes(scope: SignedInScope, deps: Deps): void {
  resourceRoutes(scope, deps, {
    path: '/admin/publication-types',
    kind: publicationType,
    rows: tableRows<Static<typeof Stored>>('publication_types', Stored.properties),
    shown: fields.titled('AdminPublicationType', { ...Stored.properties, can: fields.Can(actions) }),
    present: (_db, rows) => rows.map(withCanOf(actions)),
    list: {
      id: 'listAdminPublicationTypes',
      summary: 'Publication types, in order',
      sort: sql`position, id`,
    },
    get: { id: 'getPublicationType', summary: 'Read a publication type' },
    create: {
      id: 'createPublicationType',
      summary: 'Create a publication type; 409 when its slug is taken',
      refusals: ['conflict'],
      body: fields.strictObject({ libelle, slug: Type.Optional(slug), position: Type.Optional(position) }),
      values: (_tx, { libelle, slug = slugify(libelle), position = last }) => {
        if (slug === '') throw invalid('slug', noSlug)
        return { id: uuidv7(), libelle, slug, position }
      },
    },
    update: {
      id: 'updatePublicationType',
      summary: 'Change the label or the place of a publication type; its slug stays',
      refusals: ['precondition_failed'],
      body: fields.strictPartial({ libelle, position }, { minProperties: 1 }),
      values: (_tx, body) => body,
    },
  })
}

const last = sql<number>`(select coalesce(max(position) + 1, 1) from publication_types)`
const noSlug = {
  en: 'is required: the label has no letter or digit',
  fr: 'est requis : le libellé n’a ni lettre ni chiffre',
}
