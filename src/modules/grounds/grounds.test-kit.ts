import type { World } from '../../../test/support/world.ts'
import { insertPublication, openAssociation } from '../publications/publications.test-kit.ts'

/** Creates publications whose restrictions have statements and mails, and reads both. */
export function groundsKit(world: World) {
  const { db } = world
  return {
    /** A public publication of an association whose author and second owner have verified addresses. */
    async written(values: object = {}, options: { can_publish?: boolean } = {}) {
      const { acteur, owner, editor, asOwner, asEditor } = await openAssociation(world, options)
      const known = { email_verified: true }
      await db.updateTable('users').set(known).where('id', 'in', [owner.id, editor.id]).execute()
      const one = await insertPublication(world, { acteur_id: acteur.id, created_by: editor.id, ...values })
      return { ...one, acteur, owner, editor, asOwner, asEditor, at: `/admin/publications/${one.id}` }
    },
    statementsOf: (id: string) =>
      db.selectFrom('statements').selectAll().where('record_id', '=', id).orderBy('id').execute(),
    mailsOf: (id: string) =>
      db.selectFrom('publication_mails').selectAll().where('publication_id', '=', id).orderBy('id').execute(),
  }
}
