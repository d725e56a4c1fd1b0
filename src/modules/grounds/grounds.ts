import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { withCanOf } from '../../platform/access/rules.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid, raise } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { HttpServer, SignedInScope } from '../../platform/http/http-server.ts'
import { resourceRoutes, tableRows } from '../../platform/http/resource.ts'
import * as fields from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'

const kinds = ['rule', 'law'] as const

export const GroundCode = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 50,
  examples: ['hors-sujet'],
})
const label = fields.filledLine(100, { examples: ['Hors sujet'] })
const text = fields.filledText(2_000, {
  description: 'What the author reads, and the public page of the rules',
  examples: ['Le contenu ne concerne pas la vie de la commune.'],
})
const kind = fields.oneOf(kinds, '`rule`: of this site. `law`: of the state')
const reference = fields.nullable(fields.line(300, { examples: ['Code pénal, article 226-4-1'] }))
const active = Type.Boolean({
  description: 'Offered for decisions, and on the public page',
  examples: [true],
})

export const PublicGround = fields.titled('PublicGround', {
  code: GroundCode,
  label: Type.String({ examples: ['Hors sujet'] }),
  text: Type.String({ examples: ['Le contenu ne concerne pas la vie de la commune.'] }),
  kind,
  reference: fields.textOrNull('Code pénal, article 226-4-1'),
})

const Stored = Type.Object({
  id: fields.Id(),
  ...PublicGround.properties,
  active,
  version: Type.Integer({ examples: [1] }),
  created_at: fields.ResponseTimestamp(),
  updated_at: fields.ResponseTimestamp(),
})
type StoredGround = Static<typeof Stored>

/** What a statement says of its ground. */
export type Ground = Static<typeof PublicGround>

/** Writes a ground with its text. */
export const groundIn = ({ label, text, reference }: Ground) =>
  `${label}. ${text}${reference === null ? '' : ` (${reference})`}`

/** The ground of decisions that name none, which stays. */
export const otherGround = 'autre'

const actions = { edit: () => true, delete: ({ code }: Pick<StoredGround, 'code'>) => code !== otherGround }
export const groundKind = { entity: 'ground', personal: [] }
const rows = tableRows<StoredGround>('grounds', Stored.properties, { shown: sql`deleted_at is null` })

export function publicGroundsRoutes(scope: HttpServer, { reads }: Deps): void {
  scope.get(
    '/grounds',
    {
      config: { caching: { shows: ['grounds'], direct: true } },
      schema: {
        operationId: 'listActiveGrounds',
        summary: 'Rules and laws by which content is refused: those in force, rules first',
        response: { 200: fields.list(PublicGround) },
      },
    },
    async () => ({ data: await listActiveGrounds(reads) }),
  )
}

export function groundsRoutes(scope: SignedInScope, deps: Deps): void {
  resourceRoutes(scope, deps, {
    path: '/admin/grounds',
    kind: groundKind,
    rows,
    shown: fields.titled('Ground', { ...Stored.properties, can: fields.Can(actions) }),
    present: (_db, rows) => rows.map(withCanOf(actions)),
    list: {
      id: 'listGrounds',
      summary: 'Rules and laws by which content is refused, oldest first',
      sort: sql`id`,
    },
    get: { id: 'getGround', summary: 'Read a ground' },
    create: {
      id: 'createGround',
      summary: 'Create a ground; 409 when its code is taken',
      refusals: ['conflict'],
      body: fields.strictObject({
        code: GroundCode,
        label,
        text,
        kind,
        reference: Type.Optional(reference),
        active: Type.Optional(active),
      }),
      values: (_tx, body) => ({ id: uuidv7(), ...body }),
    },
    update: {
      id: 'updateGround',
      summary: 'Change a ground; its code stays, and decisions keep the text that they gave',
      refusals: ['conflict', 'precondition_failed'],
      body: fields.strictPartial({ label, text, kind, reference, active }, { minProperties: 1 }),
      values: (_tx, body) => body,
    },
    delete: {
      id: 'deleteGround',
      summary: `Delete a ground; 409 for \`${otherGround}\``,
      refusals: ['conflict', 'precondition_failed'],
    },
  })
}

/** The errors of its constraints. */
export const groundConstraints = { grounds_code: conflict, grounds_autre_stays: conflict }

const columns = sql`code, label, text, kind, reference`

/** Lists the active grounds, for the public. */
export async function listActiveGrounds(db: Database): Promise<Ground[]> {
  const { rows } = await sql<Ground>`
    select ${columns} from grounds where active and deleted_at is null order by kind desc, id`.execute(db)
  return rows
}

/** Returns the ground of this code; 422 if it is not active. Without a code, the preferred one if active, else the other. */
export async function getGround(
  db: Database,
  { ground, preferred = otherGround }: { ground?: string | undefined; preferred?: string | undefined },
): Promise<Ground> {
  const { rows } = await sql<Ground>`
    select ${columns} from grounds
    where code = any(${ground === undefined ? [preferred, otherGround] : [ground]}::text[]) and active and deleted_at is null
    order by code = ${otherGround} limit 1`.execute(db)
  return rows[0] ?? raise(invalid('ground', unknownGround))
}

const unknownGround = { en: 'must be the code of an active ground', fr: 'doit être le code d’un motif actif' }
