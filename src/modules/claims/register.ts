import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import { append, create } from '../../platform/change.ts'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, raise, type Text, unauthenticated } from '../../platform/errors.ts'
import { slugify } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { filledLine, Id, oneOf, record, strictObject } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { acteur } from '../acteurs/record.ts'
import { insertWithSlug } from '../acteurs/rules.ts'
import { acteurExists } from './errors.ts'
import type { ClaimRow } from './queries.ts'
import { type EnqueuesReceipt, queueReceipt } from './receipt/jobs.ts'
import { claim } from './record.ts'
import { newReference } from './reference.ts'
import { claimsSettings } from './settings.ts'
import { ClaimCreate, insertClaim, readContact, SubmittedClaim } from './submit.ts'

/** What somebody may add without an administrator. */
export const registrationTypes = ['association', 'commerce', 'ecole', 'service', 'autre'] as const

const { acteur_id: _, ...ofClaimant } = ClaimCreate.properties
export const RegistrationCreate = strictObject({
  acteur: Type.Object(
    {
      nom: filledLine(200, { description: 'Name', examples: ['Pétanque de Chambéry'] }),
      type: oneOf(registrationTypes, 'Mairies are opened by administrators'),
      commune_id: Id('Commune it acts in'),
    },
    { additionalProperties: false },
  ),
  ...ofClaimant,
})
export type RegistrationCreate = Static<typeof RegistrationCreate>

export function registrationRoutes(scope: HttpServer, deps: Deps): void {
  const { requireBearer } = settingsOf(deps.config, claimsSettings)

  scope.post(
    '/registrations',
    {
      config: {
        limit: 'claim',
        refusals: ['unauthenticated', 'acteur_exists'],
        audits: 'claim.create',
        location: '/admin/claims/{id}',
      },
      // Runs after the audience's checks, which have verified any token of the request.
      onRequest: async ({ caller }) => {
        if (requireBearer && caller.user === null) throw unauthenticated()
      },
      schema: {
        operationId: 'registerActeur',
        description: 'Where CLAIMS_REQUIRE_BEARER is true, only with a token.',
        summary: 'Add an acteur that is not in the directory, and ask to take it over',
        body: RegistrationCreate,
        response: { 201: record(SubmittedClaim) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: await registerActeur(deps, caller, body) }),
  )
}

/** Inserts an acteur that waits, with the claim to it; one decision ends both. */
export function registerActeur(
  { db, jobs }: Pick<Deps, 'db'> & EnqueuesReceipt,
  caller: Caller,
  { acteur: wanted, message, ...contact }: RegistrationCreate,
): Promise<SubmittedClaim> {
  if (slugify(wanted.nom) === '') throw invalidActeur('nom', nameless)
  const of = readContact(contact)
  const user_id = caller.user?.id ?? null
  const reference = newReference()
  const read = async (_tx: Database, { id }: ClaimRow) => ({ id, status: 'pending' as const, reference })
  return create(db, caller, claim, { action: 'claim.create', read }, async (tx) => {
    await requireNew(tx, wanted)
    const added = await insertWithSlug(tx, wanted)
    await append(tx, caller, { action: 'acteur.create', kind: acteur, entityId: added.id, after: added })
    const values = { id: uuidv7(), acteur_id: added.id, user_id, message, reference, ...of }
    // Nobody else knows the acteur yet.
    const made = (await insertClaim(tx, values)) ?? raise(acteurExists())
    await tx.insertInto('registrations').values({ claim_id: made.id, acteur_id: added.id }).execute()
    await queueReceipt(tx, { jobs }, made)
    return made
  })
}

/** Refuses an unknown commune, and the name of an acteur that its directory shows: that one can be claimed. */
async function requireNew(tx: Database, { nom, commune_id }: RegistrationCreate['acteur']): Promise<void> {
  const commune = await tx.selectFrom('communes').select('id').where('id', '=', commune_id).executeTakeFirst()
  if (commune === undefined) throw invalidActeur('commune_id', unknown)
  const { rows } = await sql`
    select from acteurs
    where commune_id = ${commune_id} and search_text = ' ' || search_key(${nom}) and valide and active and deleted_at is null
    limit 1`.execute(tx)
  if (rows.length > 0) throw acteurExists()
}

const invalidActeur = (field: 'nom' | 'commune_id', message: Text) => invalid(`acteur.${field}`, message)

const nameless = {
  en: 'must contain a letter or a digit',
  fr: 'doit contenir une lettre ou un chiffre',
}
const unknown = { en: 'is not a known commune', fr: 'n’est pas une commune connue' }
