import { ofFile, type PublicSource } from '../public-source.ts'

export const elus: PublicSource = {
  name: 'elus',
  label: 'Répertoire national des élus',
  usage: 'from a CSV of the Répertoire national des élus',
  licence: 'Licence Ouverte 2.0',
  correctedAt: 'https://www.data.gouv.fr/datasets/repertoire-national-des-elus-1/',
  // The councillors of communes.
  address: 'https://www.data.gouv.fr/api/1/datasets/r/d5f400de-ae3f-4966-8cb6-a85c70c6c24a',
  refusesFalls: true,
  load: ofFile(async () => (await import('./load.ts')).loadElus),
}
