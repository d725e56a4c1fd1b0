import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { QueryState } from '../../../shell/query-state.tsx'
import { ScreenLink } from '../../../shell/records/links.tsx'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { downloadBlob } from '../../../ui/download.ts'
import { Row } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { useSize } from '../../../ui/size.ts'
import { StateBadge } from '../../acts/state.tsx'
import { useActeur } from '../acteur.ts'
import { Inactive } from '../not-allowed.tsx'
import { isInactiveBody } from '../rights.ts'
import { ActDraft } from './draft.tsx'
import { PublishedAct } from './published.tsx'
import { actQuery, type ReadAct, readPdf } from './queries.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/actes/$id')

/** One act of a mairie: the form of a draft, or what was published and what may still be done with it. */
export function ActScreen() {
  const words = useTranslations('espace.acts')
  const { acteurId, id } = route.useParams()
  const acteur = useActeur()
  const { data: act, ...query } = useQuery(actQuery(acteurId, id))
  return (
    <Page
      title={act?.title ?? words('one')}
      back={
        <ScreenLink
          look="quiet"
          small
          icon="back"
          to="/espace/$acteurId/actes"
          params={{ acteurId }}
          activeOptions={{ exact: true }}
        >
          {words('title')}
        </ScreenLink>
      }
    >
      <QueryState query={query} lines={8} />
      {act && (
        <>
          <Row>
            <StateBadge state={act.state} />
            {act.url !== null && <Pdf act={act} />}
          </Row>
          {act.state === 'draft' &&
            act.can.length === 0 &&
            (isInactiveBody(acteur) ? <Inactive /> : <p>{words('readOnly')}</p>)}
          {act.state === 'draft' &&
            act.warnings.map((warning) => (
              <Notice key={warning} tone="warn" title={words(`warnings.${warning}.title`)}>
                <p>{words(`warnings.${warning}.text`)}</p>
              </Notice>
            ))}
          {act.can.includes('edit') ? <ActDraft act={act} /> : <PublishedAct act={act} />}
        </>
      )}
    </Page>
  )
}

/** Button that saves the file of an act: only the mairie reads that of a draft, so that it has no address for a browser. */
function Pdf({ act }: { act: ReadAct }) {
  const words = useTranslations('espace.acts')
  const sizeOf = useSize()
  const showFailure = useFailureToast()
  const reading = useSubmit({
    mutationFn: () => readPdf(act),
    onSuccess: (data) => downloadBlob(data, `${act.number ?? act.title.slice(0, 60)}.pdf`),
    onError: (error) => showFailure(words('pdfNotRead'), error),
  })
  return (
    <Button small icon="download" isPending={reading.isPending} onPress={() => reading.submit()}>
      {words('pdf', { pages: act.pages, size: sizeOf(act.bytes) })}
    </Button>
  )
}
