import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import type { MailOutcome } from '../../platform/mail/mail.ts'
import { performed } from '../../platform/mail/performed.test-kit.ts'
import { addedHandler, tellAdded } from './added.ts'

const world = await openWorld()
const { acteur, as, config, db, log, user } = world
const admin = await as('admin')

const add = (userId: string, ...acteurs: { id: string }[]) =>
  admin.patch(`/admin/users/${userId}`, {
    acteurs: acteurs.map(({ id }) => ({ acteur_id: id, role: 'editor' })),
  })
const jobsOf = async (userId: string) =>
  (
    await sql<{ data: object }>`
      select data from pgboss.job where name = ${tellAdded.name} and data->>'userId' = ${userId} order by created_on`.execute(
      db,
    )
  ).rows

/** Performs the jobs of somebody, and returns the mails. */
const sent = (userId: string, outcome?: MailOutcome) =>
  performed(db, (mailer) => addedHandler({ db, config, log, mailer }), [userId], outcome)

test('somebody whom an administrator adds to a team is told, with the way to its space', async () => {
  const club = await acteur({ nom: 'Boule d’or' })
  const { id, email } = await user({ email_verified: true, nom: 'Zoé' })
  await add(id, club)
  const [mail, ...others] = await sent(id)
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: email, subject: 'Vous faites partie de l’équipe de « Boule d’or »' })
  expect(mail?.text).toContain(`/backoffice/espace/${club.id}`)
})

test('one mail names all new teams, and none that somebody had before', async () => {
  const [old, one, other] = [
    await acteur({ nom: 'Ancien' }),
    await acteur({ nom: 'Un' }),
    await acteur({ nom: 'Deux' }),
  ]
  const { id } = await user({
    email_verified: true,
    langue: 'en',
    memberships: [{ acteur: old, role: 'editor' }],
  })
  await add(id, old, one, other)
  const [mail] = await sent(id)
  expect(mail?.subject).toBe('You belong to 2 more teams')
  expect(mail?.text).toContain('– “Deux”\n– “Un”')
  expect(mail?.text).not.toContain('Ancien')
  await add(id, old, one, other)
  expect(await jobsOf(id)).toHaveLength(1)
})

test('a membership that is taken back before the mail leaves is not told', async () => {
  const { id } = await user({ email_verified: true })
  await add(id, await acteur())
  await add(id)
  expect(await sent(id)).toEqual([])
})

test('nobody is told at an address that nobody verified, or of what they gave themselves', async () => {
  const unverified = await user({ email_verified: false })
  await add(unverified.id, await acteur())
  expect(await sent(unverified.id)).toEqual([])
  const own = await user({ email_verified: true, roles: ['admin'] })
  const { id } = await acteur()
  const body = { acteurs: [{ acteur_id: id, role: 'owner' }] }
  expect(
    (await world.client({ token: own.token, source: 'backoffice' }).patch(`/admin/users/${own.id}`, body))
      .status,
  ).toBe(200)
  expect(await jobsOf(own.id)).toEqual([])
})

test('a mail that was not sent is tried again; one that may have arrived is not', async () => {
  const { id } = await user({ email_verified: true })
  await add(id, await acteur())
  await expect(sent(id, { status: 'failed', retry: true, error: 'connection refused' })).rejects.toThrow(
    'not sent',
  )
  expect(await sent(id, { status: 'uncertain', error: 'no reply' })).toHaveLength(1)
})
