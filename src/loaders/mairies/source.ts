import { ofFile, type PublicSource } from '../public-source.ts'

export const mairies: PublicSource = {
  name: 'mairies',
  label: 'Annuaire de l’administration',
  usage: "from JSON of the Annuaire de l'administration",
  licence: 'Licence Ouverte 2.0',
  correctedAt: 'https://lannuaire.service-public.gouv.fr',
  address:
    'https://api-lannuaire.service-public.gouv.fr/api/explore/v2.1/catalog/datasets/api-lannuaire-administration/exports/json?where=pivot%20like%20%22mairie%22',
  refusesFalls: true,
  load: ofFile(async () => (await import('./load.ts')).loadMairies),
}
