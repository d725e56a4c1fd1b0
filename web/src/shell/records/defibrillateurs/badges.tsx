import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/badge.tsx'
import { Row } from '../../../ui/layout.tsx'
import type { Device } from './queries.ts'

export const tones = { actif: 'good', masque: 'bad', a_verifier: 'warn' } as const

type Shown = Pick<Device, 'statut_admin_france' | 'statut_admin_commune' | 'absent_depuis'>

/** The national status, the communal one where it differs from the usual, and whether the registry has lost it. */
export function Statuts({ device }: { device: Shown }) {
  const words = useTranslations('defibrillateurs')
  const { statut_admin_france: france, statut_admin_commune: commune, absent_depuis } = device
  return (
    <Row as="span">
      <Badge tone={tones[france]}>{words(`statuts.${france}`)}</Badge>
      {commune !== 'actif' && (
        <Badge tone={tones[commune]}>{words('byCommune', { statut: words(`statuts.${commune}`) })}</Badge>
      )}
      {absent_depuis !== null && <Badge tone="bad">{words('isAbsent')}</Badge>}
    </Row>
  )
}
