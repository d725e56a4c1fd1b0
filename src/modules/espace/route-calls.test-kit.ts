import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { insertInvitation } from './invitations/queries.ts'

let counter = 0

export function routeCalls({
  acteur,
  admin,
  author,
  club,
  client,
  commune,
  db,
  user,
  noted,
  personal,
}: Stage): RouteCalls {
  const path = `/me/acteurs/${club.id}`
  const row = (entry: ReturnType<typeof noted>) => ({ entity: 'acteur', entity_id: club.id, ...entry })
  const permissions = ['manage_page' as const]
  const member = async () => {
    const { id } = await user({ memberships: [{ acteur: club, permissions }] })
    return id
  }
  const rights = { role: 'editor' as const, permissions }
  const invited = async () => {
    const { id, token, email } = await user({ email_verified: true })
    const to = { acteurId: club.id, email: email ?? '', ...rights }
    const invitation = await insertInvitation(db, to, { isMailed: false })
    return {
      by: { id, source: 'public', client: client({ source: 'public', token }) },
      invitation: invitation.id,
    }
  }
  return {
    'POST /me/invitations/{id}/accept': async () => {
      const { by, invitation } = await invited()
      const joined = { invitation_id: invitation, member_id: by.id, ...rights }
      return {
        by,
        path: `/me/invitations/${invitation}/accept`,
        rows: [row(noted('acteur.member_join', null, joined))],
      }
    },
    'DELETE /me/invitations/{id}': async () => {
      const { by, invitation } = await invited()
      const declined = { invitation_id: invitation, ...rights, invited: true }
      return {
        by,
        path: `/me/invitations/${invitation}`,
        rows: [row(noted('acteur.invitation_decline', declined, null))],
      }
    },
    'POST /admin/communes/{id}/mairie': async () => {
      const { id } = await commune()
      const hall = await acteur({ type: 'mairie', commune_id: id, valide: true })
      const invited = { invitation_id: expect.any(String), role: 'owner', permissions: [], invited: true }
      const named = noted('commune.update', { mairie_actor_id: null }, { mairie_actor_id: hall.id })
      return {
        by: admin,
        path: `/admin/communes/${id}/mairie`,
        body: { email: `mairie-${++counter}@example.org` },
        rows: [
          { ...noted('acteur.member_add', null, invited), entity: 'acteur', entity_id: hall.id },
          { ...named, entity: 'commune', entity_id: id },
        ],
      }
    },
    'GET /me/acteurs/{acteurId}': async () => ({ by: author, path }),
    'PATCH /me/acteurs/{acteurId}': async () => ({
      by: author,
      path,
      body: { telephone: `04 65 71 ${1000 + ++counter}`, horaires: `Mo 08:00-12:${10 + (counter % 50)}` },
      rows: [
        row(noted('acteur.update', expect.anything(), { telephone: personal, horaires: expect.any(String) })),
      ],
    }),
    'GET /me/acteurs/{acteurId}/members': async () => ({ by: author, path: `${path}/members` }),
    'GET /me/acteurs/{acteurId}/members/{userId}': async () => ({
      by: author,
      path: `${path}/members/${await member()}`,
    }),
    'POST /me/acteurs/{acteurId}/members': async () => ({
      by: author,
      path: `${path}/members`,
      body: { email: `invited-${++counter}@example.org`, role: 'editor', permissions },
      rows: [
        row(
          noted('acteur.member_add', null, {
            invitation_id: expect.any(String),
            role: 'editor',
            permissions,
            invited: true,
          }),
        ),
      ],
    }),
    'PATCH /me/acteurs/{acteurId}/members/{userId}': async () => {
      const id = await member()
      return {
        by: author,
        path: `${path}/members/${id}`,
        body: { permissions: ['manage_publications'] },
        rows: [
          row(
            noted(
              'acteur.member_update',
              { permissions },
              { permissions: ['manage_publications'], member_id: id },
            ),
          ),
        ],
      }
    },
    'DELETE /me/acteurs/{acteurId}/members/{userId}': async () => {
      const id = await member()
      return {
        by: author,
        path: `${path}/members/${id}`,
        rows: [row(noted('acteur.member_remove', { member_id: id, role: 'editor', permissions }, null))],
      }
    },
  }
}
