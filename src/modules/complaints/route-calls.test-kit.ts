import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

export function routeCalls(stage: Stage): RouteCalls {
  const { db, acteur, club, author, admin, moderator, noted, personal, secret } = stage
  /** A publication of the author that the moderator has hidden, and its statement. */
  const hidden = async () => {
    const values = { acteur_id: club.id, created_by: author.id }
    const { id } = await insertPublication({ db }, values)
    await moderator.client.patch(`/admin/publications/${id}/valide`, { valide: false })
    const statement = await db
      .selectFrom('statements')
      .select('id')
      .where('record_id', '=', id)
      .executeTakeFirstOrThrow()
    return { id, statement_id: statement.id }
  }
  const text = `Je ne suis pas d’accord : ${secret}.`
  const complaint = async () => {
    const { id: record_id, statement_id } = await hidden()
    const { body } = await author.client.post('/me/complaints', { statement_id, text })
    return { id: body.data.id as string, record_id }
  }
  return {
    'POST /me/complaints': async () => {
      const { id, statement_id } = await hidden()
      const after = {
        ...{ id: expect.any(String), statement_id, user_id: author.id, record_id: id },
        ...{ decider_id: moderator.id, title: personal, text: personal },
      }
      return {
        by: author,
        path: '/me/complaints',
        body: { statement_id, text },
        rows: [{ ...noted('complaint.create', null, after), entity: 'complaint' }],
      }
    },
    'POST /me/reports/{id}/complaint': async () => {
      const { id: record_id } = await insertPublication({ db }, { acteur_id: club.id })
      await author.client.post(`/publications/${record_id}/report`, { category: 'spam' })
      await moderator.client.post(`/admin/publications/${record_id}/reports/close`)
      const report = await db
        .selectFrom('publication_reports')
        .select(['id', 'case_id'])
        .where('publication_id', '=', record_id)
        .executeTakeFirstOrThrow()
      const after = {
        ...{ id: expect.any(String), case_id: report.case_id, record_id },
        ...{ decider_id: moderator.id, title: personal, text: personal },
      }
      return {
        by: author,
        path: `/me/reports/${report.id}/complaint`,
        body: { text },
        rows: [{ ...noted('complaint.create', null, after), entity: 'complaint' }],
      }
    },
    'GET /admin/complaints': async () => ({ by: moderator, path: '/admin/complaints?state=open' }),
    'GET /admin/complaints/{id}': async () => ({
      by: moderator,
      path: `/admin/complaints/${(await complaint()).id}`,
    }),
    'PATCH /admin/complaints/{id}': async () => {
      const { id } = await complaint()
      const before = { decision: null, answer: null, decided_as: null, decided_by: null }
      const after = {
        ...{ decision: 'upheld', answer: personal, decided_as: expect.any(String), decided_by: admin.id },
      }
      return {
        by: admin,
        path: `/admin/complaints/${id}`,
        body: { decision: 'upheld', answer: `La règle est la même pour tous, ${secret}.` },
        rows: [{ ...noted('complaint.decide', before, after), entity: 'complaint', entity_id: id }],
      }
    },
    'PATCH /admin/complaints/{id}?reversed': async () => {
      const { id, record_id } = await complaint()
      const before = { decision: null, effect: null, decided_as: null, decided_by: null }
      const after = {
        ...{ decision: 'reversed', effect: 'restored', decided_as: expect.any(String), decided_by: admin.id },
      }
      const undone = noted(
        'publication.undo',
        { valide: false, decided_centrally: true },
        { valide: true, decided_centrally: false, decision_id: expect.any(String) },
      )
      return {
        by: admin,
        path: `/admin/complaints/${id}`,
        body: { decision: 'reversed' },
        rows: [
          { ...undone, entity: 'publication', entity_id: record_id },
          { ...noted('complaint.decide', before, after), entity: 'complaint', entity_id: id },
        ],
      }
    },
    'PATCH /admin/complaints/{id}?activated': async () => {
      const { id: acteur_id } = await acteur()
      await db.insertInto('actor_users').values({ acteur_id, user_id: author.id, role: 'owner' }).execute()
      await admin.client.patch(`/admin/acteurs/${acteur_id}/active`, { active: false })
      const { body: own } = await author.client.get(`/me/statements?record_id=${acteur_id}`)
      const { body } = await author.client.post('/me/complaints', { statement_id: own.data[0].id, text })
      await db.deleteFrom('actor_users').where('acteur_id', '=', acteur_id).execute()
      const { id } = body.data
      const activated = noted('acteur.active', { active: false }, { active: true })
      const before = { decision: null, effect: null, decided_as: null, decided_by: null }
      const after = {
        ...{ decision: 'reversed', effect: 'restored', decided_as: 'colleague', decided_by: moderator.id },
      }
      return {
        by: moderator,
        path: `/admin/complaints/${id}`,
        body: { decision: 'reversed' },
        rows: [
          { ...activated, entity: 'acteur', entity_id: acteur_id },
          { ...noted('complaint.decide', before, after), entity: 'complaint', entity_id: id },
        ],
      }
    },
  }
}
