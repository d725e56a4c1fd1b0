import { useTranslations } from 'use-intl'
import { Statuts } from '../../shell/records/defibrillateurs/badges.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import styles from './defibrillateurs.module.css'
import type { DeviceMap } from './queries.ts'

const maxListed = 20

type Cluster = DeviceMap['clusters'][number]
type InViewProps = { map: DeviceMap; onOpen: (cluster: Cluster & { id: null }) => void }

/** Lists in words what the map shows: the largest groups, or each device. */
export function InView({ map: { total, clusters, points }, onOpen }: InViewProps) {
  const words = useTranslations('defibrillateurs')
  const largest = clusters.toSorted((one, other) => other.count - one.count).slice(0, maxListed)
  const listed = points.slice(0, maxListed)
  const left = clusters.length + points.length - largest.length - listed.length
  return (
    <section aria-label={words('inView')} className={styles.stack}>
      <p role="status">
        {clusters.length > 0
          ? words('groupsInView', { total, groups: clusters.length })
          : words('devicesInView', { total })}
      </p>
      {largest.length > 0 && (
        <ul className={styles.groups} aria-label={words('largest')}>
          {largest.map((cluster) => (
            <li key={`${cluster.latitude} ${cluster.longitude}`}>
              <Button small onPress={() => onOpen({ ...cluster, id: null })}>
                {words('group', {
                  count: cluster.count,
                  latitude: cluster.latitude.toFixed(2),
                  longitude: cluster.longitude.toFixed(2),
                })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {listed.length > 0 && (
        <Lines label={words('inView')}>
          {listed.map((point) => (
            <OneLine
              key={point.id}
              icon="heart"
              title={
                <TitleLink to="/defibrillateurs/$id" params={{ id: point.id }}>
                  {point.nom ?? words('unnamed')}
                </TitleLink>
              }
              badge={<Statuts device={point} />}
              note={point.adresse}
            />
          ))}
        </Lines>
      )}
      {left > 0 && <Soft>{words('moreInView', { count: left })}</Soft>}
    </section>
  )
}
