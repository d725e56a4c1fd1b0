import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import { readMessage } from '../../platform/mail/mail-servers.test-kit.ts'
import { findEndlessAlerte, queueReminders, remindHandler } from './remind.ts'

const { acteur, commune, as, user, config, db, jobs, outbox, runJobs } = await openWorld()
const admin = await as('admin')
const signal = new AbortController().signal
const reminders = () => queueReminders({ db, jobs }, signal)

async function alerte(owner: object, days: number, values: object = {}): Promise<string> {
  const id = uuidv7()
  const created_at = new Date(Date.now() - days * 86_400_000)
  const text = { titre: 'Eau non potable', message: 'Ne la buvez pas.', niveau: 'urgence' }
  await db
    .insertInto('alertes')
    .values({ id, ...text, ...owner, created_at, ...values })
    .execute()
  return id
}
const statusOf = async (id: string) =>
  (
    await db
      .selectFrom('alertes')
      .select(['email_status', 'version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).email_status
const mailsOf = async (id: string) => {
  const files = (await readdir(outbox)).filter((file) => file.includes(id))
  return Promise.all(files.map(async (file) => readMessage(await readFile(join(outbox, file), 'utf8'))))
}

test('a queued reminder is not sent once its alert has an end or is deleted', async () => {
  const hall = await acteur({ type: 'mairie', email: 'mairie@centre.example' })
  await commune({ mairie_actor_id: hall.id })
  const [ended, deleted] = [await alerte({ acteur_id: hall.id }, 9), await alerte({ acteur_id: hall.id }, 9)]
  expect(await reminders()).toBe(2)
  await db.updateTable('alertes').set({ fin: sql`now()` }).where('id', '=', ended).execute()
  await db.deleteFrom('alertes').where('id', '=', deleted).execute()
  const mailer = { send: () => Promise.reject(new Error('sent')), close: async () => {} }
  const { perform } = remindHandler({ db, config, mailer })
  for (const alerteId of [ended, deleted]) await perform({ alerteId }, { id: 'job', attempt: 1, signal })
  expect(await statusOf(ended)).toBe('failed')
})

test('a mairie is reminded once, after seven days, of an alert that has no end', async () => {
  const hall = await acteur({ type: 'mairie', email: 'mairie@aval.example' })
  const town = await commune({ nom: 'Aval', mairie_actor_id: hall.id })
  const bare = await commune({ nom: 'Amont' })
  await db
    .insertInto('commune_infos')
    .values({
      id: uuidv7(),
      commune_id: bare.id,
      cle: 'email',
      libelle: 'E-mail',
      valeur: 'contact@amont.example',
      position: 1,
    })
    .execute()
  const unreachable = await commune()
  const gone = await acteur({ type: 'mairie', email: 'gone@example.org', active: false })
  await commune({ mairie_actor_id: gone.id })
  const former = await acteur({ type: 'mairie', email: 'former@example.org' })
  const old = { commune_id: town.id }
  const due = await alerte(old, 8)
  const ofMairie = await alerte({ acteur_id: hall.id }, 8)
  const ofBare = await alerte({ commune_id: bare.id }, 8)
  const others = [
    await alerte(old, 6),
    await alerte(old, 8, { fin: new Date(Date.now() + 86_400_000) }),
    await alerte(old, 30, { debut: new Date(Date.now() - 86_400_000) }),
    await alerte({ commune_id: unreachable.id }, 8),
    await alerte({ acteur_id: gone.id }, 8),
    await alerte({ acteur_id: former.id }, 8),
  ]
  // Concurrent ones may share the alerts.
  const [one, other] = await Promise.all([reminders(), reminders()])
  expect(one + other).toBe(3)
  for (const id of others) expect(await statusOf(id)).toBe(null)
  await runJobs()
  for (const id of [due, ofMairie, ofBare])
    await until('it is sent', async () => (await statusOf(id)) === 'sent')
  const [mail, ...more] = await mailsOf(due)
  expect(more).toEqual([])
  expect(mail?.headers.get('To')).toBe('mairie@aval.example')
  expect(mail?.text).toContain('« Eau non potable » (Aval)')
  expect((await mailsOf(ofBare))[0]?.headers.get('To')).toBe('contact@amont.example')
  expect(await reminders()).toBe(0)
  const { body } = await admin.get(`/admin/alertes/${due}`)
  expect(body.data.version).toBe(1)
})

test('a reminder to a member is in the language of their account, and in French elsewhere', async () => {
  const hall = await acteur({ type: 'mairie', email: null })
  await commune({ mairie_actor_id: hall.id })
  const memberships = [{ acteur: hall, role: 'owner' as const }]
  const { email } = await user({ email_verified: true, langue: 'en', memberships })
  const id = await alerte({ acteur_id: hall.id }, 8)
  expect(await findEndlessAlerte(db, id)).toMatchObject({ address: email, langue: 'en' })
  await db.updateTable('acteurs').set({ email: 'mairie@amont.example' }).where('id', '=', hall.id).execute()
  expect(await findEndlessAlerte(db, id)).toMatchObject({ address: 'mairie@amont.example', langue: 'fr' })
})
