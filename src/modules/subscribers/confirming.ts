import { sql } from 'kysely'
import Type from 'typebox'
import { tokenOf } from '../../platform/access/sealed-addresses.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import {
  cancelRowMail,
  type ListedMailKind,
  mailTries,
  sendRowMail,
  unnamed,
} from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { originFinder } from '../domains/proven.ts'
import { addressesOf } from './addresses.ts'
import { namedPlaces } from './choices.ts'
import { confirmMail } from './mail.ts'

export const confirmation = defineJob(
  'subscribers.mail-confirmation',
  Type.Object({ subscriberId: Type.String() }),
  { ...mailTries, concurrency: 2 },
)

/** Listed without the address: nobody sees who subscribes. Whoever asks again gets another. */
export const confirmationMails: ListedMailKind = {
  name: 'subscriber_confirmation',
  table: 'resident_subscribers',
  queue: confirmation.name,
  ...unnamed,
  named: 'subscriber-',
  title: { fr: 'Confirmation d’un abonnement', en: 'Confirmation of a subscription' },
  entity: 'subscriber',
  recordId: sql`m.id`,
}

/** Sends the link by which a resident confirms or changes what they get. */
export function confirmationHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { db, config } = deps
  const addresses = addressesOf(config.sessionKeys)
  return handle(confirmation, async ({ subscriberId: id }, context) => {
    const found = await findConfirmation(db, id)
    if (found === null) return
    const contents = addresses.open(id, found.address)
    if (contents === null) throw new Error('SESSION_KEY does not decrypt the address of a subscriber')
    if (found.places.length === 0) return cancelRowMail(db, confirmationMails, id)
    const origin = (await originFinder(db, config))(found.commune_ids, found.group_ids)
    const link = linkOf(origin, tokenOf(id, contents.secret))
    const mail = confirmMail(
      { id: `${id}-${found.asked}`, places: found.places, link },
      contents.address,
      config.mail.from,
    )
    await sendRowMail(deps, confirmationMails, id, mail, context)
  })
}

/** The page at which a subscriber confirms, changes and leaves. */
export const linkOf = (origin: string, token: string): string => `${origin}/abonnement/${token}`

/** `commune_ids`, `group_ids`: all that the page of the subscriber names. */
type Found = { address: Buffer; asked: string; places: string[]; commune_ids: string[]; group_ids: string[] }

/** Reads an address with the communes and groups to confirm; with those that it has confirmed if there is none. */
async function findConfirmation(db: Database, id: string): Promise<Found | null> {
  const { rows } = await sql<Found>`
    select s.address, extract(epoch from s.email_asked_at)::bigint::text as asked, array(
      select place.nom from followed_places ch join ${namedPlaces} place on place.id = ch.place_id
      where ch.subscriber_id = s.id and (ch.confirmed_at is null or not exists (
        select from followed_places other where other.subscriber_id = s.id and other.confirmed_at is null))
      order by place.is_group, place.sort_name limit 20) as places,
      array(select commune_id::text from resident_choices where subscriber_id = s.id) as commune_ids,
      array(select group_id::text from resident_group_choices where subscriber_id = s.id order by group_id) as group_ids
    from resident_subscribers s where s.id = ${id}`.execute(db)
  return rows[0] ?? null
}
