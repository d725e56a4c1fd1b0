import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '../../shell/query-state.tsx'
import { Notes } from '../../shell/records/colleagues/notes.tsx'
import { Present } from '../../shell/records/colleagues/present.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/layout.tsx'
import { asFrenchWrites } from '../../ui/moment.ts'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { WebLink } from '../../ui/web-link.tsx'
import { Level } from './level.tsx'
import { type DeviceRecord, deviceQuery } from './queries.ts'

const route = getRouteApi('/signed-in/defibrillateurs/$id')

/** Shows a device: whether the public sees it, its statuses at both levels, the registry's data and its history. */
export function DefibrillateurScreen() {
  const words = useTranslations('defibrillateurs')
  const { id } = route.useParams()
  const router = useRouter()
  const { data: device, ...loaded } = useQuery(deviceQuery(id))
  return (
    <Page
      title={device ? (device.nom ?? words('unnamed')) : words('one')}
      back={
        <Button look="quiet" small icon="back" onPress={() => router.history.back()}>
          {words('back')}
        </Button>
      }
    >
      <QueryState query={loaded} lines={8} />
      {device && (
        <>
          <Present kind="defibrillateur" id={id} />
          <Visibility device={device} />
          <Level device={device} level="france" />
          <Level device={device} level="commune" />
          <Registry device={device} />
          <Notes kind="defibrillateur" recordId={id} />
          <RecordHistory kind="defibrillateur" id={id} />
        </>
      )}
    </Page>
  )
}

/** Whether the public sees the device, and if not, each reason. */
function Visibility({ device }: { device: DeviceRecord }) {
  const words = useTranslations('defibrillateurs')
  const reasons = [
    device.statut_admin_france !== 'actif' && words('hiddenBy.france'),
    device.statut_admin_commune !== 'actif' && words('hiddenBy.commune'),
    device.absent_depuis !== null && words('hiddenBy.absent'),
    !device.retenu && words('hiddenBy.registry'),
  ].filter((reason) => reason !== false)
  return (
    <Row as="p">
      <Badge tone={device.public ? 'good' : 'warn'}>{words(device.public ? 'public' : 'hidden')}</Badge>
      {reasons.length > 0 && <span>{reasons.join(' ')}</span>}
    </Row>
  )
}

function Registry({ device }: { device: DeviceRecord }) {
  const words = useTranslations('defibrillateurs')
  const format = useFormatter()
  const { latitude, longitude, commune, mis_a_jour_le, absent_depuis } = device
  const texts = {
    adresse: [device.adresse, device.code_postal, device.commune_nom].filter(Boolean).join(' '),
    commune: commune ? `${commune.nom} (${device.code_insee})` : device.code_insee,
    etat: device.etat_fonctionnement,
    acces: [
      device.acces,
      device.acces_libre === null ? null : words(device.acces_libre ? 'free' : 'notFree'),
      device.etage && words('floor', { etage: device.etage }),
      device.acces_complement,
    ]
      .filter(Boolean)
      .join(' · '),
    hours: [device.disponibilite, device.disponibilite_complement].filter(Boolean).join(' · '),
    installed:
      device.date_installation &&
      asFrenchWrites(format.dateTime(new Date(device.date_installation), { dateStyle: 'long' })),
  }
  return (
    <Section title={words('registry')} note={words('registryNote', { gid: device.gid })}>
      <Facts
        facts={[
          ...Object.entries(texts).map(
            ([name, text]) =>
              [words(`facts.${name as keyof typeof texts}`), text || words('unsaid')] as const,
          ),
          [
            words('facts.position'),
            latitude === null || longitude === null ? (
              words('noPosition')
            ) : (
              <Link
                key="position"
                to="/defibrillateurs"
                search={{ tab: 'map', at: `${latitude.toFixed(4)},${longitude.toFixed(4)},16` }}
              >
                {words('showOnMap', { latitude: latitude.toFixed(5), longitude: longitude.toFixed(5) })}
              </Link>
            ),
          ],
          [
            words('facts.updated'),
            mis_a_jour_le === null ? words('never') : <Time key="updated" at={mis_a_jour_le} />,
          ],
          ...(absent_depuis === null
            ? []
            : [[words('facts.absent'), <Time key="absent" at={absent_depuis} />] as const]),
          ...(device.photo_url === null
            ? []
            : [
                [
                  words('facts.photo'),
                  <WebLink key="photo" address={device.photo_url}>
                    {words('photo')}
                  </WebLink>,
                ] as const,
              ]),
        ]}
      />
    </Section>
  )
}
