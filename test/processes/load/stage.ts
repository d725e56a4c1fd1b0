import { insertPublication } from '../../../src/modules/publications/publications.test-kit.ts'
import { connect } from '../../../src/platform/database/connect.ts'
import { factories } from '../../support/factories.ts'
import { roleIn } from '../postgres.ts'
import type { Service } from '../service.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>

/** Creates the writers' accounts and records before anything is killed. */
export async function openStage(service: Service) {
  await service.ready
  const { db, close } = connect(
    await roleIn(service.dataDir, 'owner'),
    { warn: () => {} },
    { timeoutMs: 30_000 },
  )
  try {
    const { acteur, user } = factories(db)
    const communes = db.selectFrom('communes').select('id').where('version', '=', 1)
    const [town, moderated, published] = await communes.orderBy('code_insee').limit(3).execute()
    const ofRegistry = await communes.where('code_insee', '=', '42218').executeTakeFirstOrThrow()
    const club = await acteur({ valide: true, can_publish: true, commune_id: moderated?.id ?? null })
    const hall = await acteur({ type: 'mairie', valide: true })
    await db
      .updateTable('communes')
      .set({ mairie_actor_id: hall.id })
      .where('id', '=', published?.id ?? '')
      .execute()
    const author = { acteur: club, role: 'owner' as const }
    const admin = await user({ roles: ['admin'], memberships: [author], email_verified: true })
    const publication = await insertPublication({ db }, { acteur_id: club.id })
    const ids = { town: town?.id ?? '', ofRegistry: ofRegistry.id, publication: publication.id }
    return { admin, club, hall, ...ids }
  } finally {
    await close()
  }
}
