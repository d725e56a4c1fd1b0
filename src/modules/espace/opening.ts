import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { lockIdentity, ownIdentity } from '../../platform/access/users.ts'
import { append, change } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflictOf, invalid } from '../../platform/errors.ts'
import { readAddress } from '../../platform/formats/mail-address.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Id, line, record, strictObject, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { type ActeurRow, getActeurForUpdate, updateActeur } from '../acteurs/queries.ts'
import { acteur } from '../acteurs/record.ts'
import { insertWithSlug } from '../acteurs/rules.ts'
import { isLive } from '../acteurs/schema.ts'
import { commune } from '../communes/editing/record.ts'
import { nameMairie } from '../communes/mairie-name.ts'
import { auditedInvitation } from './invitations/queries.ts'
import { TeamMember } from './schema.ts'
import { getTeamMember } from './team/queries.ts'
import { invite } from './team/rules.ts'

const ByCommune = Type.Object({ id: Id('Identifier of the commune') })

const MairieOpening = strictObject({
  email: line(254, {
    minLength: 3,
    description: 'Is invited as owner by mail, with an account or without',
    examples: ['mairie@example.org'],
  }),
  acteur_id: Type.Optional(
    Id(
      'The acteur to choose, of type `mairie`. Without it: the present mairie of the commune, else the only acteur of this type in it, else a new one',
    ),
  ),
})
type MairieOpening = Static<typeof MairieOpening>

const OpenedMairie = titled('OpenedMairie', {
  acteur_id: Id('The mairie'),
  nom: Type.String({ examples: ['Mairie de Chambéry'] }),
  slug: Type.String({ examples: ['mairie-de-chambery-3f9a1c'] }),
  is_new: Type.Boolean({ description: 'Whether the acteur was created', examples: [true] }),
  invitation: TeamMember,
})
type OpenedMairie = Static<typeof OpenedMairie>

/** Opens a mairie in one deed: its acteur, validated, named by the commune, with an invited owner. */
export function openingRoutes(scope: SignedInScope, { db, jobs }: Deps): void {
  scope.post(
    '/admin/communes/:id/mairie',
    {
      config: {
        audits: 'acteur.member_add',
        confirms: true,
        refusals: ['conflict', 'precondition_failed'],
        location: '/admin/acteurs/{acteur_id}',
      },
      schema: {
        operationId: 'openMairie',
        summary:
          'Open a mairie: choose or create its acteur, validate it, name it and invite its first owner',
        params: ByCommune,
        body: MairieOpening,
        response: { 201: record(OpenedMairie) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(201).send({ data: await openMairie({ db, jobs }, caller, params.id, body) }),
  )
}

/** All in one transaction: nobody is invited to a mairie that its commune does not name. Changes of the commune wait. */
function openMairie(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  communeId: string,
  { email, acteur_id }: MairieOpening,
): Promise<OpenedMairie> {
  const address = readAddress(email)
  const asked = { id: communeId, action: 'commune.update' }
  return change(db, caller, commune, asked, async (tx, before, save) => {
    await lockIdentity(tx, ownIdentity(address))
    const chosen = await chooseMairie(tx, before, acteur_id)
    const row = chosen ?? (await createMairie(tx, caller, before))
    if (!row.active) throw inactiveMairie()
    if (!row.valide) await validate(tx, caller, row)
    const invitation = await invite(tx, { jobs, caller }, row, { address, role: 'owner' })
    await append(tx, caller, {
      ...{ action: 'acteur.member_add', kind: acteur, entityId: row.id },
      after: auditedInvitation(invitation),
    })
    const { id, nom, slug } = row
    const ids = { acteurId: id, userId: invitation.id }
    const member = await getTeamMember(tx, caller.user.id, ids)
    await save({ mairie_actor_id: id })
    return { acteur_id: id, nom, slug, is_new: chosen === null, invitation: member }
  })
}

type Commune = { id: string; nom: string; mairie_actor_id: string | null }

/** Locks the acteur that was asked for, the present mairie or the only one of the commune; null if there is none. */
async function chooseMairie(
  tx: Database,
  { id, mairie_actor_id }: Commune,
  asked: string | undefined,
): Promise<ActeurRow | null> {
  const { rows } = await sql<{ id: string }>`
    select id from acteurs
    where type = 'mairie' and deleted_at is null and merged_into is null
      and case when ${asked ?? null}::uuid is not null then id = ${asked ?? null}
        else id = ${mairie_actor_id} or commune_id = ${id} end
    order by id = ${mairie_actor_id} desc nulls last, id limit 2`.execute(tx)
  const [first, second] = rows
  if (first === undefined && asked !== undefined) throw invalid('acteur_id', noMairie)
  if (second !== undefined && first?.id !== mairie_actor_id) throw invalid('acteur_id', severalMairies)
  if (first === undefined) return null
  const row = await getActeurForUpdate(tx, first.id)
  if (!isLive(row) || row.type !== 'mairie') throw invalid('acteur_id', noMairie)
  return row
}

async function createMairie(tx: Database, caller: SignedIn, { id, nom }: Commune): Promise<ActeurRow> {
  const row = await insertWithSlug(tx, { nom: nameMairie(nom), type: 'mairie', commune_id: id })
  await append(tx, caller, { action: 'acteur.create', kind: acteur, entityId: row.id, after: row })
  return row
}

async function validate(tx: Database, caller: SignedIn, { id }: ActeurRow): Promise<void> {
  await updateActeur(tx, id, { valide: true })
  await append(tx, caller, {
    ...{ action: 'acteur.validate', kind: acteur, entityId: id },
    ...{ before: { valide: false }, after: { valide: true } },
  })
}

const noMairie = {
  en: 'must be the id of an acteur of type mairie that is not deleted',
  fr: 'doit être l’identifiant d’un acteur de type mairie, non supprimé',
}
const severalMairies = {
  en: 'is required: this commune has several acteurs of type mairie',
  fr: 'est obligatoire : cette commune a plusieurs acteurs de type mairie',
}
const inactiveMairie = () =>
  conflictOf({
    en: 'This mairie is inactive. Activate it first, then open it.',
    fr: 'Cette mairie est désactivée. Activez-la d’abord, puis ouvrez-la.',
  })
