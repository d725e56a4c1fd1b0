import { ofFile, type PublicSource } from '../public-source.ts'

export const defibrillateurs: PublicSource = {
  name: 'defibrillateurs',
  label: 'Géo’DAE',
  usage: "from the CSV of the registry Géo'DAE",
  licence: 'Licence Ouverte 2.0',
  correctedAt: 'https://geodae.atlasante.fr',
  address: null,
  refusesFalls: true,
  load: ofFile(async () => (await import('./load.ts')).loadDefibrillateurs),
}
