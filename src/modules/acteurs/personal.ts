import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { bearsAddress, type Person, type Personal, rowsOf } from '../../platform/personal.ts'

/** Acteurs with the person's contact address. An erasure keeps the acteur and its other contacts. */
export const contactsOfPerson: Personal = {
  name: 'acteurs',
  title: { en: 'Acteurs with this contact address', fr: 'Acteurs ayant cette adresse de contact' },
  erasure: {
    en: 'Stay and lose this e-mail address. Check their other contacts, which may be the person’s too.',
    fr: 'Restent et perdent cette adresse e-mail. Vérifiez leurs autres contacts, qui sont peut-être aussi ceux de la personne.',
  },
  ofOthers: true,
  kind: 'acteur',
  find: (person) => sql`
    select id::text as id, id as record_id, nom as label from acteurs where ${bearsAddress(person)}`,
  read: rowsOf('acteurs', sql`nom, type, adresse, telephone, email, site_web`, bearsAddress),
  erase: eraseContacts,
}

async function eraseContacts(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update acteurs set email = null where ${bearsAddress(person)} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}
