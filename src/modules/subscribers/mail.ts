import { type Mail, mailOf } from '../../platform/mail/mail.ts'

type Asked = { id: string; places: string[]; link: string }

/**
 * Asks the owner of an address whether to send what a form asked for. The same mail whether the address is known or not.
 */
export function confirmMail({ id, places, link }: Asked, to: string, from: string): Mail {
  const names = listInWords(places)
  return mailOf({ to, from, name: `abonnement-${id}`, html: 'fr' }, `Votre abonnement : ${names}`, [
    'Bonjour,',
    `Quelqu’un, sans doute vous, a demandé que les messages de ${names} arrivent à cette adresse.`,
    `Ouvrez cette page pour voir ce que vous recevrez, et confirmer :\n${link}`,
    'Cette page reste la vôtre : elle sert aussi à changer d’avis et à se désabonner. Ne transmettez pas son adresse.',
    'Si vous n’avez rien demandé, il n’y a rien à faire : sans confirmation, rien ne sera envoyé, et la demande est effacée après 48 heures.',
  ])
}

const list = new Intl.ListFormat('fr', { type: 'conjunction' })
const listInWords = (names: string[]) => list.format(names)
