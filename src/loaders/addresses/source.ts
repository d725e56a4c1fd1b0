import { ofFile, type PublicSource } from '../public-source.ts'

export const addresses: PublicSource = {
  name: 'addresses',
  label: 'Base Adresse Locale',
  usage: 'from a Base Adresse Locale, of one or more communes',
  licence: 'Licence Ouverte 2.0',
  correctedAt: 'https://mes-adresses.data.gouv.fr',
  address: null,
  refusesFalls: true,
  isLong: true,
  load: ofFile(async () => (await import('./load.ts')).loadAddresses),
}
