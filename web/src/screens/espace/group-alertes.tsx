import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ScreenLink } from '../../shell/records/links.tsx'
import { Row } from '../../ui/layout.tsx'
import { AlerteMessage, Level, Period } from '../alertes/cells.tsx'
import { useActeur } from './acteur.ts'
import { type GroupAlerte, groupAlertes } from './group-hidings.queries.ts'
import { GroupHidingsList } from './group-hidings.tsx'

const route = getRouteApi('/signed-in/espace/$acteurId/alertes/groupements')

/** What groups alert for the commune of a mairie, which may hide it there and show it again. */
export function GroupAlertesScreen() {
  const words = useTranslations('alertes')
  const own = useTranslations('espace.alertes')
  const { acteur_id: acteurId } = useActeur()
  const levelOf = (alerte: GroupAlerte) => <Level alerte={alerte} />
  const periodOf = (alerte: GroupAlerte) => <Period alerte={alerte} />
  return (
    <GroupHidingsList
      kind="alertes"
      hidings={groupAlertes}
      search={route.useSearch()}
      back={
        <ScreenLink look="quiet" small icon="back" to="/espace/$acteurId/alertes" params={{ acteurId }}>
          {own('title')}
        </ScreenLink>
      }
      textOf={(alerte) => <AlerteMessage alerte={alerte} />}
      columns={[
        { id: 'niveau', title: words('niveau'), cell: levelOf },
        { id: 'period', title: words('period'), cell: periodOf },
      ]}
      narrow={(alerte, state) => (
        <>
          <Row as="span">
            {levelOf(alerte)}
            {state}
          </Row>
          {periodOf(alerte)}
        </>
      )}
      asks
    />
  )
}
