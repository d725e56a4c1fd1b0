import { later, type PublicSource } from '../public-source.ts'

export const communes: PublicSource = {
  name: 'communes',
  label: 'Code officiel géographique',
  usage: 'from the package that carries the register, or with --file from JSON of geo.api.gouv.fr',
  licence: 'Licence Ouverte 2.0',
  correctedAt: 'https://geo.api.gouv.fr',
  address: null,
  isPackaged: true,
  load: later(async () => (await import('./load.ts')).loadCommunes),
}
