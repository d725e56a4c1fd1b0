// Round: rest, because it checks exhaustively what a former version sealed.
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { operator } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { createSealer } from './rules.ts'
import { type SealKey, sealKeys } from './seal.ts'
import { verifyAuditLog } from './verify.ts'

const { db, database } = await openWorld()
const [newest, older] = sealKeys('the key of the tests: long enough to be one') as [SealKey, SealKey]

const of = uuidv7()
const note = (action: string, after: object) => {
  const [entity = ''] = action.split('.')
  const entityId = entity === 'acteur' ? of : uuidv7()
  return recordAudit(db, operator, {
    ...{ action, kind: { entity, personal: [] }, entityId, before: null },
    after: { ...after },
  })
}
const seal = (...keys: SealKey[]) => createSealer(db, keys)(new AbortController().signal, 120_000)
async function verify() {
  const faults: string[] = []
  await verifyAuditLog(db, [newest, older], [], (fault) => faults.push(fault))
  return faults
}
const asOwner = (statement: string) =>
  run(
    database.owner,
    `begin; alter table audit_log disable trigger user; ${statement};
     alter table audit_log enable trigger user; commit`,
  )

test('an entry that the version before sealed must have the acteur that its sealed values name', async () => {
  await note('acteur.member_add', { role: 'editor' })
  await note('user.update', { acteurs: [{ acteur_id: of, role: 'editor' }] })
  await note('publication.create', { acteur_id: of })
  // Its acteur stands in another table.
  await note('publication.update', { title: 'Loto' })
  await seal(older)
  await note('publication.update', { title: 'Bal' })
  await seal(newest, older)
  expect(await verify()).toEqual([])
  const rows = await db.selectFrom('audit_log').select(['id', 'seq', 'acteur_id']).orderBy('seq').execute()
  expect(rows.map(({ acteur_id }) => acteur_id)).toEqual([of, of, of, null, null])
  const edited = (...places: number[]) =>
    places.map((place) => `row ${rows[place]?.id}: edited (position ${rows[place]?.seq})`)
  await asOwner('update audit_log set acteur_id = null')
  expect(await verify()).toEqual(edited(0, 1, 2))
  await asOwner('update audit_log set acteur_id = gen_random_uuid()')
  expect(await verify()).toEqual(edited(0, 1, 2, 4))
  await asOwner(`update audit_log set acteur_id = null;
    update kysely_migration set timestamp = '2999-01-01T00:00:00.000Z' where name = '0424-audit-acteur'`)
  // An entry from before the database noted acteurs has none.
  expect(await verify()).toEqual([])
})
