import { useTranslations } from 'use-intl'
import { Row, Soft } from '../../../ui/layout.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import type { TableColumn } from '../../../ui/table.tsx'
import { Ago } from '../../../ui/time.tsx'
import { TitleLink } from '../links.tsx'
import { Statuts } from './badges.tsx'
import styles from './defibrillateurs.module.css'
import type { Device } from './queries.ts'

/** The columns of a list of devices; on a small screen, one. */
export function useDeviceColumns(): TableColumn<Device>[] {
  const words = useTranslations('defibrillateurs')
  const isNarrow = useNarrow()
  const nameOf = (device: Device) => (
    <TitleLink to="/defibrillateurs/$id" params={{ id: device.id }}>
      {device.nom ?? words('unnamed')}
    </TitleLink>
  )
  const placeOf = ({ adresse, code_postal, commune_nom }: Device) =>
    [adresse, [code_postal, commune_nom].filter(Boolean).join(' ')].filter(Boolean).join(', ') ||
    words('nowhere')
  const etatOf = (device: Device) => device.etat_fonctionnement ?? words('etats.unknown')
  // On a small screen, one column shows all values below the name.
  const whole: TableColumn<Device> = {
    id: 'nom',
    title: words('nom'),
    cell: (device) => (
      <div className={styles.whole}>
        {nameOf(device)}
        <Soft as="span">{placeOf(device)}</Soft>
        <Row as="span">
          <Soft as="span">{etatOf(device)}</Soft>
          <Statuts device={device} />
        </Row>
      </div>
    ),
  }
  const columns: TableColumn<Device>[] = [
    { id: 'nom', title: words('nom'), cell: nameOf },
    { id: 'place', title: words('place'), cell: placeOf },
    { id: 'etat', title: words('etat'), cell: etatOf },
    { id: 'statut', title: words('statut'), cell: (device) => <Statuts device={device} /> },
    {
      id: 'updated',
      title: words('updated'),
      cell: ({ mis_a_jour_le: at }) => (at === null ? words('never') : <Ago at={at} />),
    },
  ]
  return isNarrow ? [whole] : columns
}
